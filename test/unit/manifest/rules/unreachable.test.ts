import assert from 'node:assert/strict';
import { checkManifest, rulesOf } from '../checkManifest';

describe('manifest check of unreachable content scripts', () => {
  it('warns of content scripts that match no page', async () => {
    const scripts = (entry: object) => checkManifest({ content_scripts: [{ js: ['a.js'], ...entry }] }, { 'a.js': '' });
    for (const pattern of ['https://a.com/#x*', 'ftp://a.com/*']) {
      assert.deepEqual(rulesOf(await scripts({ matches: [pattern] })), ['R-MATCHES-NOTHING'], pattern);
    }
    const shut = { matches: ['https://a.com/x*'], exclude_matches: ['*://*.a.com/*'] };
    assert.deepEqual(rulesOf(await scripts(shut)), ['R-MATCHES-NOTHING']);
    assert.deepEqual(rulesOf(await scripts({ ...shut, exclude_matches: ['https://a.com/xy'] })), []);
  });
});
