/** For tests in the extension host: an extension in the workspace that is pushed by default, and a browser for it. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspace, type WorkspaceFolder } from 'vscode';
import { SETTINGS } from '../../src/ids';
import { EditorBrowser, leaveService, set, useService } from './editorBrowser';

/** A folder of the workspace with an extension, which is the chosen one until `end`, and the chosen browser, which has the same name. */
export class ChosenExtension {
  readonly root: WorkspaceFolder;
  readonly folder: string;
  #browser: EditorBrowser | undefined;

  constructor(private readonly name: string) {
    const root = workspace.workspaceFolders?.[0];
    assert.ok(root, 'the suite needs a workspace folder');
    this.root = root;
    this.folder = join(root.uri.fsPath, name);
  }

  get browser(): EditorBrowser {
    assert.ok(this.#browser, 'only after `begin`');
    return this.#browser;
  }

  /** Writes the files, chooses the folder, and starts and chooses the browser. */
  async begin(files: Readonly<Record<string, string>>): Promise<void> {
    await useService();
    await mkdir(this.folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await this.write(name, text);
    await set(SETTINGS.folder, this.name);
    this.#browser = await EditorBrowser.start(this.name);
    await this.#browser.choose();
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, name), text);
  }

  async end(): Promise<void> {
    await set(SETTINGS.folder, undefined);
    await this.#browser?.end();
    await leaveService();
    await rm(this.folder, { recursive: true, force: true });
  }
}
