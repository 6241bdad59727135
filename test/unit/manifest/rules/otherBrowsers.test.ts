import assert from 'node:assert/strict';
import { checkCase, onlyOf } from '../checkManifest';

describe('manifest check of what Chromium ignores', () => {
  const files = { 'a.js': '', 'p.html': '' };
  const background = { service_worker: 'a.js' };

  for (const [what, manifest, rule] of [
    ['scripts beside a service worker', { background: { ...background, scripts: ['a.js'] } }, 'R-AVAIL'],
    ['a page beside a service worker', { background: { ...background, page: 'p.html' } }, 'R-AVAIL'],
    ['a page action beside an action', { action: {}, page_action: {} }, 'R-AVAIL'],
    ['a sidebar', { sidebar_action: { default_panel: 'p.html' } }, 'R-UNKNOWN'],
    ['a permission', { permissions: ['menus'] }, 'R-PERM-UNKNOWN'],
    ['an optional permission', { optional_permissions: ['tabHide'] }, 'R-PERM-UNKNOWN'],
    ['blocking requests', { permissions: ['webRequest', 'webRequestBlocking'] }, 'R-PERM-AVAIL'],
  ] as const)
    it(`does not ask to remove ${what} that Firefox has`, async () => {
      const finding = onlyOf((await checkCase(manifest, files)).findings);
      assert.deepEqual([finding.rule, finding.severity, finding.fix?.isGuess], [rule, 'warning', true]);
      assert.match(finding.message, /Firefox has it\. Keep it if/);
    });

  it('names the permission of Firefox in version 2, too', async () => {
    const { findings } = await checkCase({ manifest_version: 2, permissions: ['menus'] });
    assert.match(findings[0]?.message ?? '', /unknown permission "menus"\. Firefox has it/);
  });

  it('asks to replace scripts without a service worker, and to correct unknown names', async () => {
    const messageOf = async (manifest: object) => onlyOf((await checkCase(manifest, files)).findings).message;
    assert.match(await messageOf({ background: { scripts: ['a.js'] } }), /Replace it by its successor/);
    assert.match(await messageOf({ permissions: ['nope nope'] }), /Remove it, or correct its name/);
  });
});
