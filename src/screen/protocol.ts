import { isObject } from '../base/fields';
import { MAX_TICKS } from './wheel/scrollQueue';
import {
  isScreenHostMessage,
  isScreenPageMessage,
  type ScreenHostMessage,
  type ScreenPageMessage,
} from './screenMessages';

/** A modifier key of the page, and the X keysym name under which the service presses it. */
export const KEYSYMS = { ctrl: 'Control_L', shift: 'Shift_L', alt: 'Alt_L', meta: 'Super_L' } as const;
export type Modifier = keyof typeof KEYSYMS;
export const MODIFIERS: readonly Modifier[] = ['ctrl', 'shift', 'alt', 'meta'];

/** Names printed on the keys; they are not translated. */
export const KEY_NAMES: Readonly<Record<Modifier, string>> = { ctrl: 'Ctrl', shift: 'Shift', alt: 'Alt', meta: 'Meta' };

/** Screen of the browser in pixels: coordinates run from 0 to one less. */
export interface Screen {
  width: number;
  height: number;
}

/** A point of the screen in pixels. */
export interface Point {
  x: number;
  y: number;
}

/** An end of the page. */
export type End = 'top' | 'bottom';

/** Larger screens do not exist in the service. */
const MAX_SCREEN_PIXELS = 32_768;

/** Messages of the host to the page. */
export type HostMessage =
  | ScreenHostMessage
  /**
   * Answer to `hello`, and again whenever the browser, the point or the keys to hold have changed outside of the page; only after it does
   * the page scroll. `page`: the page that it is for.
   */
  | { kind: 'ready'; page: number; browser: string; screen: Screen; point: Point; hold: readonly Modifier[] }
  /** The screen of the browser has another size, and with it perhaps the point; all else stays. */
  | { kind: 'screen'; screen: Screen; point: Point }
  /** A scroll was performed; the time from request to answer in milliseconds. */
  | { kind: 'scrolled'; id: number; milliseconds: number }
  /** The key that goes to an end of the page was pressed. */
  | { kind: 'jumped'; to: End }
  /** A scroll failed; the sentence is for the user. */
  | { kind: 'failed'; id: number; message: string }
  /** The browser's screen as a PNG; its pixels are the coordinates of a scroll. */
  | { kind: 'picture'; bytes: Uint8Array }
  /** A notice about the browser, such as that it restarts; `gone` disables the page. */
  | { kind: 'notice'; message: string; gone: boolean };

/** Requests of the page to the host. */
export type PageMessage =
  | ScreenPageMessage
  /**
   * The page can take messages. Its number tells it from the page before, which was dropped when it was hidden. `isWhole`: whether that has shown
   * the whole screen.
   */
  | { kind: 'hello'; page: number; isWhole: boolean }
  /** Scroll at a point; `right` and `down` are whole ticks, at most MAX_TICKS each way, not both 0. */
  | { kind: 'scroll'; id: number; x: number; y: number; right: number; down: number; hold: Modifier[] }
  /** Press the key that goes to an end of the page. */
  | { kind: 'jump'; to: End }
  /** The user has set the point or the keys to hold. */
  | { kind: 'chosen'; point: Point; hold: Modifier[] }
  /** Take a new picture. */
  | { kind: 'refresh' }
  /** Give the focus back to the editor. */
  | { kind: 'leave' }
  /** Let the user choose another browser. */
  | { kind: 'choose' };

/** True for a message of the host in every detail; anything else must be dropped. */
export function isHostMessage(value: unknown): value is HostMessage {
  if (!isObject(value)) return false;
  switch (value['kind']) {
    case 'ready':
      return (
        isWhole(value['page'], 0) &&
        typeof value['browser'] === 'string' &&
        isScreen(value['screen']) &&
        isPoint(value['point']) &&
        isHold(value['hold'])
      );
    case 'screen':
      return isScreen(value['screen']) && isPoint(value['point']);
    case 'jumped':
      return isEnd(value['to']);
    case 'scrolled':
      return isWhole(value['id'], 0) && typeof value['milliseconds'] === 'number' && value['milliseconds'] >= 0;
    case 'failed':
      return isWhole(value['id'], 0) && typeof value['message'] === 'string';
    case 'picture':
      return value['bytes'] instanceof Uint8Array;
    case 'notice':
      return typeof value['message'] === 'string' && typeof value['gone'] === 'boolean';
    default:
      return isScreenHostMessage(value);
  }
}

/** True for a message of the page in every detail; anything else must be dropped. */
export function isPageMessage(value: unknown): value is PageMessage {
  if (!isObject(value)) return false;
  switch (value['kind']) {
    case 'hello':
      return isWhole(value['page'], 0) && typeof value['isWhole'] === 'boolean';
    case 'refresh':
    case 'leave':
    case 'choose':
      return true;
    case 'jump':
      return isEnd(value['to']);
    case 'chosen':
      return isPoint(value['point']) && isHold(value['hold']);
    case 'scroll': {
      const { id, x, y, right, down, hold } = value;
      const isTurn = isWhole(right, -MAX_TICKS, MAX_TICKS) && isWhole(down, -MAX_TICKS, MAX_TICKS);
      return isWhole(id, 0) && isPoint({ x, y }) && isTurn && (right !== 0 || down !== 0) && isHold(hold);
    }
    default:
      return isScreenPageMessage(value);
  }
}

function isScreen(value: unknown): value is Screen {
  return (
    isObject(value) && isWhole(value['width'], 1, MAX_SCREEN_PIXELS) && isWhole(value['height'], 1, MAX_SCREEN_PIXELS)
  );
}

function isPoint(value: unknown): value is Point {
  return isObject(value) && isWhole(value['x'], 0, MAX_SCREEN_PIXELS) && isWhole(value['y'], 0, MAX_SCREEN_PIXELS);
}

function isEnd(value: unknown): value is End {
  return value === 'top' || value === 'bottom';
}

function isHold(value: unknown): value is Modifier[] {
  return (
    Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((key) => MODIFIERS.some((known) => known === key))
  );
}

function isWhole(value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
