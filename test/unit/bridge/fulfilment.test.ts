import assert from 'node:assert/strict';
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
});
