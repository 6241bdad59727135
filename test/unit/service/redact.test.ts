import assert from 'node:assert/strict';
import { CREDENTIALS, redact } from '../../../src/service/redact';
import { isQuick, LONG, repeated } from '../../support/longTexts';

describe('redact', () => {
  it('hides bearer tokens, websocket addresses and tokens in queries', () => {
    const text = redact(
      'Authorization: Bearer abc.def-1 to wss://proxy.example:8443/browser/cdp?jwt=s3cret and https://live.example/x?jwt=s3cret&readOnly=true',
    );
    assert.doesNotMatch(text, /abc\.def-1|proxy\.example|s3cret/);
    assert.match(text, /readOnly=true/);
  });

  it('hides tokens in queries whose ampersands are escaped', () => {
    for (const and of ['&amp;', String.raw`\u0026`]) {
      const text = redact(`<a href="https://live.example/x?readOnly=true${and}jwt=s3cret${and}a=1">`);
      assert.doesNotMatch(text, /s3cret/);
      assert.match(text, /readOnly=true.*">$/);
    }
  });

  it('hides secret fields in JSON', () => {
    const sent = { cdp_ws_url: 'x1', browser_live_view_url: 'x2', webdriver_ws_url: 'x3', token: 'x4' };
    const record = { ...sent, devToolsUrl: 'x5', liveViewUrl: 'x6', webDriverUrl: 'x7', name: 'kept' };
    const text = redact(JSON.stringify(record));
    assert.doesNotMatch(text, /x[1-4]/);
    assert.match(text, /kept/);
  });

  it('hides secret fields in JSON within JSON, to the end of each value', () => {
    const record = { token: 's3cret "s3cret" \\ s3cret', cdp_ws_url: 's3cret', name: 'kept', liveViewUrl: 's3cret' };
    let text = JSON.stringify(record);
    for (let depth = 0; depth < 4; depth++) {
      const shown = redact(text);
      assert.doesNotMatch(shown, /s3cret/);
      assert.match(shown, /^["\\]*\{(\\*)"token\1":\1"\[hidden\]\1",.*\1"name\1":\1"kept\1",/);
      text = JSON.stringify(text);
    }
  });

  it('hides a bare JSON Web Token and every given secret anywhere in a text', () => {
    const text = redact('a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln b sk_live_77 c', ['sk_live_77', '']);
    assert.equal(text, 'a [hidden] b [hidden] c');
  });

  it('does not change ordinary text', () => {
    const text = 'Push sample to b1: packed 9 files, 4.2 kB in 0.02 s (http://127.0.0.1:4444/browsers?limit=100)';
    assert.equal(redact(text), text);
  });

  it('cuts a text that is too long to be read, and leaves no half of a secret at its end', () => {
    const long = redact(`${'word '.repeat(20_000)}sk_live_77`, ['sk_live_77']);
    assert.ok(long.length <= 20_001, String(long.length));
    assert.match(long, /^word word .* w?o?r?d?…$/);
    for (let before = 19_980; before <= 20_000; before++) {
      assert.doesNotMatch(redact(`${'x'.repeat(before)} sk_live_77`, ['sk_live_77']), /sk_/);
    }
  });

  // The text of an endless error message, at the length at which a quadratic expression takes minutes.
  const worst = [
    'eyJaaaaaaaa-',
    '-eyJaaaaaaaa',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.aaaa.',
    'bearer ',
    'bearer  "',
    'ws://',
    'wss://"',
    '?token=',
    '&amp;',
    String.raw`\u0026`,
    '&key=&',
    '"token" ',
    '"token" : ',
    '"token":"',
    '"token":"\\',
    '"token":"\\"',
    '"token\\',
    String.raw`\"token\":\"`,
    '\\',
    '\\"',
  ];
  const endings = [...worst.map((part) => repeated(part)), ...['bearer', '"token"', '"token":'].map(blanksAfter)];

  it('takes linear time: each expression reads its worst 1 MB within 50 ms', () => {
    for (const { pattern } of CREDENTIALS) {
      for (const text of endings) {
        const quick = isQuick(() => text.replace(pattern, ''));
        assert.ok(quick, `${pattern.source} for ${text.slice(0, 20)}`);
      }
    }
    for (const text of endings)
      assert.ok(
        isQuick(() => redact(text, ['aaaa'])),
        text.slice(0, 20),
      );
  });
});

function blanksAfter(beginning: string): string {
  return beginning + ' '.repeat(LONG);
}
