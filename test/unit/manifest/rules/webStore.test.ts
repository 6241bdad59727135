import assert from 'node:assert/strict';
import { checkManifest } from '../checkManifest';

describe('manifest check for the Chrome Web Store', () => {
  it('reports what the store refuses only on request', async () => {
    const long = { name: 'x'.repeat(76), version: '70000' };
    assert.deepEqual(await checkManifest(long), []);
    const hints = await checkManifest(long, {}, { storeHints: true });
    assert.ok(hints.length >= 4 && hints.every(({ severity, rule }) => severity === 'hint' && rule === 'R-STORE'));
  });
});
