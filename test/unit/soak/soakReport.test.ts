import assert from 'node:assert/strict';
import { growthRows, isTooMuch, leftRows, tableOf, timeRows, type Footprint } from '../../soak/soakReport';

const WARM: Footprint = { memory: { 'the host': 100 }, counts: { 'timers of the host': 3 } };

function measuresBeyond(end: Footprint): string[] {
  return growthRows('pushes', WARM, end)
    .filter(isTooMuch)
    .map(({ measure }) => measure);
}

describe('the report of a soak', () => {
  it('allows memory to grow by a fifth, and counts not at all', () => {
    assert.deepEqual(measuresBeyond({ memory: { 'the host': 120 }, counts: { 'timers of the host': 3 } }), []);
    assert.deepEqual(measuresBeyond({ memory: { 'the host': 121 }, counts: { 'timers of the host': 4 } }), [
      'memory of the host',
      'timers of the host',
    ]);
    assert.deepEqual(measuresBeyond({ memory: { 'the host': 20 }, counts: { 'timers of the host': 0 } }), []);
  });

  it('counts what is left when all is closed, but no memory', () => {
    const rows = leftRows('pushes', WARM, { memory: { 'the host': 900 }, counts: { 'timers of the host': 4 } });
    assert.deepEqual(
      rows.map(({ measure, last, limit }) => [measure, last, limit]),
      [['timers of the host, when all is closed', 4, 3]],
    );
  });

  it('compares the first tenth of the steps with the last one, by their medians', () => {
    const times = [...Array.from({ length: 10 }, () => 100), ...Array.from({ length: 80 }, () => 500)];
    const faster = timeRows('pushes', [...times, ...Array.from({ length: 10 }, () => 114)]);
    assert.deepEqual(faster.map(isTooMuch), [false]);
    const slower = timeRows('pushes', [...times, ...Array.from({ length: 10 }, () => 116)]);
    assert.deepEqual(slower.map(isTooMuch), [true]);
    assert.deepEqual(timeRows('pushes', []), []);
  });

  it('takes no milliseconds of a short step for a change', () => {
    const times = Array.from({ length: 50 }, (_, at) => (at < 25 ? 1 : 5.9));
    assert.deepEqual(timeRows('wheel', times).map(isTooMuch), [false]);
  });

  it('has no limit for the time of a few steps, whose medians say nothing', () => {
    assert.deepEqual(timeRows('restarts', [100, 900]).map(isTooMuch), [false]);
  });

  it('allows an idle connection more while a part runs, and none when all is closed', () => {
    const [few, more] = [3, 4].map((handles) => ({ memory: {}, counts: { 'handles of the host': handles } }));
    assert(few && more);
    assert.deepEqual(growthRows('pushes', few, more).map(isTooMuch), [false]);
    assert.deepEqual(leftRows('pushes', few, more).map(isTooMuch), [true]);
  });

  it('marks what is too much in its table', () => {
    const rows = growthRows('pushes', WARM, { memory: { 'the host': 300 }, counts: { 'timers of the host': 3 } });
    const [, memory = '', timers = ''] = tableOf(rows);
    assert.match(memory, /^pushes +memory of the host +100\.0 +300\.0 +120\.0 MiB {2}too much$/);
    assert.doesNotMatch(timers, /too much/);
  });
});
