import assert from 'node:assert/strict';
import { OwnBrowsers } from '../../../../src/editor/browsers/ownBrowsers';

describe('the browsers that a workspace has started', () => {
  it('are those of the service that is asked about, whichever is in use', async () => {
    const kept = new Map<string, unknown>();
    const memory = {
      keys: () => [...kept.keys()],
      get: <T>(key: string, none?: T): T | undefined => (kept.get(key) as T | undefined) ?? none,
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    let inUse = 'cloud';
    const own = new OwnBrowsers(memory, () => inUse);
    await own.remember('started', 'b1');
    inUse = 'local';
    assert.equal(own.wasStarted('b1'), false);
    assert.equal(own.wasStarted('b1', 'cloud'), true);
    assert.equal(own.wasStarted('b1', 'other'), false);
  });
});
