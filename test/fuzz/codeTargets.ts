import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InlineMaps } from '../../src/bridge/inlineMaps';
import { pageWithSocketShim, withSocketShim } from '../../src/bridge/socketShim';
import { traceOfCall } from '../../src/devtools/errors/errorTrace';
import { splitStack } from '../../src/devtools/protocol/stackText';
import { readCode } from '../../src/manifest/use/codeReader';
import { readUnparsed } from '../../src/manifest/use/unparsedCode';
import { parseAnyScript, readScript } from '../../src/manifest/worker/script';
import { traceSource } from '../../src/sources/trace';
import { jsonLike, textLike, textOf } from './inputs';
import { target, type FuzzTarget } from './target';

const SHIM = { hosts: ['localhost:5173'], folder: '/.sideload/x' };

const CODE = `"use strict";
import { tabs as t } from "webextension-polyfill";
const { storage: { local }, ...rest } = globalThis.chrome ?? browser;
export default async function run({ id = 1, ...more }, [first, ...others]) {
  for await (const one of others) if (id in more) await local.set({ [\`k\${one}\`]: /[/]\\/x/u.test(first) });
  const socket = new WebSocket("ws://localhost:5173"); importScripts("a.js", 'b.js');
  return (await import("./x.js")).default?.(eval("chrome.tabs"), new Function("return 1"), () => rest["run" + "time"]);
}
`;

const scripts: Arbitrary<string> = fc.oneof(
  textLike(CODE),
  textOf(
    ...[
      '"use strict"',
      "'use strict'",
      ';',
      '\n',
      '\r\n',
      '//x\n',
      '/*x*/',
      ' ',
      '#!x\n',
      'WebSocket',
      'x',
      '=',
      '(',
      ')',
    ],
    ...['{', '}', '[', ']', '`', '${', ',', '.', '?.', '=>', 'async ', 'await ', 'import ', 'chrome', 'tabs', 'new '],
    ...['const ', 'let ', 'function ', 'class ', '...', '/', '1', "'a'", 'importScripts', 'eval', ':', '?'],
  ),
);

const pages: Arbitrary<string> = textOf(
  ...[
    '<!doctype html>',
    '<!DOCTYPE',
    '<html>',
    '<html lang="en">',
    '<head>',
    '<head',
    '>',
    '<!--',
    '-->',
    '\ufeff',
    ' \n',
  ],
  ...['<meta charset="utf-8">', '<title>', '</title>', '<script>', '</script>', '<body>', 'WebSocket', "<a b='>'>"],
);

const MAP = {
  version: 3,
  file: 'b.js',
  sourceRoot: '',
  sources: ['a.ts', '../b.ts'],
  names: ['x'],
  mappings: 'AAAA;AACA,CAACA',
};

const maps: Arbitrary<string> = fc.oneof(
  jsonLike(MAP, { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: MAP }] }),
  textOf('A', 'C', ';', ',', 'gB', 'D', '/', '+', '9').map((mappings) => JSON.stringify({ ...MAP, mappings })),
);

/** Code of others, and what programs write about code. */
export const CODE_TARGETS: readonly FuzzTarget[] = [
  target('scripts', {
    inputs: scripts,
    run: (text) => {
      for (const type of ['classic', 'module'] as const) {
        const facts = readScript(text, type);
        if ('fault' in facts) assert(facts.fault.offset >= 0 && facts.fault.offset <= text.length);
        else for (const { start, end } of facts.dependencies) assert(0 <= start && start < end && end <= text.length);
      }
      for (const { api, marks, hidden, addresses } of [readCode(text), readUnparsed(text)]) {
        for (const { start, end } of [api, marks, hidden, addresses].flatMap((spots) => [...spots.values()]))
          assert(0 <= start && start <= end && end <= text.length, 'a place outside of the script');
      }
    },
  }),
  target('scripts whose sockets are carried', {
    inputs: scripts,
    // A hashbang behind a statement is none.
    found: ['#!x\nWebSocket'],
    run: (text) => {
      const shimmed = withSocketShim(text, SHIM);
      assert.equal(shimmed.split('\n').length, text.split('\n').length, 'lines have other numbers');
      if (parseAnyScript(text)) assert(parseAnyScript(shimmed), 'the script can no longer be parsed');
    },
  }),
  target('pages whose sockets are carried', {
    usual: 500,
    inputs: pages,
    run: (text) => {
      const shimmed = pageWithSocketShim(text, SHIM);
      const at = shimmed.indexOf('<script>(');
      const added = shimmed.length - text.length;
      assert.equal(shimmed.slice(0, at) + shimmed.slice(at + added), text, 'the page has changed');
    },
  }),
  target('scripts with source maps in them', {
    inputs: fc.array(
      fc.oneof(
        scripts,
        maps.map((map) => `//# sourceMappingURL=data:;base64,${Buffer.from(map.repeat(9)).toString('base64')}\n`),
      ),
      { maxLength: 5 },
    ),
    run: (parts) => {
      const code = parts.join('');
      const kept = new InlineMaps('/.sideload/maps');
      const cut = kept.cutFrom(code, 'http://localhost:5173');
      assert.equal(cut.split('\n').length, code.split('\n').length, 'lines have other numbers');
      for (const [, path = ''] of cut.matchAll(/http:\/\/localhost:5173(\/\.sideload\/maps\/[0-9a-f]{32})/g))
        kept.mapAt(path);
    },
  }),
  target('source maps', {
    // It leads before the first column; it has no text for its mappings.
    found: [
      { map: JSON.stringify({ ...MAP, mappings: ';AA9' }), isInline: false, line: 1, column: undefined },
      { map: JSON.stringify({ ...MAP, mappings: [{}] }), isInline: false, line: 0, column: undefined },
    ],
    inputs: fc.record({
      map: maps,
      isInline: fc.boolean(),
      line: fc.nat(3),
      column: fc.option(fc.nat(20), { nil: undefined }),
    }),
    run: async ({ map, isInline, ...place }) => {
      const folder = await mkdtemp(join(tmpdir(), 'sideload-fuzz-'));
      try {
        const file = join(folder, 'b.js');
        const address = isInline ? `data:;base64,${Buffer.from(map).toString('base64')}` : 'b.js.map';
        await writeFile(file, `a();\nb();\n//# sourceMappingURL=${address}\n`);
        if (!isInline) await writeFile(`${file}.map`, map);
        const traced = await traceSource({ file, folder, ...place });
        if (traced) assert(Number.isInteger(traced.line) && traced.line >= 0 && traced.column >= 0, 'no place');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  }),
  target('stacks of errors', {
    usual: 500,
    inputs: textOf(
      ...[
        'Error: x',
        '\n',
        '    at ',
        'run (',
        'chrome-extension://',
        'a'.repeat(32),
        '/a.js',
        ':1',
        ':0',
        ':99999999',
        ')',
      ],
      ...['https://a.test/', 'async ', '<anonymous>', '%', ' '],
    ),
    run: (text) => {
      const [words, places] = splitStack(text);
      assert(text.startsWith(words));
      for (const { line, column } of places) assert(line >= 0 && (column ?? 0) >= 0);
      traceOfCall(
        { type: 'error', args: [{ type: 'string', value: text }], executionContextId: 1, timestamp: 1 },
        { type: 'page', url: '' },
      );
    },
  }),
];
