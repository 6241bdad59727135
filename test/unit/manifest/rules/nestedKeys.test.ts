import assert from 'node:assert/strict';
import { checkCase, onlyOf } from '../checkManifest';

describe('manifest check of nested keys', () => {
  const files = { 'p.html': '', 'a.js': '' };

  it('names the key that was probably meant', async () => {
    const { findings } = await checkCase({ action: { default_popop: 'p.html' } }, files);
    const { rule, severity, message, chromium, fix } = onlyOf(findings);
    assert.deepEqual([rule, severity, chromium], ['R-UNKNOWN-NESTED', 'warning', undefined]);
    assert.match(message, /"default_popop" in "action".*Did you mean "default_popup"\?/);
    assert.equal(fix?.edits[0]?.newText, '"default_popup"');
  });

  it('looks into lists and into commands', async () => {
    const scripts = [{ matches: ['<all_urls>'], js: ['a.js'], runat: 'document_start' }];
    assert.match(
      onlyOf((await checkCase({ content_scripts: scripts }, files)).findings).message,
      /content_scripts\[0\]/,
    );
    const commands = { go: { description: 'Go', sugested_key: 'Ctrl+Shift+Y' } };
    assert.match(onlyOf((await checkCase({ commands }, files)).findings).message, /Did you mean "suggested_key"/);
  });

  it('accepts what Chromium or another browser knows, and remarks', async () => {
    const manifest = {
      action: { default_popup: 'p.html', default_area: 'navbar', browser_style: false, theme_icons: [], _comment: 'x' },
      background: { service_worker: 'a.js', type: 'module', preferred_environment: ['service_worker'] },
      content_security_policy: { extension_pages: "script-src 'self'", sandbox: 'sandbox allow-scripts' },
      options_ui: { page: 'p.html', open_in_tab: true, browser_style: true },
      commands: { go: { description: 'Go', global: true, suggested_key: { default: 'Ctrl+Shift+1' } } },
      content_scripts: [{ matches: ['<all_urls>'], js: ['a.js'], css_origin: 'user', world: 'MAIN' }],
      side_panel: { default_path: 'p.html' },
    };
    assert.deepEqual((await checkCase(manifest, files)).findings, []);
  });
});
