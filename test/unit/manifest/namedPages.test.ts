import assert from 'node:assert/strict';
import { pagesOf } from '../../../src/manifest/namedPages';

describe('the pages of an extension', () => {
  it('are those that the manifest names', () => {
    const manifest = {
      action: { default_popup: 'popup.html' },
      options_ui: { page: 'options.html' },
      side_panel: { default_path: 'panel.html' },
      chrome_url_overrides: { newtab: 'tab.html' },
    };
    assert.deepEqual(pagesOf(manifest), [
      { key: 'action.default_popup', path: 'popup.html' },
      { key: 'options_ui.page', path: 'options.html' },
      { key: 'side_panel.default_path', path: 'panel.html' },
      { key: 'chrome_url_overrides.newtab', path: 'tab.html' },
    ]);
    for (const other of [undefined, null, 5, [], { action: 'popup.html' }, { action: { default_popup: 1 } }]) {
      assert.deepEqual(pagesOf(other), []);
    }
  });
});
