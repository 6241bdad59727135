import assert from 'node:assert/strict';
import { deliveryFilter } from '../../../../src/archive/choice';
import { checkManifest, onlyOf, rulesOf } from '../checkManifest';

describe('manifest check of catalogues', () => {
  const EMPTY = { dir: true } as const;

  it('takes no account in a push of a folder of catalogues without a file, which no archive has', async () => {
    const files = { _locales: EMPTY };
    assert.deepEqual(rulesOf(await checkManifest({}, files)), []);
    assert.deepEqual(rulesOf(await checkManifest({}, { '_locales/en': EMPTY })), []);
    assert.deepEqual(rulesOf(await checkManifest({}, files, { loadedBy: 'flag' })), ['R-LOC-NODEFAULT']);
    assert.deepEqual(rulesOf(await checkManifest({ default_locale: 'en' }, files)), ['R-LOC-NOTREE']);
  });

  it('takes no account in a push of catalogues that are not sent where the manifest needs none', async () => {
    const files = { '_locales/en/messages.json': '{}', '_locales/fr/messages.json': '{}' };
    const isDelivered = deliveryFilter({ exclude: ['_locales'] });
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered })), []);
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered, loadedBy: 'flag' })), ['R-LOC-NODEFAULT']);
    assert.deepEqual(rulesOf(await checkManifest({ default_locale: 'de' }, files, { isDelivered })), [
      'R-LOC-NODEFAULT',
    ]);
    const isPartDelivered = deliveryFilter({ exclude: ['_locales/fr'] });
    assert.deepEqual(rulesOf(await checkManifest({}, files, { isDelivered: isPartDelivered })), ['R-LOC-NODEFAULT']);
  });

  it('takes no account in a push of a locale without a file, which no archive has', async () => {
    const files = { '_locales/en_GB/messages.json': '{}', '_locales/de': EMPTY, '_locales/en': EMPTY };
    const manifest = { default_locale: 'en_GB' };
    assert.deepEqual(rulesOf(await checkManifest(manifest, files)), []);
    assert.deepEqual(rulesOf(await checkManifest(manifest, files, { loadedBy: 'flag' })), [
      'R-LOC-CATALOG',
      'R-LOC-CATALOG',
    ]);
    assert.deepEqual(rulesOf(await checkManifest(manifest, { ...files, '_locales/de/a.txt': '' })), ['R-LOC-CATALOG']);
  });

  it('ignores files and links to files beside the folders of locales, as Chromium does', async () => {
    const files = { '_locales/en/messages.json': '{}', 'a.txt': '', 'other/a.txt': '', 'lists/de/a.txt': '' };
    const manifest = { default_locale: 'en' };
    for (const name of ['de', 'DE', 'pt-BR']) {
      for (const entry of ['', { symlink: '../a.txt' }, { symlink: 'nowhere' }]) {
        assert.deepEqual(rulesOf(await checkManifest(manifest, { ...files, [`_locales/${name}`]: entry })), [], name);
      }
      const linked = { ...files, [`_locales/${name}`]: { symlink: '../other' } };
      assert.deepEqual(rulesOf(await checkManifest(manifest, linked)), ['R-LOC-CATALOG'], name);
      const isWhole = { ...linked, 'other/messages.json': '{}' };
      assert.deepEqual(rulesOf(await checkManifest(manifest, isWhole)), [], name);
    }
    const below = { 'lists/en/messages.json': '{}', 'lists/de/a.txt': '', _locales: { symlink: 'lists' } };
    assert.deepEqual(rulesOf(await checkManifest(manifest, below)), ['R-LOC-CATALOG']);
  });

  it('takes a file for the folder of the default locale, as Chromium does', async () => {
    for (const entry of ['', { symlink: '../a.txt' }]) {
      const found = await checkManifest({ default_locale: 'en' }, { 'a.txt': '', '_locales/en': entry });
      assert.equal(onlyOf(found).chromium, 'Catalog file is missing for locale en.');
    }
    const empty = { '_locales/en': EMPTY, '_locales/fr/messages.json': '{}' };
    assert.deepEqual(rulesOf(await checkManifest({ default_locale: 'en' }, empty)), ['R-LOC-NODEFAULT']);
  });
});
