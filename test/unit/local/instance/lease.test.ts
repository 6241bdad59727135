import assert from 'node:assert/strict';
import { Leases } from '../../../../src/local/instance/lease';
import { TestClock } from '../../../support/testClock';

const TIMES = { firstMs: 60, graceMs: 20, returnMs: 60 };

describe('leases of a shared service', () => {
  let clock: TestClock;
  let leases: Leases;
  /** When the service was found unused. */
  let unused: number[];

  beforeEach(() => {
    clock = new TestClock();
    unused = [];
    leases = new Leases(
      () => unused.push(clock.now()),
      TIMES,
      (ms, act) => clock.after(ms, act),
    );
  });
  afterEach(() => {
    leases.dispose();
    assert.equal(clock.pending, 0);
  });

  it('end it after the first time without any lease', async () => {
    await clock.advance(1000);
    assert.deepEqual(unused, [60]);
  });

  it('keep it running while one is held, and for a grace period', async () => {
    const [first, second] = [leases.take(), leases.take()];
    first();
    first();
    await clock.advance(1000);
    assert.deepEqual(unused, []);
    second();
    await clock.advance(1000);
    assert.deepEqual(unused, [1020]);
  });

  it('wait longer for a window that reloads: until it is back, or its time is over', async () => {
    leases.take(() => true)();
    await clock.advance(59);
    assert.deepEqual(unused, []);
    const again = leases.take(() => true);
    await clock.advance(1000);
    assert.deepEqual(unused, []);
    again();
    await clock.advance(1000);
    assert.deepEqual(unused, [1119]);
  });

  it('wait no longer once the editor of the window has ended, or no browser is left', async () => {
    let isThere = true;
    leases.take(() => isThere)();
    await clock.advance(25);
    isThere = false;
    await clock.advance(1000);
    assert.deepEqual(unused, [40]);
  });

  it('wait for a window that reloads also when its programs end after it', async () => {
    const program = leases.take();
    leases.take(() => true)();
    await clock.advance(5);
    program();
    await clock.advance(50);
    assert.deepEqual(unused, []);
    const again = leases.take(() => true);
    await clock.advance(1000);
    assert.deepEqual(unused, []);
    again();
  });

  it('do not wait for a window that was closed long before the last lease ends', async () => {
    const program = leases.take();
    leases.take(() => true)();
    for (let second = 0; second < 100; second++) {
      await clock.advance(10);
      leases.touch();
    }
    program();
    await clock.advance(1000);
    assert.deepEqual(unused, [1020]);
  });

  it('wait after a request for as long as after a lease', async () => {
    leases.take(() => true)();
    await clock.advance(50);
    leases.touch();
    await clock.advance(1000);
    assert.deepEqual(unused, [110]);
  });

  it('restart the time after a request', async () => {
    leases.take()();
    await clock.advance(10);
    leases.touch();
    await clock.advance(1000);
    assert.deepEqual(unused, [30]);
  });

  it('are no longer counted after the end of the service', async () => {
    const lease = leases.take();
    leases.dispose();
    lease();
    await clock.advance(1000);
    assert.deepEqual(unused, []);
  });
});
