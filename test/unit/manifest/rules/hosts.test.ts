import assert from 'node:assert/strict';
import { checkManifest } from '../checkManifest';

/** A package that Chromium still loads with version 2. */
const APP = { manifest_version: 2, app: { launch: { local_path: 'a.html' } } };

async function warnings(manifest: object): Promise<(string | undefined)[]> {
  return (await checkManifest(manifest, { 'a.html': '' })).map(({ chromium }) => chromium);
}

describe('manifest check of hosts', () => {
  for (const list of ['permissions', 'optional_permissions']) {
    it(`warns of pages of Chromium in ${list} of version 2, but not of favicons`, async () => {
      const patterns = ['chrome://*/*', 'chrome://newtab/', 'chrome://*.favicon/*'];
      assert.deepEqual(
        await warnings({ ...APP, [list]: [...patterns, 'chrome://favicon/', 'https://a.com/*'] }),
        patterns.map((pattern) => `Invalid scheme for '${list}[${pattern}]'.`),
      );
    });
  }

  for (const list of ['host_permissions', 'optional_host_permissions']) {
    it(`warns of pages of Chromium in ${list}, favicons included`, async () => {
      const patterns = ['chrome://*/*', 'chrome://favicon/'];
      assert.deepEqual(
        await warnings({ [list]: patterns }),
        patterns.map((pattern) => `Invalid scheme for '${list}[${pattern}]'.`),
      );
    });
  }

  it('warns of optional hosts of version 2 that are granted already', async () => {
    const lists = { permissions: ['http://*.a.com/x'], optional_permissions: ['http://b.a.com/y', 'http://b.com/*'] };
    assert.deepEqual(await warnings({ ...APP, ...lists }), [
      "Optional permission 'http://b.a.com/*' is redundant with the required permissions;this permission will be omitted.",
    ]);
  });
});
