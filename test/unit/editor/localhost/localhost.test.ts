// Covers: src/editor/localhost, src/editor/lists/localhostRow.ts
import assert from 'node:assert/strict';
import { localhostNode } from '../../../../src/editor/lists/localhostRow';
import { localhostAddress, localhostPort } from '../../../../src/editor/localhost/localhostAddress';
import { requestsText } from '../../../../src/editor/localhost/localhostRequests';

describe('an address of this computer', () => {
  it('is a port, or an address by plain HTTP', () => {
    const typed: Record<string, string | undefined> = {
      '8080': 'http://localhost:8080/',
      '8080/login?a=1': 'http://localhost:8080/login?a=1',
      ' localhost:5173 ': 'http://localhost:5173/',
      localhost: 'http://localhost/',
      '127.0.0.1:3000/a': 'http://127.0.0.1:3000/a',
      '[::1]:3000/a': 'http://[::1]:3000/a',
      'http://localhost:1/': 'http://localhost:1/',
      'https://localhost:5173': undefined,
      'localhost.example.com': undefined,
      'http://localhost@example.com/': undefined,
      'example.com:8080': undefined,
      'file:///etc/passwd': undefined,
      '99999': undefined,
      '': undefined,
    };
    for (const [text, address] of Object.entries(typed)) assert.equal(localhostAddress(text)?.href, address, text);
  });

  it('has a port; another address has none', () => {
    assert.equal(localhostPort('http://localhost:8080/a'), 8080);
    assert.equal(localhostPort('http://127.0.0.1/'), 80);
    assert.equal(localhostPort('http://[::1]:5173/'), 5173);
    for (const other of [
      'chrome-extension://abc/8080',
      'https://localhost:8080/',
      'https://example.com/',
      'about:blank',
    ]) {
      assert.equal(localhostPort(other), undefined, other);
    }
  });
});

describe('what a browser has asked of this computer', () => {
  it('is a table, the newest first, with why there was no answer', () => {
    const head = { browser: 'dev', ports: 'localhost:5173', requests: 2, refused: 1, bytes: 2000 };
    const asked = { at: 0, method: 'GET', asker: 'chrome-extension://abc/worker.js', ms: 12.4 };
    const text = requestsText(head, [
      { ...asked, address: 'http://localhost:5173/a.js', outcome: 200, bytes: 2000 },
      { ...asked, address: 'http://localhost:5173/b.js', asker: undefined, outcome: 'foreignPage', bytes: 0 },
    ]);
    const [first = '', counts = '', empty, titles = '', answered = '', refused = ''] = text.split('\n');
    assert.match(first, /dev has asked of localhost:5173/);
    assert.match(counts, /^2 requests, 2\.0 kB, 1 without an answer$/);
    assert.equal(empty, '');
    assert.match(
      answered,
      /200 +12 ms +2\.0 kB +GET +http:\/\/localhost:5173\/a\.js +chrome-extension:\/\/abc\/worker\.js$/,
    );
    assert.match(refused, /refused: another page +12 ms +GET +http:\/\/localhost:5173\/b\.js$/);
    assert.equal(titles.indexOf('Address'), answered.indexOf('http:'));
  });

  it('is counted in its row, which says what is waited for', () => {
    const use = { browser: { id: 'b', devToolsUrl: '' }, ports: [80, 5173], requests: 1, bytes: 512 };
    const calm = localhostNode({ ...use, silent: [] });
    assert.deepEqual([calm.label, calm.description], ['localhost:80, localhost:5173', '1 request · 512 B']);
    const waiting = localhostNode({ ...use, silent: [5173] });
    assert.equal(waiting.description, 'waiting for localhost:5173 · 1 request · 512 B');
    assert.notEqual(waiting.icon, calm.icon);
  });
});
