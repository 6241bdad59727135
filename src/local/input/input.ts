import { setTimeout as delay } from 'node:timers/promises';
import type { PageSession } from '../chromium/chromium';
import { internal } from '../errors';
import { keyOf, keysOf, MODIFIER_BITS, type Key } from './keysyms';

/** One click of a mouse wheel scrolls this far (measured with X11 wheel clicks on Chromium 156). */
export const WHEEL_TICK_CSS_PX = 120;

/** A page that does not take an input event within this time is hanging. */
const EVENT_LIMIT_MS = 5_000;

export type MouseButton = 'left' | 'right' | 'middle' | 'back' | 'forward';
export interface Point {
  x: number;
  y: number;
}

/**
 * Turns the wheel at a point by whole ticks: vertical first, then horizontal; positive is down and right. The page gets
 * the events with the keys that are held. What the browser itself does with Control and the wheel (zoom) is out of reach
 * of DevTools' input, and does not happen here.
 */
export async function scroll(page: PageSession, at: Point, ticksX: number, ticksY: number, held: readonly string[]) {
  await withKeys(page, held, async (modifiers) => {
    await mouse(page, { type: 'mouseMoved', ...at, modifiers });
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
export async function move(page: PageSession, at: Point, held: readonly string[]): Promise<void> {
  await withKeys(page, held, (modifiers) => mouse(page, { type: 'mouseMoved', ...at, modifiers }));
}

/** Moves to the point and presses, releases, or clicks `times` over. */
export async function click(
  page: PageSession,
  at: Point,
  button: MouseButton,
  kind: 'down' | 'up' | 'click',
  times: number,
  held: readonly string[],
): Promise<void> {
  await withKeys(page, held, async (modifiers) => {
    await mouse(page, { type: 'mouseMoved', ...at, modifiers });
    for (let clickCount = 1; clickCount <= times; clickCount += 1) {
      if (kind !== 'up') await mouse(page, { type: 'mousePressed', ...at, modifiers, button, clickCount });
      if (kind !== 'down') await mouse(page, { type: 'mouseReleased', ...at, modifiers, button, clickCount });
    }
  });
}

/** Presses keys one after the other (each may be a combination), or holds them all for `durationMs`. */
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

/** Holds keys by name during `work`, which gets their modifier bits. All names are checked before a key goes down. */
export async function withKeys(
  page: PageSession,
  names: readonly string[],
  work: (modifiers: number) => Promise<unknown>,
): Promise<void> {
  await holdKeys(page, names.map(keyOf), 0, work);
}

/** Down in order, up in the same order, as xdotool does; up also when `work` fails. */
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
      await bounded(page.send('Input.dispatchKeyEvent', downEvent(key, modifiers)));
    }
    await work(modifiers);
  } finally {
    for (const key of down) {
      modifiers &= ~key.modifier;
      const up = { type: 'keyUp', modifiers, ...physical(key) } as const;
      await bounded(page.send('Input.dispatchKeyEvent', up)).catch(() => undefined);
    }
  }
}

function downEvent(key: Key, modifiers: number) {
  const shifted = (modifiers & MODIFIER_BITS.Shift) !== 0;
  const text = shifted ? (key.shiftText ?? key.text) : key.text;
  // With Control, Alt or Meta held a key is a shortcut and types nothing.
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

/** The key itself, without what it means at the moment. */
function physical({ key, code, windowsVirtualKeyCode, location }: Key) {
  return { key, code, windowsVirtualKeyCode, location };
}

/** One event of the mouse, in the terms of DevTools' `Input.dispatchMouseEvent`. */
export interface MouseFields extends Point {
  type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel';
  modifiers: number;
  deltaX?: number;
  deltaY?: number;
  button?: MouseButton;
  buttons?: number;
  clickCount?: number;
}

/** Sends one event of the mouse; 500 when the page does not take it. */
export async function mouse(page: PageSession, event: MouseFields): Promise<void> {
  await bounded(page.send('Input.dispatchMouseEvent', event));
}

async function bounded(answer: Promise<unknown>): Promise<void> {
  answer.catch(() => undefined);
  const timer = new AbortController();
  try {
    await Promise.race([
      answer,
      delay(EVENT_LIMIT_MS, undefined, { signal: timer.signal }).then(() =>
        Promise.reject(internal('The page does not take input: it is busy, or stopped in a debugger.')),
      ),
    ]);
  } finally {
    timer.abort();
  }
}
