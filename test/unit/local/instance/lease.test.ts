import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Leases } from '../../../../src/local/instance/lease';

const TIMES = { firstMs: 60, graceMs: 20 };
/** Much longer than both times. */
const LONG_MS = 200;

describe('leases of a shared service', () => {
  let unused: Promise<number>;
  let leases: Leases;
  let started: number;

  beforeEach(() => {
    started = performance.now();
    unused = new Promise((resolve) => {
      leases = new Leases(() => resolve(performance.now() - started), TIMES);
    });
  });
  afterEach(() => leases.dispose());

  it('end it after the first time without any lease', async () => {
    assert((await unused) >= TIMES.firstMs - 1);
  });

  it('keep it running while one is held, and for a grace period', async () => {
    const [first, second] = [leases.take(), leases.take()];
    first();
    first();
    assert.equal(await Promise.race([unused, delay(LONG_MS, 'held')]), 'held');
    started = performance.now();
    second();
    assert((await unused) >= TIMES.graceMs - 1);
  });

  it('restart the time after a request', async () => {
    const lease = leases.take();
    lease();
    await delay(TIMES.graceMs / 2);
    started = performance.now();
    leases.touch();
    assert((await unused) >= TIMES.graceMs - 1);
  });
});
