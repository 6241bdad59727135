import assert from 'node:assert/strict';
import { Announcer } from '../../../../src/screen/page/announcer';
import { MAX_TICKS, ScrollQueue } from '../../../../src/screen/wheel/scrollQueue';
import { scrollTexts } from '../../../../src/screen/screenTexts';
import { PIXELS_PER_NOTCH, WheelPad } from '../../../../src/screen/wheel/wheel';

const PIXELS = 0;
const LINES = 1;
const PAGES = 2;

describe('wheel pad', () => {
  let pad: WheelPad;
  const turn = (deltaX: number, deltaY: number, nowMs = 0, deltaMode = PIXELS, shiftKey = false) =>
    pad.turn({ deltaX, deltaY, deltaMode, shiftKey }, nowMs);

  beforeEach(() => {
    pad = new WheelPad();
  });

  it('gives one notch for one click of a wheel, in pixels and in lines', () => {
    assert.deepEqual(turn(0, PIXELS_PER_NOTCH), { right: 0, down: 1 });
    assert.deepEqual(turn(0, -3, 0, LINES), { right: 0, down: -1 });
    assert.deepEqual(turn(0, 1, 0, PAGES), { right: 0, down: 5 });
  });

  it('adds up the small deltas of a trackpad to whole notches and loses none', () => {
    const notches = Array.from({ length: 100 }, (_, index) => turn(0, 7, index * 16).down);
    assert.deepEqual([...new Set(notches)].sort(), [0, 1]);
    assert.equal(
      notches.reduce((sum, notch) => sum + notch, 0),
      Math.floor((100 * 7) / PIXELS_PER_NOTCH),
    );
  });

  it('keeps the remainder of each axis separately', () => {
    turn(100, 50);
    assert.deepEqual(turn(20, 50), { right: 1, down: 0 });
    assert.deepEqual(turn(0, 20), { right: 0, down: 1 });
  });

  it('drops the remainder when the direction flips', () => {
    turn(0, 119);
    assert.deepEqual(turn(0, -10), { right: 0, down: 0 });
    assert.deepEqual(turn(0, -110), { right: 0, down: -1 });
  });

  it('drops the remainder after a pause', () => {
    turn(0, 119, 0);
    assert.deepEqual(turn(0, 10, 251), { right: 0, down: 0 });
  });

  it('turns sideways with Shift, unless the system has done so already', () => {
    assert.deepEqual(turn(0, 240, 0, PIXELS, true), { right: 2, down: 0 });
    assert.deepEqual(turn(240, 0, 0, PIXELS, true), { right: 2, down: 0 });
  });

  it('survives deltas that are not numbers', () => {
    assert.deepEqual(turn(Number.NaN, Number.POSITIVE_INFINITY), { right: 0, down: 0 });
    assert.deepEqual(turn(0, 120), { right: 0, down: 1 });
  });

  it('never gives -0, which would count as a turn', () => {
    assert.ok(Object.is(turn(0, -5).down, 0));
  });
});

describe('scroll queue', () => {
  it('sends one request at a time and sums the scrolls meanwhile', () => {
    const queue = new ScrollQueue();
    queue.add({ right: 0, down: 1 });
    assert.deepEqual(queue.take(), { right: 0, down: 1 });
    queue.add({ right: 1, down: 2 });
    queue.add({ right: 0, down: 3 });
    assert.equal(queue.take(), undefined);
    queue.finish();
    assert.deepEqual(queue.take(), { right: 1, down: 5 });
  });

  it('caps a flick of any length', () => {
    const queue = new ScrollQueue();
    for (let event = 0; event < 500; event++) queue.add({ right: -1, down: 1 });
    assert.deepEqual(queue.take(), { right: -MAX_TICKS, down: MAX_TICKS });
    queue.finish();
    assert.equal(queue.take(), undefined);
  });

  it('sends nothing when turns cancel out, or were dropped', () => {
    const queue = new ScrollQueue();
    queue.add({ right: 0, down: 2 });
    queue.add({ right: 0, down: -2 });
    assert.equal(queue.take(), undefined);
    queue.add({ right: 0, down: 2 });
    queue.drop();
    assert.equal(queue.take(), undefined);
  });
});

describe('announcer', () => {
  it('announces at once, then the sum at most once a second', () => {
    const said: string[] = [];
    const timers: (() => void)[] = [];
    const announcer = new Announcer(
      scrollTexts(),
      (sentence) => said.push(sentence),
      (run, ms) => {
        assert.equal(ms, 1000);
        timers.push(run);
        return () => undefined;
      },
    );
    announcer.scrolled({ right: 0, down: 3 });
    announcer.scrolled({ right: 0, down: 4 });
    announcer.scrolled({ right: -2, down: 5 });
    assert.deepEqual(said, ['Scrolled down 3']);
    timers.shift()?.();
    assert.deepEqual(said, ['Scrolled down 3', 'Scrolled down 9, Scrolled left 2']);
    timers.shift()?.();
    assert.deepEqual([said.length, timers.length], [2, 0]);
    announcer.scrolled({ right: 0, down: -1 });
    assert.equal(said.at(-1), 'Scrolled up 1');
  });
});
