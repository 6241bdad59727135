import assert from 'node:assert/strict';
import fc from 'fast-check';
import { target } from '../../fuzz/target';
import { threadCpuMs } from '../../security/threadClock';

const texts = fc.string({ minLength: 0, maxLength: 20 });

describe('a target of random inputs', () => {
  it('finds the smallest input that breaks a promise, again by its seed', async () => {
    const run = (text: string): void => assert(text.length < 5);
    const one = target('texts', { inputs: texts, run });
    const { found } = await one.fuzz({ seed: 1, inputs: 500 });
    assert.equal(found?.input.length, '"12345"'.length);
    assert.deepEqual((await one.fuzz({ seed: 1, inputs: 500 })).found?.input, found?.input);
  });

  it('takes no error that callers handle for a fault', async () => {
    const run = (): never => assert.fail('no text');
    const one = target('texts', { inputs: texts, run, mayThrow: (error) => error instanceof assert.AssertionError });
    assert.deepEqual(await one.fuzz({ seed: 1, inputs: 50 }), { tried: 50 });
  });

  it('finds a rejection that nobody handles', async () => {
    const run = (): void => void Promise.reject(new Error('left alone'));
    const { found } = await target('texts', { inputs: texts, run }).fuzz({ seed: 1, inputs: 5 });
    assert.match(found?.error ?? '', /left alone/);
  });

  it('finds what holds the thread', async () => {
    const run = (): void => {
      for (const end = threadCpuMs() + 60; threadCpuMs() < end;);
    };
    const { found } = await target('texts', { inputs: fc.constant(''), run, holdMs: 50 }).fuzz({ seed: 1, inputs: 1 });
    assert.match(found?.error ?? '', /it took \d+ ms/);
  });

  it('runs what was found before', async () => {
    const run = (text: string): void => assert.notEqual(text, 'bad');
    await target('texts', { inputs: texts, run, found: ['good'] }).replay();
    await assert.rejects(target('texts', { inputs: texts, run, found: ['good', 'bad'] }).replay());
  });

  it('ends with its time', async () => {
    const begun = performance.now();
    const { tried, found } = await target('texts', { inputs: texts, run: () => undefined }).fuzz({
      seed: 1,
      inputs: 1e9,
      limitMs: 100,
    });
    assert(!found && tried > 0 && performance.now() - begun < 5000);
  });

  it('finds nothing without time for an input', async () => {
    const one = target('texts', { inputs: texts, run: () => assert.fail('it was tried') });
    assert.deepEqual(await one.fuzz({ seed: 1, inputs: 1, limitMs: 0 }), { tried: 0 });
  });
});
