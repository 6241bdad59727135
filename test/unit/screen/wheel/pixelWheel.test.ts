import assert from 'node:assert/strict';
import { PixelWheel, type Pixels } from '../../../../src/screen/wheel/pixelWheel';
import type { WheelTurn } from '../../../../src/screen/wheel/wheel';

const PAGE = { width: 1000, height: 800 };

const pixels = (deltaY: number, deltaX = 0): WheelTurn => ({ deltaX, deltaY, deltaMode: 0, shiftKey: false });

/** Sends a stream of events, each answered after `latency` further events, and returns the batches. */
function play(events: readonly WheelTurn[], latency: number): Pixels[] {
  const wheel = new PixelWheel();
  const batches: Pixels[] = [];
  let age: number | undefined;
  const take = (): void => {
    const batch = wheel.take();
    if (!batch) return;
    batches.push(batch);
    age = 0;
  };
  for (const event of events) {
    wheel.add(event, PAGE);
    if (age !== undefined && ++age > latency) {
      age = undefined;
      wheel.finish();
    }
    take();
  }
  wheel.finish();
  take();
  return batches;
}

const sum = (batches: readonly Pixels[]): Pixels => ({
  right: batches.reduce((total, { right }) => total + right, 0),
  down: batches.reduce((total, { down }) => total + down, 0),
});

/** Gestures as devices send them, and what they are in all. */
const STREAMS: readonly [name: string, events: readonly WheelTurn[], total: Pixels][] = [
  ['a notched wheel', [pixels(120), pixels(120), pixels(120)], { right: 0, down: 360 }],
  ['a free-spinning wheel', Array.from({ length: 400 }, () => pixels(15)), { right: 0, down: 6000 }],
  [
    'a flick with inertia',
    Array.from({ length: 60 }, (_, at) => pixels(2 ** (8 - at / 8))),
    { right: 0, down: Math.trunc(Array.from({ length: 60 }, (_, at) => 2 ** (8 - at / 8)).reduce((a, b) => a + b)) },
  ],
  ['a slow trackpad', Array.from({ length: 100 }, () => pixels(0.25)), { right: 0, down: 25 }],
  ['a change of direction', [pixels(300), pixels(-100), pixels(-300)], { right: 0, down: -100 }],
  ['both axes', Array.from({ length: 10 }, () => pixels(-7.5, 3.5)), { right: 35, down: -75 }],
  ['a wheel that counts lines', [{ deltaX: 0, deltaY: 3, deltaMode: 1, shiftKey: false }], { right: 0, down: 120 }],
  ['a wheel that counts pages', [{ deltaX: 0, deltaY: -1, deltaMode: 2, shiftKey: false }], { right: 0, down: -700 }],
  ['a wheel with Shift', [{ ...pixels(120), shiftKey: true }], { right: 120, down: 0 }],
  ['a wheel with Shift, turned by the system', [{ ...pixels(0, 120), shiftKey: true }], { right: 120, down: 0 }],
];

describe('wheel in pixels', () => {
  for (const [name, events, total] of STREAMS) {
    it(`sends what the gesture was: ${name}`, () => {
      for (const latency of [0, 1, 7, 1000]) assert.deepEqual(sum(play(events, latency)), total, `latency ${latency}`);
    });
  }

  it('sends whole pixels, and never a batch without any', () => {
    const events = Array.from({ length: 200 }, (_, at) => pixels(Math.sin(at) * 3, Math.cos(at) * 2));
    for (const { right, down } of play(events, 2)) {
      assert.ok(Number.isInteger(right) && Number.isInteger(down));
      assert.ok(right !== 0 || down !== 0);
      assert.ok(!Object.is(right, -0) && !Object.is(down, -0));
    }
  });

  it('has one batch under way', () => {
    const wheel = new PixelWheel();
    wheel.add(pixels(10), PAGE);
    assert.deepEqual(wheel.take(), { right: 0, down: 10 });
    wheel.add(pixels(5), PAGE);
    assert.equal(wheel.take(), undefined);
    wheel.finish();
    assert.deepEqual(wheel.take(), { right: 0, down: 5 });
  });

  it('drops what waits on request, and takes no value that is not a number', () => {
    const wheel = new PixelWheel();
    wheel.add(pixels(10), PAGE);
    wheel.drop();
    wheel.add(pixels(Number.NaN, Number.POSITIVE_INFINITY), PAGE);
    assert.equal(wheel.take(), undefined);
  });
});
