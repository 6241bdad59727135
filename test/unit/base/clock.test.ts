import assert from 'node:assert/strict';
import { inTime, realClock } from '../../../src/base/clock';
import { TestClock } from '../../support/testClock';

describe('the real clock', () => {
  it('ends a delay with the reason of its signal, at once when that has aborted before', async () => {
    const abort = new AbortController();
    const waiting = realClock.delay(60_000, { signal: abort.signal });
    abort.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await assert.rejects(realClock.delay(60_000, { signal: abort.signal }), /enough/);
  });

  it('makes no call that was taken back', async () => {
    const calls: string[] = [];
    realClock.after(0, () => calls.push('taken back')).clear();
    realClock.after(0, () => calls.push('kept'));
    await realClock.delay(1);
    assert.deepEqual(calls, ['kept']);
  });
});

describe('work with a time limit', () => {
  it('gives what it gives in time, also a rejection, and leaves no timer', async () => {
    const clock = new TestClock();
    assert.equal(await inTime(Promise.resolve('in time'), 10, clock), 'in time');
    await assert.rejects(inTime(Promise.reject(new Error('gone')), 10, clock), /gone/);
    assert.equal(clock.pending, 0);
  });

  it('gives nothing when it takes longer, and what becomes of it is ignored', async () => {
    const clock = new TestClock();
    let fail = (_error: Error): void => undefined;
    const work = new Promise<string>((_resolve, reject) => (fail = reject));
    const given = inTime(work, 10, clock);
    await clock.advance(10);
    assert.equal(await given, undefined);
    fail(new Error('too late'));
    await clock.idle();
    assert.equal(clock.pending, 0);
  });
});

describe('the clock that a test moves', () => {
  it('calls in the order in which calls are due, and those that follow from them', async () => {
    const clock = new TestClock();
    const calls: string[] = [];
    clock.after(20, () => calls.push(`second at ${clock.now()}`));
    clock.after(10, () => {
      calls.push(`first at ${clock.now()}`);
      void clock.delay(5).then(() => calls.push(`between at ${clock.now()}`));
    });
    await clock.advance(9);
    assert.deepEqual(calls, []);
    await clock.advance(11);
    assert.deepEqual(calls, ['first at 10', 'between at 15', 'second at 20']);
    assert.equal(clock.pending, 0);
  });

  it('moves to the next call by itself for work that waits for time, and fails for work that waits in vain', async () => {
    const clock = new TestClock();
    assert.equal(await clock.run(clock.delay(30_000).then(() => clock.now())), 30_000);
    await assert.rejects(clock.run(new Promise(() => undefined)), /never comes/);
  });
});
