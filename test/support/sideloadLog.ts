/** For tests in the extension host: what Sideload has written into its output channel. */
import assert from 'node:assert/strict';
import { commands, workspace, type TextDocument } from 'vscode';
import { COMMANDS } from '../../src/ids';

/** Longest time until a line is there, in milliseconds: the editor follows a log's file with some delay. */
const LINE_LIMIT_MS = 15_000;

/** Time between two looks for the channel, in milliseconds. */
const LOOK_MS = 50;

/** Begin of a line: when it was written, in local time, and its level. */
const STAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d+) \[\w+\] /;

/** Reads the log from a moment on. */
export class SideloadLog {
  private constructor(
    private readonly document: TextDocument,
    /** By the clock: the editor may show lines of before only some time after the channel has opened. */
    private readonly from: number,
  ) {}

  /** The log from now on. */
  static async fromNow(): Promise<SideloadLog> {
    const from = Date.now();
    await commands.executeCommand(COMMANDS.showLog);
    const end = performance.now() + LINE_LIMIT_MS;
    for (;;) {
      const document = workspace.textDocuments.find(
        ({ uri }) => uri.scheme === 'output' && uri.path.toLowerCase().includes('sideload'),
      );
      if (document) return new SideloadLog(document, from);
      assert.ok(performance.now() < end, 'the output channel does not open');
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }

  /** Lines that were written since, without time and level. */
  get lines(): string[] {
    return this.document
      .getText()
      .split('\n')
      .flatMap((line) => {
        const [stamp, day, time] = STAMP.exec(line) ?? [];
        if (stamp === undefined || Date.parse(`${day}T${time}`) < this.from) return [];
        return [line.slice(stamp.length)];
      });
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
