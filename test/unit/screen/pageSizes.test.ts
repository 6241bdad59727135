import assert from 'node:assert/strict';
import { fitSize, fixedSize } from '../../../src/screen/pageSizes';
import { isPageMessage } from '../../../src/screen/protocol';

describe('the size of a page', () => {
  it('is that of its place, in whole device pixels', () => {
    for (const [room, ratio, width, height] of [
      [{ width: 701, height: 533 }, 1, 701, 533],
      [{ width: 701, height: 533 }, 1.5, 700, 532],
      [{ width: 701, height: 533 }, 1.25, 700, 532],
      [{ width: 701.6, height: 533.4 }, 2, 701, 533],
    ] as const) {
      assert.deepEqual(fitSize(room, ratio), { width, height, ratio });
    }
  });

  it('is never less than a page needs, and never more than a picture can have', () => {
    assert.deepEqual(fitSize({ width: 100, height: 90 }, 1), { width: 320, height: 240, ratio: 1 });
    assert.deepEqual(fitSize({ width: 9000, height: 300 }, 1), { width: 4096, height: 300, ratio: 1 });
  });

  it('is taken at a ratio that fits no length', () => {
    const { width } = fitSize({ width: 701, height: 533 }, Math.SQRT2);
    assert.ok(width > 701 - 8 && width <= 701, String(width));
  });

  it('is one of the list, and may be turned', () => {
    assert.deepEqual(fixedSize('phone', { isRotated: false }), { width: 390, height: 844, ratio: 0 });
    assert.deepEqual(fixedSize('phone', { isRotated: true }), { width: 844, height: 390, ratio: 0 });
    assert.equal(fixedSize('fit', { isRotated: true }), undefined);
    assert.equal(fixedSize('window', { isRotated: true }), undefined);
  });

  it('is refused where no page can have it', () => {
    const size = { width: 300, height: 200, ratio: 1 };
    assert.ok(isPageMessage({ kind: 'size', size }) && isPageMessage({ kind: 'size', size: 'window' }));
    for (const wrong of [
      { width: 0 },
      { height: 5000 },
      { width: 1.5 },
      { ratio: -1 },
      { ratio: 11 },
      { height: '3' },
    ]) {
      assert.ok(!isPageMessage({ kind: 'size', size: { ...size, ...wrong } }), JSON.stringify(wrong));
    }
  });
});
