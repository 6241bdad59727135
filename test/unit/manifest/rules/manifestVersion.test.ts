import assert from 'node:assert/strict';
import { checkCase, onlyOf, rulesOf } from '../checkManifest';

describe('manifest check of the manifest version', () => {
  it('refuses a missing one, except in a platform app', async () => {
    assert.equal(onlyOf((await checkCase({ manifest_version: undefined })).findings).rule, 'R-MV-MISSING');
    const app = { app: { background: { scripts: ['b.js'] } } };
    assert.deepEqual((await checkCase({ manifest_version: undefined, ...app }, { 'b.js': '' })).findings, []);
  });

  for (const text of ['"3"', '3.0', '3e0', '0', '1', '-3', 'null', '[3]', '4294967299']) {
    it(`refuses ${text}`, async () => {
      const { findings } = await checkCase(`{"name": "a", "version": "1", "manifest_version": ${text}}`);
      assert.equal(onlyOf(findings).rule, 'R-MV-TYPE');
    });
  }

  it('refuses 2 for an extension, after all other faults, and not for a theme', async () => {
    const { findings } = await checkCase({ manifest_version: 2, background: { service_worker: 'gone.js' } });
    assert.deepEqual(rulesOf(findings), ['R-SW-MISSING', 'R-MV2']);
    assert.deepEqual((await checkCase({ manifest_version: 2, theme: {} })).findings, []);
  });

  it('warns of a future version', async () => {
    const { chromium } = onlyOf((await checkCase({ manifest_version: 4 })).findings);
    assert.ok(chromium?.includes('manifest version is 3, but this is 4.  Certain features'), chromium);
  });
});
