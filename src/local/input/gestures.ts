import { setTimeout as delay } from 'node:timers/promises';
import type { PageSession } from '../chromium/chromium';
import { holdKeys, mouse, withKeys, type MouseButton, type Point } from './input';
import { keyOf, keyOfCharacter, type Key } from './keysyms';

/** Length of one step of a smooth movement. */
const SMOOTH_STEP_PX = 12;
/** Pace of a smooth movement whose creator names no duration. */
const SMOOTH_PX_PER_MS = 2;
/** What a page is told about the buttons that are down (`MouseEvent.buttons`). */
const BUTTON_BITS: Readonly<Record<MouseButton, number>> = { left: 1, right: 2, middle: 4, back: 8, forward: 16 };

/** How fast a drag goes. */
export interface DragTiming {
  /** Between the button's way down and the first step. */
  beforeMs: number;
  steps: number;
  stepMs: number;
  /** A smooth drag: as many steps as its length asks for, over this time in all. Replaces `steps` and `stepMs`. */
  totalMs?: number | 'by length';
}

/** Moves the pointer in small steps. The way is a straight line; the service draws a curve. */
export async function glide(
  page: PageSession,
  from: Point,
  to: Point,
  durationMs: number | undefined,
  held: readonly string[],
): Promise<void> {
  const { steps, stepMs } = smooth([from, to], durationMs ?? 'by length');
  await withKeys(page, held, async (modifiers) => {
    for (const at of pointsBetween(from, to, steps)) {
      await mouse(page, { type: 'mouseMoved', ...at, modifiers });
      await delay(stepMs);
    }
  });
}

/** Presses a button at the first point of a path, moves along it, and lets go at the last; lets go also on the way when that fails. */
export async function drag(
  page: PageSession,
  path: readonly Point[],
  button: MouseButton,
  timing: DragTiming,
  held: readonly string[],
): Promise<void> {
  const [first, ...rest] = path;
  if (!first) return;
  const { steps, stepMs } = timing.totalMs === undefined ? timing : smooth(path, timing.totalMs);
  await withKeys(page, held, async (modifiers) => {
    let at = first;
    await mouse(page, { type: 'mouseMoved', ...at, modifiers });
    const pressed = { modifiers, button, buttons: BUTTON_BITS[button] };
    await mouse(page, { type: 'mousePressed', ...at, ...pressed, clickCount: 1 });
    try {
      await delay(timing.beforeMs);
      for (const next of rest) {
        for (const step of pointsBetween(at, next, steps)) {
          at = step;
          await mouse(page, { type: 'mouseMoved', ...at, ...pressed });
          await delay(stepMs);
        }
      }
    } finally {
      await mouse(page, { type: 'mouseReleased', ...at, modifiers, button, clickCount: 1 });
    }
  });
}

/** Types a text key by key, with Shift where a US keyboard needs it; characters that it lacks are inserted as they are. */
export async function typeText(page: PageSession, text: string, pauseMs: number): Promise<void> {
  for (const character of text) {
    const key = keyOfCharacter(character);
    if (!key) await page.send('Input.insertText', { text: character });
    else await holdKeys(page, needsShift(key, character) ? [keyOf('Shift'), key] : [key], 0, () => Promise.resolve());
    if (pauseMs > 0) await delay(pauseMs);
  }
}

function needsShift(key: Key, character: string): boolean {
  return key.shiftText === character;
}

/** The points of a straight way, without its start, in whole pixels. */
function pointsBetween(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, at) => {
    const part = (at + 1) / steps;
    return { x: Math.round(from.x + (to.x - from.x) * part), y: Math.round(from.y + (to.y - from.y) * part) };
  });
}

function smooth(path: readonly Point[], total: number | 'by length'): { steps: number; stepMs: number } {
  const lengths = path.slice(1).map((to, at) => {
    const from = path[at] ?? to;
    return Math.hypot(to.x - from.x, to.y - from.y);
  });
  const length = lengths.reduce((sum, one) => sum + one, 0);
  const steps = Math.max(1, Math.ceil(length / SMOOTH_STEP_PX / Math.max(1, lengths.length)));
  const totalMs = total === 'by length' ? length / SMOOTH_PX_PER_MS : total;
  return { steps, stepMs: totalMs / (steps * Math.max(1, lengths.length)) };
}
