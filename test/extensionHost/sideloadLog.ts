/** For tests in the extension host: reads Sideload's output channel. */
import assert from 'node:assert/strict';
import { commands, workspace, type TextDocument } from 'vscode';
import { COMMANDS } from '../../src/ids';

/** Longest time until a line can be read, in milliseconds: VS Code reads a log's file with some delay. */
const LINE_LIMIT_MS = 30_000;

/** Interval at which the channel is read, in milliseconds. */
const LOOK_MS = 50;

/** Prefix of a line: local time and level. */
const STAMP = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d+) \[\w+\] /;

/** The log since a point in time. */
export class SideloadLog {
  private constructor(
    private readonly document: TextDocument,
    /** In milliseconds since the epoch: VS Code may add earlier lines after it has opened the channel. */
    private readonly from: number,
  ) {}

  /** The log from now on, or from another time in milliseconds since the epoch. */
  static async fromNow(from = Date.now()): Promise<SideloadLog> {
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

  /** All that the channel holds, as it stands there. */
  get text(): string {
    return this.document.getText();
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

  /** Waits until `count` lines match, and returns them. Rejects with the lines that were written instead. */
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
