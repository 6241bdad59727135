import { setTimeout as delay } from 'node:timers/promises';
import type { PageSession } from '../chromium/chromium';
import { internalError } from '../httpErrors';
import { keyOf, keysOf, MODIFIER_BITS, type Key } from './keysyms';

/** The distance of one wheel tick (C-WHEEL-TICK). */
const WHEEL_TICK_CSS_PX = 120;

/** Time limit for a page to process an input event. */
const EVENT_LIMIT_MS = 5_000;

export type MouseButton = 'left' | 'right' | 'middle' | 'back' | 'forward';
export interface Point {
  x: number;
  y: number;
}

/** The bits of pressed buttons in `MouseEvent.buttons`. */
const BUTTON_BITS: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4, back: 8, forward: 16 };

/**
 * Scrolls the wheel at a point by ticks: first vertically, then horizontally; positive is down and right. The page gets the events with the
 * held keys. DevTools' input does not trigger the browser's own zoom by Control and the wheel.
 */
export async function scroll(
  page: PageSession,
  at: Point,
  ticksX: number,
  ticksY: number,
  pressed: ReadonlySet<MouseButton>,
  held: readonly string[],
): Promise<void> {
  await withKeys(page, held, async (modifiers) => {
    await moveTo(page, at, pressed, modifiers);
    for (const [ticks, axis] of [
      [ticksY, 'deltaY'],
      [ticksX, 'deltaX'],
    ] as const) {
      const delta = Math.sign(ticks) * WHEEL_TICK_CSS_PX;
      for (let turned = 0; turned < Math.abs(ticks); turned += 1) {
        await mouse(page, { type: 'mouseWheel', ...at, modifiers, deltaX: 0, deltaY: 0, [axis]: delta });
      }
    }
  });
}

/** Moves the pointer. */
export async function move(
  page: PageSession,
  at: Point,
  pressed: ReadonlySet<MouseButton>,
  held: readonly string[],
): Promise<void> {
  await withKeys(page, held, (modifiers) => moveTo(page, at, pressed, modifiers));
}

/** Moves to the point and presses, releases, or clicks, `times` times. A button that stays down is added to `pressed`, a released one is removed. */
export async function click(
  page: PageSession,
  at: Point,
  button: MouseButton,
  kind: 'down' | 'up' | 'click',
  times: number,
  pressed: Set<MouseButton>,
  held: readonly string[],
): Promise<void> {
  await withKeys(page, held, async (modifiers) => {
    await moveTo(page, at, pressed, modifiers);
    for (let clickCount = 1; clickCount <= times; clickCount += 1) {
      const event = { ...at, modifiers, button, clickCount };
      if (kind !== 'up') {
        await mouse(page, { type: 'mousePressed', ...event, buttons: bitsOf([...pressed, button]) });
        if (kind === 'down') pressed.add(button);
      }
      if (kind !== 'down') {
        pressed.delete(button);
        await mouse(page, { type: 'mouseReleased', ...event, buttons: bitsOf(pressed) });
      }
    }
  });
}

/** Presses keys in sequence (each may be a combination), or holds all of them for `durationMs`. */
export async function pressKeys(
  page: PageSession,
  keys: readonly string[],
  durationMs: number,
  held: readonly string[],
) {
  const combinations = keys.map(keysOf);
  await withKeys(page, held, async (modifiers) => {
    if (durationMs > 0) {
      await holdKeys(page, combinations.flat(), modifiers, () => delay(durationMs));
      return;
    }
    for (const combination of combinations) await holdKeys(page, combination, modifiers, () => Promise.resolve());
  });
}

/** Holds keys by name during `work`, which gets their modifier bits. All names are validated before a key is pressed. */
export async function withKeys(
  page: PageSession,
  names: readonly string[],
  work: (modifiers: number) => Promise<unknown>,
): Promise<void> {
  await holdKeys(page, names.map(keyOf), 0, work);
}

/** Presses keys in order and releases them in the same order, as xdotool does, also after a failure of `work`. */
export async function holdKeys(
  page: PageSession,
  keys: readonly Key[],
  modifiersBefore: number,
  work: (modifiers: number) => Promise<unknown>,
): Promise<void> {
  let modifiers = modifiersBefore;
  const down: Key[] = [];
  try {
    for (const key of keys) {
      modifiers |= key.modifier;
      down.push(key);
      await withTimeLimit(page.send('Input.dispatchKeyEvent', downEvent(key, modifiers)));
    }
    await work(modifiers);
  } finally {
    for (const key of down) {
      modifiers &= ~key.modifier;
      const up = { type: 'keyUp', modifiers, ...physical(key) } as const;
      await withTimeLimit(page.send('Input.dispatchKeyEvent', up)).catch(() => undefined);
    }
  }
}

function downEvent(key: Key, modifiers: number) {
  const shifted = (modifiers & MODIFIER_BITS.Shift) !== 0;
  const text = shifted ? (key.shiftText ?? key.text) : key.text;
  // With Control, Alt or Meta a key is a shortcut and types no text.
  const types = text !== undefined && (modifiers & ~MODIFIER_BITS.Shift) === 0;
  if (!types) return { type: 'rawKeyDown', modifiers, ...physical(key) } as const;
  return {
    type: 'keyDown',
    modifiers,
    ...physical(key),
    text,
    ...(shifted && key.shiftText !== undefined ? { key: key.shiftText } : {}),
  } as const;
}

/** The physical key, without text and modifiers. */
function physical({ key, code, windowsVirtualKeyCode, location }: Key) {
  return { key, code, windowsVirtualKeyCode, location };
}

/** A mouse event, in the terms of DevTools' `Input.dispatchMouseEvent`. */
export interface MouseInput extends Point {
  type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel';
  modifiers: number;
  deltaX?: number;
  deltaY?: number;
  button?: MouseButton;
  buttons?: number;
  clickCount?: number;
}

/** Moves the pointer with the buttons that are down: DevTools keeps no state of them, and without them a page sees no drag. */
export async function moveTo(
  page: PageSession,
  at: Point,
  pressed: ReadonlySet<MouseButton>,
  modifiers: number,
): Promise<void> {
  const [button] = pressed;
  const buttons = bitsOf(pressed);
  await mouse(page, { type: 'mouseMoved', ...at, modifiers, ...(button === undefined ? {} : { button, buttons }) });
}

/** Buttons as in `MouseEvent.buttons`. */
export function bitsOf(buttons: Iterable<MouseButton>): number {
  let bits = 0;
  for (const button of buttons) bits |= BUTTON_BITS[button];
  return bits;
}

/** Sends a mouse event; 500 when the page does not process it. */
export async function mouse(page: PageSession, event: MouseInput): Promise<void> {
  await withTimeLimit(page.send('Input.dispatchMouseEvent', event));
}

async function withTimeLimit(answer: Promise<unknown>): Promise<void> {
  answer.catch(() => undefined);
  const timer = new AbortController();
  try {
    await Promise.race([
      answer,
      delay(EVENT_LIMIT_MS, undefined, { signal: timer.signal }).then(() =>
        Promise.reject(internalError('The page does not process input: it is busy, or paused in a debugger.')),
      ),
    ]);
  } finally {
    timer.abort();
  }
}
