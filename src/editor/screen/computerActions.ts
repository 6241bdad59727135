import { MODIFIERS, type Point } from '../../screen/protocol';
import { MODIFIER_BITS, type KeyStroke, type MouseStroke } from '../../screen/strokes';
import type { ClickMouseRequest, ComputerAction } from '../../service/model';
import { heldKeys } from './scrolling';

/** From which distance between press and release a click is a drag, in pixels. */
const DRAG_PX = 4;

/** The least distance between two points of a drag, in pixels, and the time of one step, in milliseconds. */
const PATH_PX = 8;
const STEP_MS = 10;

/** How long a button is pressed before it is dragged, in milliseconds. */
const PRESS_MS = 50;

/** Buttons in DOM order. */
const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;

/** X keysym names of keys that the DOM names otherwise. */
const KEYSYM_NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  Backspace: 'BackSpace',
  Enter: 'Return',
};

interface Press {
  button: NonNullable<ClickMouseRequest['button']>;
  index: number;
  path: Point[];
  hold: { holdKeys?: string[] };
}

/** Makes actions of the service out of strokes of a mouse: a press and its release become a click, or a drag when the mouse moved meanwhile. */
export class MouseReader {
  #press: Press | undefined;

  /** The action that a stroke completes, at whole pixels; undefined while it completes none. */
  read({ type, x, y, button, modifiers }: MouseStroke): ComputerAction | undefined {
    const at = { x: Math.floor(x), y: Math.floor(y) };
    const press = this.#press;
    switch (type) {
      case 'down': {
        const name = BUTTONS[button];
        if (!press && name) this.#press = { button: name, index: button, path: [at], hold: holdOf(modifiers) };
        return undefined;
      }
      case 'move': {
        if (!press) return { type: 'moveMouse', moveMouse: { ...at, ...holdOf(modifiers) } };
        const last = press.path.at(-1);
        if (last && distance(last, at) >= PATH_PX) press.path.push(at);
        return undefined;
      }
      case 'up':
        if (!press || press.index !== button) return undefined;
        this.#press = undefined;
        return release(press, at);
    }
  }

  /** Forgets a press. */
  drop(): void {
    this.#press = undefined;
  }
}

/** The action for a key: a text is typed, other keys are pressed; undefined for a release, which the service does by itself. */
export function keyAction({ type, key, text, modifiers }: KeyStroke): ComputerAction | undefined {
  if (type === 'up') return undefined;
  const isCharacter = [...key].length === 1;
  if (isCharacter && text !== '') return { type: 'typeText', typeText: { text } };
  const keysym = KEYSYM_NAMES[key] ?? (isCharacter ? key.toLowerCase() : key);
  return { type: 'pressKey', pressKey: { keys: [keysym], ...holdOf(modifiers) } };
}

function release({ button, path, hold }: Press, at: Point): ComputerAction {
  const [first = at] = path;
  const isDrag = path.length > 1 || distance(first, at) >= DRAG_PX;
  if (!isDrag || button === 'back' || button === 'forward') {
    return { type: 'clickMouse', clickMouse: { ...first, button, ...hold } };
  }
  const points = [...path, at].map(({ x, y }): [number, number] => [x, y]);
  const timing = { delay: PRESS_MS, stepsPerSegment: 1, stepDelayMs: STEP_MS };
  return { type: 'dragMouse', dragMouse: { path: points, button, ...timing, ...hold } };
}

/** The keys of modifier bits, by their X keysym names. */
function holdOf(modifiers: number): { holdKeys?: string[] } {
  return heldKeys(MODIFIERS.filter((modifier) => (modifiers & MODIFIER_BITS[modifier]) !== 0));
}

function distance(from: Point, to: Point): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}
