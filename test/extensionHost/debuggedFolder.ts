/** For tests in the extension host: an extension in the workspace that is debugged. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  debug,
  Location,
  Position,
  SourceBreakpoint,
  Uri,
  workspace,
  type DebugConfiguration,
  type WorkspaceFolder,
} from 'vscode';
import { DEBUG_TYPE } from '../../src/ids';

/** A folder of the workspace, its breakpoints and its debug sessions. */
export class DebuggedFolder {
  readonly path: string;

  constructor(
    readonly root: WorkspaceFolder,
    /** Relative to the workspace folder. */
    name: string,
  ) {
    this.path = join(root.uri.fsPath, name);
  }

  /** A folder of the first folder of the workspace. */
  static of(name: string): DebuggedFolder {
    const root = workspace.workspaceFolders?.[0];
    assert.ok(root, 'the suite needs a workspace folder');
    return new DebuggedFolder(root, name);
  }

  /** Writes a file, and the folders that it is in. */
  async write(name: string, text: string): Promise<void> {
    const file = join(this.path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Sets a breakpoint, or a log point if there is a message. The line counts from 1. */
  breakAt(name: string, line: number, logMessage?: string): void {
    const place = new Location(Uri.file(join(this.path, name)), new Position(line - 1, 0));
    debug.addBreakpoints([new SourceBreakpoint(place, true, undefined, undefined, logMessage)]);
  }

  /** Starts a debug session of the extension. */
  async start(request: 'launch' | 'attach', options: { noDebug?: boolean } = {}): Promise<void> {
    assert.equal(await debug.startDebugging(this.root, this.configuration(request), options), true);
  }

  /** What launch.json would have. */
  configuration(
    request: 'launch' | 'attach',
    more: { preLaunchTask?: string; extensionId?: string; browser?: string } = {},
  ): DebugConfiguration {
    return { type: DEBUG_TYPE, request, name: 'Debug', ...more };
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
