import assert from 'node:assert/strict';
import { lackedBy } from '../../../src/manifest/aspects';

describe('what a manifest does not have', () => {
  it('is everything, of a manifest with nothing, or of what is none', () => {
    const all = [
      'Popup',
      'Action',
      'Options',
      'SidePanel',
      'Worker',
      'Storage',
      'Alarms',
      'OptionalPermissions',
      'Hosts',
    ];
    for (const manifest of [{}, null, 'text', { permissions: 'storage', content_scripts: [null] }]) {
      assert.deepEqual(lackedBy(manifest), all);
    }
  });

  it('is nothing, of one that has all', () => {
    const manifest = {
      action: { default_popup: 'popup.html' },
      options_ui: { page: 'options.html' },
      background: { service_worker: 'worker.js' },
      permissions: ['sidePanel', 'storage'],
      optional_permissions: ['alarms'],
      host_permissions: ['https://example.com/*'],
    };
    assert.deepEqual(lackedBy(manifest), []);
  });

  it('depends on either of the keys that name the same', () => {
    assert.ok(!lackedBy({ options_page: 'options.html' }).includes('Options'));
    assert.ok(!lackedBy({ browser_action: { default_popup: 'popup.html' } }).includes('Popup'));
    assert.ok(!lackedBy({ content_scripts: [{ matches: ['<all_urls>'] }] }).includes('Hosts'));
    assert.ok(!lackedBy({ permissions: ['https://*/*'] }).includes('Hosts'));
    const action = lackedBy({ action: {} });
    assert.deepEqual([action.includes('Action'), action.includes('Popup')], [false, true]);
  });
});
