import assert from 'node:assert/strict';
import { keyOf, keysOf } from '../../../../src/local/input/keysyms';

describe('X keysym names', () => {
  const names: [string, string, string][] = [
    ['Return', 'Enter', 'Enter'],
    ['ctrl', 'Control', 'ControlLeft'],
    ['Control_R', 'Control', 'ControlRight'],
    ['Shift_L', 'Shift', 'ShiftLeft'],
    ['Alt', 'Alt', 'AltLeft'],
    ['Super', 'Meta', 'MetaLeft'],
    ['Page_Down', 'PageDown', 'PageDown'],
    ['Prior', 'PageUp', 'PageUp'],
    ['F12', 'F12', 'F12'],
    ['space', ' ', 'Space'],
    ['a', 'a', 'KeyA'],
    ['A', 'A', 'KeyA'],
    ['plus', '+', 'NumpadAdd'],
    ['7', '7', 'Digit7'],
  ];
  for (const [name, key, code] of names) {
    it(`${name} is the key "${key}" at ${code}`, () => {
      const found = keyOf(name);
      assert.deepEqual([found.key, found.code], [key, code]);
      assert.notEqual(found.windowsVirtualKeyCode, 0);
    });
  }

  it('have the modifier bits of DevTools', () => {
    assert.deepEqual(
      ['alt', 'ctrl', 'meta', 'shift', 'a'].map((name) => keyOf(name).modifier),
      [1, 2, 4, 8, 0],
    );
  });

  it('can be combined', () => {
    assert.deepEqual(
      keysOf('Ctrl+Shift+Tab').map((key) => key.key),
      ['Control', 'Shift', 'Tab'],
    );
    assert.deepEqual(
      keysOf('+').map((key) => key.key),
      ['+'],
    );
  });

  it('are an error 500 when unknown', () => {
    for (const name of ['nokey', '', 'F25', 'constructor', 'toString'])
      assert.throws(() => keyOf(name), { status: 500 });
  });
});
