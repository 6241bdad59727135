import { MODIFIERS, type Modifier, type Screen } from './protocol';
import { MAX_TICKS } from './queue';

/** What the page remembers while it is hidden. The point is missing until the screen is known or the user has set it. */
export interface ScrollState {
  point?: { x: number; y: number };
  ticksSideways: number;
  ticksUpDown: number;
  hold: Modifier[];
}

/** Three ticks are a usual turn of the wheel. */
const DEFAULT_TICKS = 3;

/** A remembered state, with defaults for missing or invalid fields. */
export function decodeState(value: unknown): ScrollState {
  const record: Record<string, unknown> = isRecord(value) ? value : {};
  const point = isRecord(record['point']) ? record['point'] : {};
  const { x, y } = point;
  const hold = Array.isArray(record['hold']) ? record['hold'] : [];
  return {
    ...(isIn(x, 0) && isIn(y, 0) && { point: { x, y } }),
    ticksSideways: ticks(record['ticksSideways']),
    ticksUpDown: ticks(record['ticksUpDown']),
    hold: MODIFIERS.filter((modifier) => hold.includes(modifier)),
  };
}

/** The point where a scroll goes: the one given, kept inside the screen; the centre when there is none. */
export function pointOn(screen: Screen, point: { x: number; y: number } | undefined): { x: number; y: number } {
  if (!point) return { x: Math.floor(screen.width / 2), y: Math.floor(screen.height / 2) };
  return { x: Math.min(point.x, screen.width - 1), y: Math.min(point.y, screen.height - 1) };
}

/** The whole number a person typed, when it is one from `min` to `max`. */
export function parseWhole(text: string, min: number, max: number): number | undefined {
  if (!/^\s*\d+\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function ticks(value: unknown): number {
  return isIn(value, 1, MAX_TICKS) ? value : DEFAULT_TICKS;
}

function isIn(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
