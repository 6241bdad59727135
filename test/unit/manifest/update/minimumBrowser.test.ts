// Covers: src/manifest
import assert from 'node:assert/strict';
import { allowsBrowser, minimumBrowser } from '../../../../src/manifest/update/minimumBrowser';
import { parsedManifest } from '../../../../src/manifest/update/manifestText';
import { documentOf } from './pairs';

describe('the oldest browser that a manifest allows', () => {
  it('is named, and compared with one by its numbers', () => {
    const document = documentOf({ minimum_chrome_version: '150.2' });
    assert.equal(minimumBrowser(document), '150.2');
    assert.equal(allowsBrowser(document, '150.1.9.9'), false);
    assert.equal(allowsBrowser(document, '150.2.0.0'), true);
    assert.equal(allowsBrowser(documentOf({ minimum_chrome_version: 150 }), '1'), true);
    assert.equal(minimumBrowser(documentOf({})), undefined);
  });
});

describe('the text of a manifest', () => {
  it('is read as Chromium reads it', () => {
    assert.equal(parsedManifest('\ufeff{ "version": "1" /* one */ }')?.stringAt('version'), '1');
    assert.equal(parsedManifest(Buffer.from('{ "a": "\\x41" }'))?.stringAt('a'), 'A');
  });

  it('is none when Chromium cannot read it', () => {
    for (const text of ['', '[]', '{', '{ "a": 1, }']) assert.equal(parsedManifest(text), undefined, text);
  });
});
