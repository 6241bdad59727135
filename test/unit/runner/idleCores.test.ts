import assert from 'node:assert/strict';
import { IdleCores, type CoreTimes } from '../../runner/idleCores';

describe('IdleCores', () => {
  it('says which share of the last seconds the cores were idle, not of all the time', () => {
    let now = 0;
    let times: CoreTimes = { idle: 0, all: 0 };
    const pass = (seconds: number, idleShare: number): void => {
      now += seconds * 1000;
      const all = seconds * 2000;
      times = { idle: times.idle + all * idleShare, all: times.all + all };
    };
    const cores = new IdleCores(
      () => times,
      () => now,
    );
    assert.equal(cores.share(), 1, 'nothing was measured yet');
    pass(20, 0.5);
    assert.equal(cores.share(), 0.5);
    pass(20, 0.1);
    assert.equal(cores.share(), 0.1, 'the first half is too long ago');
    pass(10, 0.4);
    assert.equal(cores.share(), 0.2);
    pass(300, 0);
    assert.equal(cores.share(), 0, 'since the last reading');
  });

  it('reads the cores of this machine', () => {
    const share = new IdleCores().share();
    assert.ok(share >= 0 && share <= 1, String(share));
  });
});
