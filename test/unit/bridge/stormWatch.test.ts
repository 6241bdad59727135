import assert from 'node:assert/strict';
import { STORM_PAUSE_MS, stormKey, StormWatch } from '../../../src/bridge/stormWatch';
import { TestClock } from '../../support/testClock';

describe('a storm of requests', () => {
  const cases: [what: string, kind: 'socket' | 'load', count: number, everyMs: number, begins: boolean][] = [
    ['nine loads at once', 'load', 9, 0, false],
    ['ten loads at once', 'load', 10, 0, true],
    ['ten loads within ten seconds', 'load', 10, 1110, true],
    ['a load each two seconds', 'load', 100, 2000, false],
    ['twenty sockets at once', 'socket', 20, 0, false],
    ['one more', 'socket', 21, 0, true],
    ['two sockets a second', 'socket', 200, 500, false],
    ['three sockets a second', 'socket', 200, 333, true],
  ];
  for (const [what, kind, count, everyMs, begins] of cases) {
    it(`${begins ? 'is' : 'is not'} ${what}`, async () => {
      const clock = new TestClock();
      const storms = new StormWatch(clock);
      let begun = false;
      for (let time = 0; time < count && !begun; time++) {
        if (time > 0 && everyMs > 0) await clock.advance(everyMs);
        begun = storms.note(kind, 'frame');
      }
      assert.deepEqual([begun, storms.isPaused('frame')], [begins, begins]);
    });
  }

  it('is of one frame, ends after a pause, and can begin again', async () => {
    const clock = new TestClock();
    const storms = new StormWatch(clock);
    const storm = (): boolean[] => Array.from({ length: 10 }, () => storms.note('load', 'frame'));
    assert.deepEqual(storm(), [...Array.from({ length: 9 }, () => false), true]);
    assert.equal(storms.isPaused('other'), false);
    await clock.advance(STORM_PAUSE_MS - 1);
    assert.equal(storms.isPaused('frame'), true);
    await clock.advance(1);
    assert.equal(storms.isPaused('frame'), false);
    assert.equal(storm().at(-1), true);
    storms.clear();
    assert.equal(storms.isPaused('frame'), false);
  });

  it('is counted for an extension as a whole, and else for a frame', () => {
    const own = `chrome-extension://${'abcdefghijklmnop'.repeat(2)}`;
    assert.equal(stormKey('1', `${own}/worker.js`), own);
    assert.equal(stormKey('1', 'https://site.test/'), '1');
    assert.equal(stormKey('1'), '1');
  });
});
