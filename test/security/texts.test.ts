// Covers: src/editor/channelLog.ts
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ExtensionErrors, WorkerLocations } from '../../src/console/extensionErrors';
import type { ExtensionError } from '../../src/devtools/errors/errorReports';
import { plainLines, terminalText } from '../../src/editor/plainText';
import { linesBelow } from '../../src/programs/inputLines';
import { jsonLine, printable } from '../../src/programs/printable';
import { findSourceFile } from '../../src/sources/sourceFiles';
import { findSource } from '../../src/sources/sourceMaps';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';

const ID = 'abcdefghijklmnop'.repeat(2);

describe('texts of others', () => {
  it('are no commands of a pipeline, no lines of their own and no escape sequences where a program prints them', () => {
    assert.equal(printable('::error::x'), ': :error::x');
    assert.equal(printable('  ::add-mask::x'), '  : :add-mask::x');
    assert.equal(printable('said ##[error]a ##VSO[task.complete]b'), 'said # #[error]a # #VSO[task.complete]b');
    assert.equal(
      printable('a\n::set-output name=x::y\n##vso[task.complete]'),
      'a\n: :set-output name=x::y\n# #vso[task.complete]',
    );
    assert.equal(printable('\u001b]0;x\u0007\u009b31m'), ' ]0;x  31m');
    assert.equal(printable('a\r\n\u2028::error::b'), 'a\n\n: :error::b');
    assert.equal(printable('\u202e::error::b'), ' : :error::b');
    assert.equal(printable('a\tb: c\n## Title'), 'a\tb: c\n## Title');
    const value = { text: '##vso[task.complete]\n::error::x\u2028\u0085\u202e' };
    const line = jsonLine(value);
    assert.equal(printable(line), line);
    assert.deepEqual(JSON.parse(line), value);
  });

  it('are no entries of their own in the log, and do not act in a terminal of the editor', () => {
    assert.equal(
      plainLines('a\n2026-11-24 10:00:00.000 [info] forged'),
      'a\n    2026-11-24 10:00:00.000 [info] forged',
    );
    assert.equal(plainLines('a\rb\u2028c\u001b[2J'), 'a\n    b\n    c [2J');
    assert.equal(terminalText('one\u001b[2J\u202e\ntwo\r\n'), 'one [2J\r\ntwo \r\n');
    // All that is written to the log goes through it.
    assert.match(readFileSync(join(ROOT, 'src/editor/channelLog.ts'), 'utf8'), /plainLines\(redact\(text, secrets\)\)/);
  });

  it('name no place before the first line, or beyond all lines', () => {
    for (const place of ['0:0', '0:1', '1:0', `${'9'.repeat(400)}:1`, `1:${'9'.repeat(400)}`, '999999999:999999999']) {
      const errors = new ExtensionErrors(ID);
      const text = `Uncaught Error: x\n    at chrome-extension://${ID}/w.js:${place}`;
      const report: ExtensionError = {
        id: 1,
        text,
        isWarning: false,
        isOfManifest: false,
        manifestKey: '',
        isWorker: true,
        source: '',
        contextUrl: '',
        frames: [],
        count: 1,
      };
      const [error] = errors.add(
        { extensionId: ID, isFirst: false, errors: [report], traces: [] },
        new WorkerLocations(),
      );
      const found = error?.location;
      assert(found === undefined || (found.line >= 0 && found.line < 1e9 && (found.column ?? 0) >= 0), place);
    }
  });

  it('that are too long for a server leave the next ones as they are', async () => {
    const limit = 1000;
    let longer = 0;
    const passed: string[] = [];
    const lines = linesBelow(limit, () => (longer += 1));
    lines.on('data', (chunk: Buffer) => passed.push(chunk.toString()));
    const big = 'x'.repeat(5000);
    const text = `one\n${big}\ntwo\n${big}${big}\nthree\n${'y'.repeat(limit - 1)}\n`;
    // In parts of any size.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 700) lines.write(bytes.subarray(at, at + 700));
    lines.end();
    await new Promise((resolve) => lines.on('end', resolve));
    assert.equal(passed.join(''), `one\ntwo\nthree\n${'y'.repeat(limit - 1)}\n`);
    assert.equal(longer, 2);
    const rest = Readable.from([Buffer.from('no end')]).pipe(linesBelow(limit, () => undefined));
    assert.deepEqual(await rest.toArray(), []);
  });

  it('that name no text as a source give no place, and no error', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sideload-sources-'));
    try {
      const file = join(root, 'a.js');
      await writeFile(file, 'x();\n//# sourceMappingURL=a.js.map\n');
      for (const sources of [[7], [null], [{}], [[]], 7, 'a.ts', [1e308, 'a.ts']]) {
        await writeFile(`${file}.map`, JSON.stringify({ version: 3, sources, names: [], mappings: 'AAAA' }));
        assert.equal(await findSource({ file, line: 0, column: 0 }, { folder: root, root }), undefined);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('that name a source elsewhere make nobody look there', async () => {
    const root = await mkdtemp(join(tmpdir(), 'sideload-sources-'));
    try {
      await writeFile(join(root, 'a.ts'), '');
      const places = { folder: root, root };
      const find = (resolved: string, raw = resolved): Promise<string | undefined> =>
        findSourceFile({ raw, resolved }, places);
      assert.equal(await find(`file://${root}/a.ts`), join(root, 'a.ts'));
      // A path below itself, which would be read if it were looked at: `/proc/self/root` is `/`.
      for (const outside of [`file:///proc/self/root${root}/a.ts`, `file://${root}/../../proc/self/root${root}/a.ts`]) {
        assert.equal(await find(outside, 'nowhere'), undefined, outside);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe('the address of a browser that a service names', () => {
  it('can be connected to only after its check, which nothing else can pretend', () => {
    const casting = sourceFiles('src').filter((file) =>
      /\bas DevToolsAddress\b/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    assert.deepEqual(casting, ['src/service/devToolsAddress.ts']);
    const opening = sourceFiles('src').filter((file) =>
      /\bnew WebSocket\(/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    // The other one leads to servers of this machine, at ports that the person has allowed: `hosts` of its options.
    assert.deepEqual(opening, ['src/bridge/webSocketChannel.ts', 'src/devtools/protocol/webSocket.ts']);
  });
});
