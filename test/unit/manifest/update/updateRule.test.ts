// Covers: src/manifest, src/push/prepare/folderCheck.ts
import assert from 'node:assert/strict';
import { BASE, checkCase } from '../checkManifest';

/** The findings about an update from what is published, of a manifest with some keys. */
async function hintsOf(keys: object, publishedManifest: string | undefined) {
  const { findings } = await checkCase(keys, {}, publishedManifest === undefined ? {} : { publishedManifest });
  return findings.filter(({ rule }) => rule === 'R-UPDATE');
}

describe('the hint at what an update asks for', () => {
  const published = JSON.stringify({ ...BASE, permissions: ['tabs'] });

  it('is at the permission, with what Chromium says, and stops no push', async () => {
    const [hint, ...others] = await hintsOf({ permissions: ['tabs', 'bookmarks'] }, published);
    assert.deepEqual(others, []);
    assert.deepEqual([hint?.severity, hint?.path], ['hint', ['permissions', 1]]);
    assert.match(hint?.message ?? '', /"bookmarks".*agree to this: Read and change your bookmarks\.$/);
    const text = JSON.stringify({ ...BASE, permissions: ['tabs', 'bookmarks'] });
    assert.equal(text.slice(hint?.range.start.offset, hint?.range.end.offset), '"bookmarks"');
  });

  it('is at local files, of which Chromium says nothing', async () => {
    const [hint] = await hintsOf({ host_permissions: ['file:///*'] }, published);
    assert.match(hint?.message ?? '', /"file:\/\/\/\*".*until they agree\.$/);
  });

  it('is absent when nobody is asked again', async () => {
    assert.deepEqual(await hintsOf({ permissions: ['tabs', 'storage', 'webNavigation'] }, published), []);
  });

  it('is absent when no version is published, or its manifest cannot be read', async () => {
    assert.deepEqual(await hintsOf({ permissions: ['bookmarks'] }, undefined), []);
    for (const text of ['', '[]', '{ "permissions": '])
      assert.deepEqual(await hintsOf({ permissions: ['bookmarks'] }, text), []);
  });
});
