import assert from 'node:assert/strict';
import { remembered, restored, stored } from '../../../../src/editor/targets/remembered';
import { BROWSER } from '../lists/sampleBrowser';

describe('a remembered browser', () => {
  it('is stored under the names that workspaces have, and is the same when it is restored', () => {
    const browser = remembered({ ...BROWSER, name: 'work' });
    const { headless, stealth, timeoutSeconds } = BROWSER;
    const request = { headless, stealth, timeoutSeconds, name: 'work' };
    assert.deepEqual(stored(browser), { sessionId: BROWSER.id, label: 'work', request });
    assert.deepEqual(restored(stored(browser)), browser);
  });
});
