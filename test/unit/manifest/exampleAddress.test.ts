import assert from 'node:assert/strict';
import { exampleAddress, visibleAddress } from '../../../src/manifest/exampleAddress';

describe('exampleAddress', () => {
  const of = (...matches: unknown[]): string | undefined => exampleAddress({ content_scripts: [{ matches }] });

  it('is an address that the first pattern for the web matches', () => {
    assert.equal(of('<all_urls>'), 'https://example.com/');
    assert.equal(of('*://*.example.org/docs/*'), 'https://example.org/docs/');
    assert.equal(of('http://localhost:8080/*'), 'http://localhost:8080/');
    assert.equal(of('file:///*', 'https://a.example/*.html'), 'https://a.example/.html');
  });

  it('is undefined where there is none', () => {
    for (const value of [undefined, null, {}, { content_scripts: 1 }, { content_scripts: [{}, null] }]) {
      assert.equal(exampleAddress(value), undefined);
    }
    assert.equal(of('file:///*', 7, 'nonsense'), undefined);
  });
});

describe('visibleAddress', () => {
  const of = (...scripts: object[]): string | undefined => visibleAddress({ content_scripts: scripts });
  const matches = ['https://a.example/*'];
  const js = ['a.js'];

  it('is that of a script in a world of its own', () => {
    const seen = { matches: ['https://b.example/*'], js };
    for (const unseen of [
      { matches, css: ['a.css'] },
      { matches, js, world: 'MAIN' },
      { matches, js, include_globs: ['*x*'] },
      { matches, js, exclude_matches: ['https://a.example/*'] },
    ]) {
      assert.equal(of(unseen), undefined, JSON.stringify(unseen));
      assert.equal(of(unseen, seen), 'https://b.example/');
    }
    assert.equal(of({ matches, js, world: 'ISOLATED' }), 'https://a.example/');
  });
});
