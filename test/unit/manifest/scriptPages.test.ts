import assert from 'node:assert/strict';
import { contentScriptPages, loadedScriptPages } from '../../../src/manifest/scriptPages';

describe('the pages that are debugged beside those of the extension', () => {
  const cases: [manifest: unknown, url: string, isDebugged: boolean][] = [
    [{ content_scripts: [{ matches: ['https://*.example.com/docs/*'] }] }, 'https://www.example.com/other', true],
    [{ content_scripts: [{ matches: ['https://*.example.com/*'] }] }, 'http://www.example.com/', false],
    [{ content_scripts: [{ matches: ['https://example.com/*'] }] }, 'https://example.org/', false],
    [{ content_scripts: [{ matches: ['http://127.0.0.1/*'] }] }, 'http://127.0.0.1:8080/', true],
    [{ content_scripts: [{ matches: ['http://127.0.0.1:80/*'] }] }, 'http://127.0.0.1:8080/', false],
    [{ content_scripts: [{ matches: ['http://localhost:80/*'] }] }, 'http://localhost/', true],
    [{ content_scripts: [{ matches: ['https://müller.example/*'] }] }, 'https://müller.example/', true],
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

describe('the pages in which content scripts run when they are loaded', () => {
  const docs = { matches: ['https://*.example.com/docs/*'] };
  const cases: [entries: unknown, url: string, isMatched: boolean][] = [
    [[docs], 'https://www.example.com/docs/a?b=c#d', true],
    [[docs], 'https://www.example.com/other', false],
    [[{ matches: ['https://example.com/?page=*'] }], 'https://example.com/?page=2', true],
    [[{ ...docs, exclude_matches: ['*://*/*/a'] }], 'https://example.com/docs/a', false],
    [[{ ...docs, exclude_matches: ['*://*/*/a'] }], 'https://example.com/docs/b', true],
    [[{ ...docs, exclude_matches: ['*://*/*/a'] }, docs], 'https://example.com/docs/a', true],
    [[{ ...docs, include_globs: ['*a*'] }], 'https://example.com/docs/a', false],
    [[{ ...docs, exclude_globs: ['*b*'] }], 'https://example.com/docs/a', false],
    [[{ matches: ['<all_urls>'] }], 'file:///tmp/a.html', true],
    [[{ matches: ['<all_urls>'] }], 'chrome://version', false],
    [[{ matches: ['<all_urls>'] }], 'about:blank', false],
    [[{ matches: 'https://example.com/*' }], 'https://example.com/', false],
    ['none', 'https://example.com/', false],
  ];
  for (const [entries, url, isMatched] of cases) {
    it(`${isMatched ? 'include' : 'leave out'} ${url} with ${JSON.stringify(entries)}`, () => {
      assert.equal(loadedScriptPages({ content_scripts: entries })(url), isMatched);
    });
  }

  it('are none by permissions alone', () => {
    assert.equal(loadedScriptPages({ host_permissions: ['<all_urls>'] })('https://example.com/'), false);
  });
});
