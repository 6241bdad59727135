import assert from 'node:assert/strict';
import { contentScriptFiles, injectable } from '../../../../src/push/prepare/injectableScripts';

describe('the content scripts of a manifest', () => {
  it('are found by their files, each once', () => {
    const content_scripts = [
      { matches: ['<all_urls>'], js: ['./cs.js'], css: ['cs.css'] },
      { matches: ['https://a/*'], js: ['/cs.js', 'lib/b.js'] },
    ];
    assert.deepEqual([...contentScriptFiles({ content_scripts })].sort(), ['cs.css', 'cs.js', 'lib/b.js']);
    assert.deepEqual([...contentScriptFiles({ content_scripts: 'x' })], []);
    assert.deepEqual([...contentScriptFiles(null)], []);
  });

  it('can be injected, with defaults for omitted fields', () => {
    const matches = ['https://a/*'];
    assert.deepEqual(injectable({ content_scripts: [{ matches, js: ['b.js', 'a.js'], world: 'MAIN' }] }), [
      { matches, exclude_matches: [], js: ['b.js', 'a.js'], css: [], all_frames: false, world: 'MAIN' },
    ]);
  });

  it('cannot be injected when globs select their pages, because tabs cannot be queried by globs', () => {
    const entry = { matches: ['https://a/*'], js: ['a.js'] };
    assert.equal(injectable({ content_scripts: [entry, { ...entry, include_globs: ['*b*'] }] }), undefined);
    assert.equal(injectable({ content_scripts: [{ ...entry, exclude_globs: ['*b*'] }] }), undefined);
    assert.equal(injectable({ content_scripts: [{ ...entry, exclude_globs: [] }] })?.length, 1);
  });
});
