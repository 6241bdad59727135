import { isObject, objectOf } from '../base/fields';
import type { Point, Screen } from './protocol';
import { MAX_TICKS } from './wheel/scrollQueue';
import { isSizeName, USUAL_SIZE, type SizeName } from './pageSizes';

/** What the page remembers while it is hidden. The host remembers the point and the keys. */
export interface ScrollState {
  ticksSideways: number;
  ticksUpDown: number;
  /** The texts of the fields whose text is not accepted, by their ids. */
  drafts: Readonly<Record<string, string>>;
  /** Whether the form for exact scrolls is unfolded. */
  isPrecise: boolean;
  /** Whether the page gets Tab and Escape. */
  givesKeys: boolean;
  /** Whether the whole screen is shown where the service can show it. */
  isWhole: boolean;
  size: SizeName;
  isRotated: boolean;
}

/** Three ticks are a usual turn of the wheel. */
export const DEFAULT_TICKS = 3;

/** A remembered state, with defaults for missing or invalid fields. */
export function decodeState(value: unknown): ScrollState {
  const record = isObject(value) ? value : {};
  const drafts = Object.entries(objectOf(record['drafts']));
  return {
    ticksSideways: ticks(record['ticksSideways']),
    ticksUpDown: ticks(record['ticksUpDown']),
    isPrecise: record['isPrecise'] === true,
    givesKeys: record['givesKeys'] === true,
    isWhole: record['isWhole'] === true,
    size: isSizeName(record['size']) ? record['size'] : USUAL_SIZE,
    isRotated: record['isRotated'] === true,
    drafts: Object.fromEntries(drafts.flatMap(([id, text]) => (typeof text === 'string' ? [[id, text]] : []))),
  };
}

/** The point where a scroll goes: the one given, kept inside the screen; the centre when there is none. */
export function pointOn(screen: Screen, point: Point | undefined): Point {
  if (!point) return { x: Math.floor(screen.width / 2), y: Math.floor(screen.height / 2) };
  return { x: Math.min(point.x, screen.width - 1), y: Math.min(point.y, screen.height - 1) };
}

/** The whole number a person typed, when it is one from `min` to `max`. */
export function parseWhole(text: string, min: number, max: number): number | undefined {
  if (!/^\s*\d+\s*$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** The point that a person typed, such as `960, 540`, when it is on the screen. */
export function parsePoint(text: string, screen: Screen): Point | undefined {
  const [x, y, ...rest] = text.split(/[,;]|(?<=\d)\s+(?=\d)/);
  if (x === undefined || y === undefined || rest.length > 0) return undefined;
  const point = { x: parseWhole(x, 0, screen.width - 1), y: parseWhole(y, 0, screen.height - 1) };
  return point.x === undefined || point.y === undefined ? undefined : { x: point.x, y: point.y };
}

function ticks(value: unknown): number {
  return isIn(value, 1, MAX_TICKS) ? value : DEFAULT_TICKS;
}

function isIn(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
