import assert from 'node:assert/strict';
import { patiently } from '../../../../src/push/turns/sharedFolder';
import { TestClock } from '../../../support/testClock';

describe('a file that programs share', () => {
  /** Acts where an open file refuses the first attempts; resolves to how many there were, and how long it took. */
  async function attempts(platform: NodeJS.Platform, refusals: number): Promise<string> {
    const clock = new TestClock();
    let count = 0;
    const act = (): Promise<string> =>
      count++ < refusals
        ? Promise.reject(Object.assign(new Error('open'), { code: 'EPERM' }))
        : Promise.resolve('done');
    const acting = patiently(act, clock, platform).catch((error: unknown) => String(error));
    const begin = clock.now();
    let end = begin;
    const ended = acting.finally(() => (end = clock.now()));
    await clock.advance(10_000);
    return `${await ended} after ${count} attempts and ${end - begin} ms`;
  }

  it('is tried again on Windows while another program has it open', async () => {
    assert.equal(await attempts('win32', 3), 'done after 4 attempts and 60 ms');
    assert.equal(await attempts('win32', 100), 'Error: open after 10 attempts and 180 ms');
  });

  it('is not waited for on systems where an open file can be renamed and removed', async () => {
    for (const platform of ['linux', 'darwin'] as const)
      assert.equal(await attempts(platform, 1), 'Error: open after 1 attempts and 0 ms');
  });
});
