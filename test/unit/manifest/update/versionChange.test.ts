// Covers: src/manifest
import assert from 'node:assert/strict';
import { parsedManifest } from '../../../../src/manifest/update/manifestText';
import { allowsBrowser, minimumBrowser, versionChange } from '../../../../src/manifest/update/versionChange';
import { documentOf } from './pairs';

describe('the versions of an update', () => {
  const change = (before: unknown, after: unknown) =>
    versionChange(documentOf({ version: before }), documentOf({ version: after }));

  it('rise by their numbers', () => {
    assert.equal(change('1.9', '1.10').rises, true);
    assert.equal(change('1.0', '1.0.0.1').rises, true);
    assert.equal(change('1.0', '1.0.0.0').rises, false);
    assert.equal(change('2.0', '1.9').rises, false);
  });

  it('do not rise from or to what is no version', () => {
    assert.deepEqual(change('1.0', 'new'), { before: '1.0', after: undefined, rises: false });
    assert.deepEqual(change(1, '2'), { before: undefined, after: '2', rises: false });
  });

  it('name the oldest browser, and whether one is new enough', () => {
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
