import assert from 'node:assert/strict';
import { isResetZoom, ownerOf, resetZoomKey, type KeyOwner, type KeyPress } from '../../../src/screen/keyOwner';
import { MODIFIER_BITS } from '../../../src/screen/strokes';

const NONE = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, isComposing: false, isAltGraph: false };

function owner(
  key: string,
  held: Partial<KeyPress> = {},
  options: { isMac?: boolean; givesAll?: boolean } = {},
): KeyOwner {
  return ownerOf({ ...NONE, key, ...held }, { isMac: false, givesAll: false, ...options });
}

const { ctrl, shift } = MODIFIER_BITS;

describe('keys of the screen', () => {
  it('type their characters into the page, in any script and with AltGr', () => {
    for (const key of ['a', 'ä', 'ß', '€', 'ы', '字', '😀', ' ']) {
      assert.deepEqual(owner(key), { to: 'page', text: key, modifiers: 0 }, key);
    }
    assert.deepEqual(owner('A', { shiftKey: true }), { to: 'page', text: 'A', modifiers: shift });
    const altGr = { ctrlKey: true, altKey: true, isAltGraph: true };
    assert.deepEqual(owner('@', altGr), { to: 'page', text: '@', modifiers: 0 });
    assert.deepEqual(owner('å', { altKey: true }, { isMac: true }), { to: 'page', text: 'å', modifiers: 0 });
  });

  it('are those of an input method while it composes, and dead keys', () => {
    for (const key of ['Dead', 'Process', 'Unidentified']) assert.deepEqual(owner(key), { to: 'method' });
    assert.deepEqual(owner('Enter', { isComposing: true }), { to: 'method' });
  });

  it('move and edit in the page', () => {
    assert.deepEqual(owner('Enter'), { to: 'page', text: '\r', modifiers: 0 });
    assert.deepEqual(owner('ArrowLeft', { shiftKey: true }), { to: 'page', text: '', modifiers: shift });
    assert.deepEqual(owner('a', { ctrlKey: true }), { to: 'page', text: '', modifiers: ctrl });
    assert.deepEqual(owner('Z', { ctrlKey: true, shiftKey: true }), { to: 'page', text: '', modifiers: ctrl | shift });
  });

  it('exchange with the clipboard of this machine, by Control, and by Command on a Mac', () => {
    assert.deepEqual(owner('c', { ctrlKey: true }), { to: 'clipboard', act: 'copy' });
    assert.deepEqual(owner('v', { ctrlKey: true }), { to: 'clipboard', act: 'paste' });
    assert.deepEqual(owner('x', { metaKey: true }, { isMac: true }), { to: 'clipboard', act: 'cut' });
    assert.deepEqual(owner('c', { ctrlKey: true }, { isMac: true }), { to: 'editor' });
  });

  it('edit with Command on a Mac, where Control and Option with a command are for VS Code', () => {
    const isMac = { isMac: true };
    for (const key of ['a', 'z']) {
      assert.deepEqual(owner(key, { metaKey: true }, isMac), { to: 'page', text: '', modifiers: ctrl }, key);
    }
    for (const held of [{ ctrlKey: true }, { metaKey: true, altKey: true }, { metaKey: true, ctrlKey: true }]) {
      assert.deepEqual(owner('a', held, isMac), { to: 'editor' }, JSON.stringify(held));
    }
    assert.deepEqual(owner('Dead', { altKey: true }, isMac), { to: 'method' });
  });

  it('move and delete on a Mac by lines and to the ends with Command, and by words with Option, as keys of other systems do', () => {
    const sent = (key: string, held: Partial<KeyPress>): unknown => {
      const found = owner(key, held, { isMac: true });
      assert.equal(found.to, 'page', key);
      return found.to === 'page' && [found.as?.key ?? key, found.modifiers, found.text];
    };
    const command = { metaKey: true };
    assert.deepEqual(sent('ArrowLeft', command), ['Home', 0, '']);
    assert.deepEqual(sent('ArrowRight', { ...command, shiftKey: true }), ['End', shift, '']);
    assert.deepEqual(sent('ArrowUp', command), ['Home', ctrl, '']);
    assert.deepEqual(sent('ArrowDown', { ...command, shiftKey: true }), ['End', ctrl | shift, '']);
    assert.deepEqual(sent('Backspace', command), ['Backspace', ctrl | shift, '']);
    const option = { altKey: true };
    assert.deepEqual(sent('ArrowLeft', option), ['ArrowLeft', ctrl, '']);
    assert.deepEqual(sent('ArrowRight', { ...option, shiftKey: true }), ['ArrowRight', ctrl | shift, '']);
    assert.deepEqual(sent('Backspace', option), ['Backspace', ctrl, '']);
    assert.deepEqual(owner('ArrowUp', option, { isMac: true }), { to: 'editor' });
    assert.deepEqual(owner('ArrowLeft', { altKey: true }), { to: 'editor' });
  });

  it('show the page at 100 % by the key of the system, which is named as there', () => {
    const zero = { ...NONE, key: '0' };
    assert.deepEqual([resetZoomKey(false), resetZoomKey(true)], ['Ctrl+0', '⌘0']);
    assert.deepEqual(
      [isResetZoom({ ...zero, ctrlKey: true }, false), isResetZoom({ ...zero, metaKey: true }, true)],
      [true, true],
    );
    for (const held of [{}, { metaKey: true }, { ctrlKey: true, shiftKey: true }, { ctrlKey: true, altKey: true }]) {
      assert.equal(isResetZoom({ ...zero, ...held }, false), false, JSON.stringify(held));
    }
    assert.equal(isResetZoom({ ...zero, key: '1', ctrlKey: true }, false), false);
  });

  it('stay with VS Code: its shortcuts, function keys, Tab and Escape', () => {
    const shortcuts: [string, Partial<KeyPress>][] = [
      ['p', { ctrlKey: true }],
      ['P', { ctrlKey: true, shiftKey: true }],
      ['ArrowDown', { altKey: true }],
      ['v', { ctrlKey: true, shiftKey: true }],
      ['x', { altKey: true }],
      ['c', { metaKey: true }],
      ['F1', {}],
      ['F5', {}],
      ['Tab', {}],
      ['Escape', {}],
      ['ContextMenu', {}],
    ];
    for (const [key, held] of shortcuts) assert.deepEqual(owner(key, held), { to: 'editor' }, key);
  });

  it('give Tab and Escape to the page when the user has switched that on', () => {
    assert.deepEqual(owner('Tab', { shiftKey: true }, { givesAll: true }), { to: 'page', text: '', modifiers: shift });
    assert.deepEqual(owner('Escape', {}, { givesAll: true }), { to: 'page', text: '', modifiers: 0 });
    assert.deepEqual(owner('Tab', { ctrlKey: true }, { givesAll: true }), { to: 'editor' });
  });
});
