import assert from 'node:assert/strict';
import { keyEvent, mouseEvent } from '../../../../src/devtools/screen/screenInput';
import { MODIFIER_BITS, type KeyStroke } from '../../../../src/screen/strokes';
import { StreamQuality } from '../../../../src/devtools/screen/streamQuality';

describe('quality of a screencast', () => {
  /** The difference of two clocks that agree on nothing. */
  const OFFSET_MS = 5_000_000;

  const feed = (quality: StreamQuality, delayMs: number, count: number): number[] => {
    const steps: number[] = [];
    for (let at = 0; at < count; at++) {
      if (quality.note({ takenMs: at * 40, arrivedMs: at * 40 + OFFSET_MS + delayMs })) steps.push(quality.quality);
    }
    return steps;
  };

  it('stays at its best over a fast line of any length', () => {
    const quality = new StreamQuality();
    assert.deepEqual(feed(quality, 120, 500), []);
    assert.equal(quality.quality, 90);
  });

  it('falls step by step while frames are late, and not for a single one', () => {
    const quality = new StreamQuality();
    feed(quality, 20, 10);
    assert.deepEqual(feed(quality, 300, 2), []);
    feed(quality, 20, 1);
    assert.deepEqual(feed(quality, 300, 2), []);
    feed(quality, 20, 1);
    assert.deepEqual(feed(quality, 300, 12), [75, 55, 35, 35]);
    assert.equal(quality.isCoarse, true);
  });

  it('rises again slowly when the line is fast', () => {
    const quality = new StreamQuality();
    feed(quality, 20, 5);
    feed(quality, 300, 6);
    assert.deepEqual([quality.quality, quality.isCoarse], [55, false]);
    assert.deepEqual(feed(quality, 20, 44), []);
    assert.deepEqual(feed(quality, 20, 50), [75, 90]);
  });

  it('stays at its best while the clocks of the two machines drift apart', () => {
    const quality = new StreamQuality();
    for (let minute = 0; minute < 100; minute++) assert.deepEqual(feed(quality, 20 + minute, 25), []);
    assert.equal(quality.quality, 90);
  });

  it('ignores frames without a time', () => {
    assert.equal(new StreamQuality().note({ takenMs: Number.NaN, arrivedMs: 1 }), false);
  });
});

describe('input events for DevTools', () => {
  const stroke: KeyStroke = {
    type: 'down',
    key: 'a',
    code: 'KeyA',
    keyCode: 65,
    location: 0,
    text: 'a',
    isRepeated: false,
    modifiers: 0,
  };

  it('type a text only where there is one', () => {
    assert.equal(keyEvent(stroke).type, 'keyDown');
    assert.equal(keyEvent(stroke).text, 'a');
    assert.equal(keyEvent({ ...stroke, text: '' }).type, 'rawKeyDown');
    assert.deepEqual(keyEvent({ ...stroke, type: 'up' }).text, undefined);
  });

  it('name the command of an editing shortcut, whatever system the browser runs on', () => {
    const shortcut = { ...stroke, text: '', modifiers: MODIFIER_BITS.ctrl };
    assert.deepEqual(keyEvent(shortcut).commands, ['selectAll']);
    assert.deepEqual(keyEvent({ ...shortcut, key: 'z' }).commands, ['undo']);
    const shifted = { ...shortcut, modifiers: MODIFIER_BITS.ctrl | MODIFIER_BITS.shift };
    assert.deepEqual(keyEvent({ ...shifted, key: 'Z' }).commands, ['redo']);
    assert.deepEqual(keyEvent({ ...shifted, key: 'A' }).commands, undefined);
    assert.deepEqual(keyEvent({ ...shortcut, key: 'ArrowLeft' }).commands, ['moveWordLeft']);
    assert.deepEqual(keyEvent({ ...shifted, key: 'Home' }).commands, ['moveToBeginningOfDocumentAndModifySelection']);
    assert.deepEqual(keyEvent({ ...shifted, key: 'Backspace' }).commands, ['deleteToBeginningOfLine']);
    const alone = { ...shortcut, modifiers: 0 };
    assert.deepEqual(keyEvent(alone).commands, undefined);
    assert.deepEqual(keyEvent({ ...alone, key: 'ArrowLeft' }).commands, undefined);
    assert.deepEqual(keyEvent({ ...alone, key: 'Home' }).commands, ['moveToBeginningOfLine']);
    const selecting = { ...alone, key: 'End', modifiers: MODIFIER_BITS.shift };
    assert.deepEqual(keyEvent(selecting).commands, ['moveToEndOfLineAndModifySelection']);
  });

  it('name the buttons of the mouse', () => {
    const mouse = { type: 'down', x: 1, y: 2, buttons: 2, clicks: 1, modifiers: 0 } as const;
    assert.equal(mouseEvent({ ...mouse, button: 2 }).button, 'right');
    assert.equal(mouseEvent({ ...mouse, type: 'move', button: -1 }).button, 'none');
  });
});
