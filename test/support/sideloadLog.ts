/** For tests in the extension host: what Sideload has written into its output channel. */
import assert from 'node:assert/strict';
import { commands, workspace, type TextDocument } from 'vscode';
import { COMMANDS } from '../../src/ids';

/** Longest time until a line is there, in milliseconds: the editor follows a log's file with some delay. */
const LINE_LIMIT_MS = 15_000;

/** Time between two looks for the channel, in milliseconds. */
const LOOK_MS = 50;

/** Reads the log from a moment on. */
export class SideloadLog {
  private constructor(
    private readonly document: TextDocument,
    private readonly from: number,
  ) {}

  /** The log from now on. */
  static async fromNow(): Promise<SideloadLog> {
    await commands.executeCommand(COMMANDS.showLog);
    const end = performance.now() + LINE_LIMIT_MS;
    for (;;) {
      const document = workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'output' && uri.path.toLowerCase().includes('sideload'),
      );
      if (document) return new SideloadLog(document, document.lineCount);
      assert.ok(performance.now() < end, 'the output channel does not open');
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }

  /** Lines that were written since, without time and level. */
  get lines(): string[] {
    return this.document
      .getText()
      .split('\n')
      .slice(this.from - 1)
      .map((line) => line.replace(/^\S+ \S+ \[\w+\] /, ''));
  }

  /** Waits until `count` lines match, and gives them. Rejects with what is there instead. */
  async find(pattern: RegExp, count = 1): Promise<string[]> {
    const end = performance.now() + LINE_LIMIT_MS;
    for (;;) {
      const found = this.lines.filter((line) => pattern.test(line));
      if (found.length >= count) return found;
      assert.ok(
        performance.now() < end,
        `${found.length} of ${count} lines like ${pattern} in\n${this.lines.join('\n')}`,
      );
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }
}
