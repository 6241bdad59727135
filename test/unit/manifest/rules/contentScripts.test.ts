import assert from 'node:assert/strict';
import { checkCase, onlyOf, rulesOf } from '../checkManifest';

describe('manifest check of content scripts', () => {
  const scripts = (...entries: object[]) => ({
    content_scripts: entries.map((entry) => ({ matches: ['<all_urls>'], ...entry })),
  });

  it('reports every missing file, not only the first', async () => {
    const manifest = scripts({ js: ['a.js', 'gone.js'], css: ['gone.css'] }, { js: ['./gone2.js', 'a%20b.js'] });
    const { findings } = await checkCase(manifest, { 'a.js': '', 'a b.js': '' });
    assert.deepEqual(
      findings.map(({ chromium }) => chromium),
      [
        "Could not load javascript 'gone.js' for script.",
        "Could not load css 'gone.css' for script.",
        "Could not load javascript './gone2.js' for script.",
        "Could not load javascript 'a%20b.js' for script.",
      ],
    );
    assert.deepEqual(findings[1]?.path, ['content_scripts', 0, 'css', 0]);
  });

  it('reports a folder of that name', async () => {
    const { findings } = await checkCase(scripts({ js: ['d.js'] }), { 'd.js/x': '' });
    assert.match(onlyOf(findings).message, /"d\.js" is a folder/);
  });

  it('warns of a file of another type, and then looks for no file of the content script', async () => {
    const { findings } = await checkCase(scripts({ js: ['gone.js', 'a.ts', 'b.ts'], css: ['gone.css'] }));
    const finding = onlyOf(findings);
    assert.deepEqual([finding.rule, finding.severity], ['R-CS-MIME', 'warning']);
    assert.match(
      finding.chromium ?? '',
      /^Invalid script mime type: 'Could not load file 'a\.ts' for content script, content scripts can/,
    );
  });

  for (const name of [
    ' a.js',
    '//a.js',
    '././a.js',
    'x/../a.js',
    '.a.js',
    '~a.js',
    'con.js',
    'https://example.com/a.js',
    'a.js?x',
  ]) {
    it(`does not accept ${JSON.stringify(name)} as a file`, async () => {
      const { findings } = await checkCase(scripts({ js: [name] }), { 'a.js': '' });
      assert.match(onlyOf(findings).chromium ?? '', /'Could not load file '' for/);
    });
  }

  it('ignores those of themes', async () => {
    const { findings } = await checkCase({ ...scripts({ js: ['gone.js'] }), theme: {} });
    assert.deepEqual(rulesOf(findings), ['R-AVAIL']);
  });
});
