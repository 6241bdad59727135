import assert from 'node:assert/strict';
import { pageAddress, pagesOf } from '../../../src/manifest/namedPages';

const ID = 'a'.repeat(32);

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

  it('have an address in the extension; addresses of the web stay', () => {
    assert.equal(pageAddress(ID, 'popup.html?a#b'), `chrome-extension://${ID}/popup.html?a#b`);
    assert.equal(pageAddress(ID, '/pages/x.html'), `chrome-extension://${ID}/pages/x.html`);
    assert.equal(pageAddress(ID, 'https://example.com/x'), 'https://example.com/x');
  });

  it('are never scripts or local files', () => {
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'http://']) {
      assert.equal(pageAddress(ID, address), undefined, address);
    }
  });
});
