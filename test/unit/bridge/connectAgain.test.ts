import assert from 'node:assert/strict';
import { connectAgain } from '../../../src/bridge/connectAgain';
import { TestClock } from '../../support/testClock';

describe('a bridge that has lost its browser', () => {
  it('tries often while the browser may restart, seldom from then on, until it is there', async () => {
    const clock = new TestClock();
    const tried: number[] = [];
    let isThere = false;
    const connect = (): Promise<void> => {
      tried.push(clock.now());
      return isThere ? Promise.resolve() : Promise.reject(new Error('refused'));
    };
    const failures: unknown[] = [];
    const onFailure = (error: unknown): number => failures.push(error);
    const connected = connectAgain(connect, { clock, signal: new AbortController().signal, onFailure });
    await clock.advance(10_000);
    const early = tried.length;
    assert(early > 30, String(early));
    await clock.advance(20_000);
    // One that was due already, then one every five seconds.
    assert.equal(tried.length - early, 1 + 3);
    isThere = true;
    await clock.advance(5000);
    await connected;
    assert.equal(failures.length, tried.length - 1);
    await clock.advance(60_000);
    assert.equal(failures.length, tried.length - 1);
  });

  it('gives up when it is closed', async () => {
    const clock = new TestClock();
    const end = new AbortController();
    const connected = connectAgain(() => assert.fail('it connects'), {
      clock,
      signal: end.signal,
      onFailure: () => assert.fail('it reports'),
    });
    end.abort();
    await connected;
  });
});
