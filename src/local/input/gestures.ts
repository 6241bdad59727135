import { setTimeout as delay } from 'node:timers/promises';
import type { PageSession } from '../chromium/chromium';
import { bitsOf, holdKeys, mouse, moveTo, withKeys, type MouseButton, type Point } from './input';
import { keyOf, keyOfCharacter, type Key } from './keysyms';

/** The length of one step of a smooth movement. */
const SMOOTH_STEP_PX = 12;
/** The default speed of a smooth movement. */
const SMOOTH_PX_PER_MS = 2;

/** The timing of a drag. */
export interface DragTiming {
  /** Between pressing the button and the first step. */
  beforeMs: number;
  steps: number;
  stepMs: number;
  /** A smooth drag: the number of steps depends on its length, and this is the total time. Replaces `steps` and `stepMs`. */
  totalMs?: number | 'by length';
}

/** Moves the pointer in small steps along a straight line; the service uses a curve. */
export async function moveSmoothly(
  page: PageSession,
  from: Point,
  to: Point,
  durationMs: number | undefined,
  pressed: ReadonlySet<MouseButton>,
  held: readonly string[],
): Promise<void> {
  const { steps, stepMs } = smoothSteps([from, to], durationMs ?? 'by length');
  await withKeys(page, held, async (modifiers) => {
    for (const at of pointsBetween(from, to, steps)) {
      await moveTo(page, at, pressed, modifiers);
      await delay(stepMs);
    }
  });
}

/** Presses a button at the first point of a path, moves along it, and releases the button at its end, or after a failure. */
export async function drag(
  page: PageSession,
  path: readonly Point[],
  button: MouseButton,
  timing: DragTiming,
  pressed: Set<MouseButton>,
  held: readonly string[],
): Promise<void> {
  const [first, ...rest] = path;
  if (!first) return;
  const { steps, stepMs } = timing.totalMs === undefined ? timing : smoothSteps(path, timing.totalMs);
  await withKeys(page, held, async (modifiers) => {
    let at = first;
    await moveTo(page, at, pressed, modifiers);
    const dragging = { modifiers, button, buttons: bitsOf([...pressed, button]) };
    await mouse(page, { type: 'mousePressed', ...at, ...dragging, clickCount: 1 });
    try {
      await delay(timing.beforeMs);
      for (const next of rest) {
        for (const step of pointsBetween(at, next, steps)) {
          at = step;
          await mouse(page, { type: 'mouseMoved', ...at, ...dragging });
          await delay(stepMs);
        }
      }
    } finally {
      pressed.delete(button);
      const released = { modifiers, button, buttons: bitsOf(pressed), clickCount: 1 };
      await mouse(page, { type: 'mouseReleased', ...at, ...released });
    }
  });
}

/** Types a text key by key, with Shift as on a US keyboard; other characters are inserted. */
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

/** The points of a straight line, without its start, in whole pixels. */
function pointsBetween(from: Point, to: Point, steps: number): Point[] {
  return Array.from({ length: steps }, (_, at) => {
    const share = (at + 1) / steps;
    return { x: Math.round(from.x + (to.x - from.x) * share), y: Math.round(from.y + (to.y - from.y) * share) };
  });
}

function smoothSteps(path: readonly Point[], total: number | 'by length'): { steps: number; stepMs: number } {
  const lengths = path.slice(1).map((to, at) => {
    const from = path[at] ?? to;
    return Math.hypot(to.x - from.x, to.y - from.y);
  });
  const length = lengths.reduce((sum, one) => sum + one, 0);
  const steps = Math.max(1, Math.ceil(length / SMOOTH_STEP_PX / Math.max(1, lengths.length)));
  const totalMs = total === 'by length' ? length / SMOOTH_PX_PER_MS : total;
  return { steps, stepMs: totalMs / (steps * Math.max(1, lengths.length)) };
}
