import assert from 'node:assert/strict';
import { pageAddress, webAddress } from '../../../src/manifest/typedAddress';

const ID = 'a'.repeat(32);

describe('addresses that are typed', () => {
  it('get the scheme that is meant', () => {
    const cases = {
      'example.com': 'https://example.com',
      ' example.com/a?b ': 'https://example.com/a?b',
      'localhost:8080/x': 'http://localhost:8080/x',
      '127.0.0.1': 'http://127.0.0.1',
      '[::1]:3000': 'http://[::1]:3000',
      'localhost.example.com': 'https://localhost.example.com',
      'http://example.com': 'http://example.com',
      'chrome-extension://abc/popup.html': 'chrome-extension://abc/popup.html',
      'about:blank': 'about:blank',
      'data:text/html,<b>two words</b>': 'data:text/html,<b>two words</b>',
    };
    for (const [typed, address] of Object.entries(cases)) assert.equal(webAddress(typed), address, typed);
  });

  it('are none for scripts and for words', () => {
    for (const typed of ['', '  ', 'two words', 'javascript:alert(1)', ' JavaScript:alert(1)', 'http://']) {
      assert.equal(webAddress(typed), undefined, typed);
    }
  });
});

describe('pages that are named beside an extension', () => {
  const inside = (path: string): string => `chrome-extension://${ID}/${path}`;

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

  it('are addresses where they begin with a host, as people type them', () => {
    const cases = {
      'localhost:8080': 'http://localhost:8080/',
      'localhost:8099/long': 'http://localhost:8099/long',
      '127.0.0.1:8099/': 'http://127.0.0.1:8099/',
      'example.com': 'https://example.com/',
      'example.com/popup.html': 'https://example.com/popup.html',
      'dev.box:3000/a?b': 'https://dev.box:3000/a?b',
      ' news.example.com ': 'https://news.example.com/',
    };
    for (const [typed, address] of Object.entries(cases)) assert.equal(pageAddress(ID, typed), address, typed);
  });

  it('are files of the extension where they look like one, or are known to be one', () => {
    for (const path of ['popup.html', 'pages/x.html', 'index', 'readme.txt?a', 'ui/v1.2/index.html']) {
      assert.equal(pageAddress(ID, path), inside(path), path);
    }
    assert.equal(pageAddress(ID, 'example.com'), 'https://example.com/');
    assert.equal(
      pageAddress(ID, 'example.com#a', (path) => path === 'example.com'),
      inside('example.com#a'),
    );
    assert.equal(
      pageAddress(ID, 'localhost', (path) => path === 'localhost'),
      inside('localhost'),
    );
  });
});
