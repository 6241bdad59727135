import assert from 'node:assert/strict';
import { DigestPages } from '../../../src/bridge/digestPages';
import type { Answer } from '../../../src/bridge/forward';
import { changedAnswer } from '../../../src/bridge/fulfilment';
import { InlineMaps } from '../../../src/bridge/inlineMaps';
import { ModuleHints } from '../../../src/bridge/moduleHints';
import type { PausedRequest } from '../../../src/bridge/pausedRequest';

const REQUEST: PausedRequest = {
  requestId: '1',
  method: 'GET',
  url: new URL('http://localhost:5173/'),
  headers: new Map(),
  frameId: 'page',
  resourceType: 'Document',
  body: undefined,
  hasFile: false,
};

const CHANGES = {
  shim: { hosts: ['localhost:5173'], folder: '/.sideload/secret' },
  maps: new InlineMaps('/.sideload/secret/maps'),
  hints: new ModuleHints(),
  digests: new DigestPages(),
};

describe('an answer in which sockets are carried', () => {
  const changed = (type: string, body: Buffer, resourceType = 'Document'): Buffer => {
    const answer: Answer = { status: 200, statusText: '', headers: [{ name: 'content-type', value: type }], body };
    return changedAnswer({ ...REQUEST, resourceType }, answer, CHANGES).body;
  };

  it('has its length, where the server names one', () => {
    const script = Buffer.from('new WebSocket("/");');
    const headers = [
      { name: 'content-type', value: 'text/javascript' },
      { name: 'Content-Length', value: String(script.length) },
    ];
    const answer: Answer = { status: 200, statusText: '', headers, body: script };
    const answered = changedAnswer({ ...REQUEST, resourceType: 'Script' }, answer, CHANGES);
    assert.ok(answered.body.length > script.length);
    assert.deepEqual(answered.headers, [headers[0], { ...headers[1], value: String(answered.body.length) }]);
  });

  it('stays as it is where it is a part of one', () => {
    const headers = [
      { name: 'content-type', value: 'text/javascript' },
      { name: 'content-range', value: 'bytes 10-28/100' },
    ];
    const answer: Answer = { status: 206, statusText: '', headers, body: Buffer.from('new WebSocket("/");') };
    assert.deepEqual(changedAnswer({ ...REQUEST, resourceType: 'Script' }, answer, CHANGES), answer);
  });

  it('keeps all its bytes, also those of an encoding that only the page names', () => {
    const texts = ['<meta charset="iso-8859-1"><p>Zoë</p>', '\ufeff<!doctype html><meta charset="utf-8"><p>Zoë €</p>'];
    for (const [at, encoding] of (['latin1', 'utf8'] as const).entries()) {
      const page = Buffer.from(texts[at] ?? '', encoding);
      const answered = changed('text/html', page);
      const beginning = answered.indexOf('<script>');
      const end = answered.indexOf('</script>') + '</script>'.length;
      assert.ok(beginning >= 0 && end > beginning);
      assert.deepEqual(Buffer.concat([answered.subarray(0, beginning), answered.subarray(end)]), page);
    }
    const script = Buffer.from('new WebSocket("/"); "Zoë";', 'latin1');
    const answered = changed('text/javascript', script, 'Script');
    assert.ok(answered.length > script.length);
    assert.deepEqual(answered.subarray(-script.length), script);
  });

  it('stays as it is where the browser may compare it with a digest that its page names', () => {
    const digests = new DigestPages();
    const answerTo = (path: string, type: string, body: string, asked: Partial<PausedRequest>): boolean => {
      const request = { ...REQUEST, url: new URL(path, REQUEST.url), ...asked };
      const headers = [{ name: 'content-type', value: type }];
      const answer: Answer = { status: 200, statusText: '', headers, body: Buffer.from(body) };
      return changedAnswer(request, answer, { ...CHANGES, digests }) !== answer;
    };
    const page = (path: string, body: string): boolean => answerTo(path, 'text/html', body, {});
    const script = (by: string, resourceType = 'Script'): boolean => {
      const headers = new Map([['referer', `http://localhost:5173${by}`]]);
      return answerTo('/app.js', 'text/javascript', 'new WebSocket("/");', { resourceType, headers });
    };
    assert.equal(page('/plain?integrity=1', '<p>Of integrity</p><script src="app.js"></script>'), true);
    assert.equal(script('/plain?integrity=1'), true);
    for (const text of [
      '<script src="app.js" integrity="sha256-x"></script>',
      '<link rel="stylesheet" INTEGRITY = sha256-x href="app.css">',
      '<script type="importmap">{ "integrity": { "/app.js": "sha256-x" } }</script>',
      '<script>element.integrity = "sha256-x"</script>',
    ]) {
      assert.equal(page('/app?a=b#c', text), true, 'The page itself is changed.');
      assert.deepEqual([script('/app?a=b'), script('/app?a=b', 'Other'), script('/app')], [false, true, true], text);
      page('/app?a=b', '<script src="app.js"></script>');
      assert.equal(script('/app?a=b'), true, 'It no longer names one.');
    }
  });
});
