import assert from 'node:assert/strict';
import { isZoom, ZoomWheel, zoomedBy } from '../../../src/screen/zoom';

describe('the zoom of the screen', () => {
  it('goes by the steps of Chromium, also from a level between two, and not beyond the last', () => {
    assert.deepEqual(
      [zoomedBy(100, 1), zoomedBy(100, -1), zoomedBy(100, 3), zoomedBy(120, 1), zoomedBy(120, -1)],
      [110, 90, 150, 125, 110],
    );
    assert.deepEqual([zoomedBy(500, 1), zoomedBy(25, -2), zoomedBy(100, 99), zoomedBy(10, 1)], [500, 25, 500, 33]);
  });

  it('takes one step for each notch of a wheel, and the sum of a trackpad', () => {
    const wheel = new ZoomWheel();
    assert.deepEqual([wheel.turn(-120), wheel.turn(-240), wheel.turn(120)], [1, 2, -1]);
    const pinch = new ZoomWheel();
    assert.deepEqual(
      Array.from({ length: 7 }, () => pinch.turn(-20)),
      [0, 0, 0, 0, 0, 1, 0],
    );
  });

  it('forgets the rest of a gesture when the direction changes', () => {
    const wheel = new ZoomWheel();
    assert.deepEqual([wheel.turn(-100), wheel.turn(100), wheel.turn(20)], [0, 0, -1]);
  });

  it('knows a level from other numbers', () => {
    assert.deepEqual([25, 100, 500, 24, 501, Number.NaN, '100'].map(isZoom), [
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
