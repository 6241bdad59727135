import assert from 'node:assert/strict';
import { InlineMaps } from '../../../src/bridge/inlineMaps';

const FOLDER = '/.sideload/secret/maps';
const ORIGIN = 'http://localhost:5173';
const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], sourcesContent: ['ä'.repeat(1000)], mappings: 'AAAA' });
const BASE64 = `data:application/json;charset=utf-8;base64,${Buffer.from(MAP).toString('base64')}`;

describe('a source map within an answer', () => {
  const cutOut = (code: string): { code: string; map: string | undefined } => {
    const maps = new InlineMaps(FOLDER);
    const cut = maps.cutFrom(code, ORIGIN);
    const [, path = ''] = /http:\/\/localhost:5173([\w./-]+)/.exec(cut) ?? [];
    return { code: path === '' ? cut : cut.replace(path, '/MAP'), map: maps.mapAt(path)?.toString() };
  };
  const codes: [what: string, code: string, expected: string][] = [
    ['of a script', `run();\n//# sourceMappingURL=${BASE64}\n`, `run();\n//# sourceMappingURL=${ORIGIN}/MAP\n`],
    ['of a style', `a{}\n/*# sourceMappingURL=${BASE64} */`, `a{}\n/*# sourceMappingURL=${ORIGIN}/MAP */`],
    [
      'of an eval',
      `eval("run();\\n//# sourceMappingURL=${BASE64}\\n//# sourceURL=a.js");`,
      `eval("run();\\n//# sourceMappingURL=${ORIGIN}/MAP\\n//# sourceURL=a.js");`,
    ],
    [
      'that is not in base64',
      `//# sourceMappingURL=data:application/json,${encodeURIComponent(MAP)}`,
      `//# sourceMappingURL=${ORIGIN}/MAP`,
    ],
  ];
  for (const [what, code, expected] of codes) {
    it(`${what} is cut out, and can be had`, () => {
      assert.deepEqual(cutOut(code), { code: expected, map: MAP });
    });
  }

  it('stays where it is short, or none', () => {
    for (const code of [
      '//# sourceMappingURL=data:application/json;base64,e30=',
      '//# sourceMappingURL=a.js.map',
      `const map = '//# sourceMappingURL=data:application/json;base64,' + btoa(text);`,
      `const picture = '${BASE64}';`,
    ]) {
      assert.equal(cutOut(code).code, code);
    }
  });

  it('is had at its own address alone, and the oldest is forgotten', () => {
    const maps = new InlineMaps(FOLDER);
    const pathOf = (content: string): string =>
      new URL(/http:.*$/.exec(maps.cutFrom(`//# sourceMappingURL=data:,${content}`, ORIGIN))?.[0] ?? '').pathname;
    const first = pathOf('a'.repeat(2000));
    assert.ok(maps.mapAt(first));
    assert.equal(maps.mapAt(first.replace('secret', 'other')), undefined);
    assert.equal(maps.mapAt(`${FOLDER}/unknown`), undefined);
    const large = Array.from('bcde', (letter) => pathOf(letter.repeat(16 * 1024 * 1024)));
    assert.equal(maps.mapAt(first), undefined);
    assert.equal(large.filter((path) => maps.mapAt(path)).length, 3);
  });
});
