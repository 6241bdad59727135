import assert from 'node:assert/strict';
import { redact } from '../../../src/service/redact';

describe('redact', () => {
  it('hides bearer tokens, websocket addresses and tokens in queries', () => {
    const text = redact(
      'Authorization: Bearer abc.def-1 to wss://proxy.example:8443/browser/cdp?jwt=s3cret and https://live.example/x?jwt=s3cret&readOnly=true',
    );
    assert.doesNotMatch(text, /abc\.def-1|proxy\.example|s3cret/);
    assert.match(text, /readOnly=true/);
  });

  it('hides secret fields in JSON', () => {
    const record = { cdp_ws_url: 'x1', browser_live_view_url: 'x2', webdriver_ws_url: 'x3', token: 'x4', name: 'kept' };
    const text = redact(JSON.stringify(record));
    assert.doesNotMatch(text, /x[1-4]/);
    assert.match(text, /kept/);
  });

  it('hides a bare JSON Web Token and every given secret anywhere in a text', () => {
    const text = redact('a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln b sk_live_77 c', ['sk_live_77', '']);
    assert.equal(text, 'a [hidden] b [hidden] c');
  });

  it('does not change ordinary text', () => {
    const text = 'Push sample to b1: packed 9 files, 4.2 kB in 0.02 s (http://127.0.0.1:4444/browsers?limit=100)';
    assert.equal(redact(text), text);
  });
});
