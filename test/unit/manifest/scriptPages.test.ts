import assert from 'node:assert/strict';
import { contentScriptPages } from '../../../src/manifest/scriptPages';

describe('the pages that are debugged beside those of the extension', () => {
  const cases: [manifest: unknown, url: string, isDebugged: boolean][] = [
    [{ content_scripts: [{ matches: ['https://*.example.com/docs/*'] }] }, 'https://www.example.com/other', true],
    [{ content_scripts: [{ matches: ['https://*.example.com/*'] }] }, 'http://www.example.com/', false],
    [{ content_scripts: [{ matches: ['https://example.com/*'] }] }, 'https://example.org/', false],
    [{ content_scripts: [{ matches: ['http://127.0.0.1/*'] }] }, 'http://127.0.0.1:8080/', true],
    [{ content_scripts: [{ matches: ['http://127.0.0.1:80/*'] }] }, 'http://127.0.0.1:8080/', false],
    [{ content_scripts: [{ matches: ['<all_urls>'] }] }, 'file:///tmp/a.html', true],
    [{ content_scripts: [{ matches: ['<all_urls>'] }] }, 'chrome://version', false],
    [{ host_permissions: ['*://example.com/*'] }, 'https://example.com/', true],
    [{ optional_host_permissions: ['*://*/*'] }, 'http://example.com/', true],
    [{ permissions: ['tabs', 'storage'] }, 'http://example.com/', false],
    [{ content_scripts: 'none' }, 'http://example.com/', false],
    [undefined, 'http://example.com/', false],
    [{ content_scripts: [{ matches: ['<all_urls>'] }] }, 'no address', false],
  ];
  for (const [manifest, url, isDebugged] of cases) {
    it(`${isDebugged ? 'include' : 'leave out'} ${url} with ${JSON.stringify(manifest) ?? 'no manifest'}`, () => {
      assert.equal(contentScriptPages(manifest)?.(url) ?? false, isDebugged);
    });
  }
});
