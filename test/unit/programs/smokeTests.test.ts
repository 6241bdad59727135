import assert from 'node:assert/strict';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import { runSmokeTests } from '../../../src/programs/headless/smokeTests';
import type { BrowserOutcome } from '../../../src/push/pushRun';
import { silentLogger } from '../../../src/service/logger';
import { REPLAYED } from '../../transcripts/replayScenario';

describe('smoke tests', () => {
  it('of an extension beside another copy fail for that alone, and skip what cannot be tested', async () => {
    const connect = (): Promise<never> => Promise.reject(new Error('no service'));
    const window = new HeadlessWindow({ roots: [], isLocal: true, connect, log: silentLogger });
    const others = [{ id: 'b'.repeat(32), name: 'Sample', version: '1.0', path: '/x', enabled: true }];
    const pushed: BrowserOutcome = {
      browser: REPLAYED,
      folder: '/folder',
      outcome: { kind: 'doubled', extensionId: 'a'.repeat(32), name: 'Sample', version: '1.0', others },
      isForAll: false,
      isTooLate: false,
    };
    const run = { folder: '/folder', root: '/folder', browser: REPLAYED, pushed };
    const { results } = await runSmokeTests(window, run, new AbortController().signal);
    await window.dispose();
    assert.deepEqual(
      results.map(({ id, state }) => (state === 'skipped' ? state : `${id} ${state}`)),
      ['loads passed', 'alone failed', ...Array.from({ length: 7 }, () => 'skipped')],
    );
  });
});
