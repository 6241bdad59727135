import * as guard from './messageGuard';
import { SCREEN_HOST_MESSAGES, SCREEN_PAGE_MESSAGES } from './screenMessages';
import { MAX_TICKS } from './wheel/scrollQueue';

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

const { isCount, isFlag, isMessageOf, oneOf, recordOf, whole } = guard;

const isWords = (value: unknown): value is string => typeof value === 'string';
const isEnd = oneOf<End>('top', 'bottom');
const isModifier = oneOf(...MODIFIERS);
const isScreen = recordOf({ width: whole(1, MAX_SCREEN_PIXELS), height: whole(1, MAX_SCREEN_PIXELS) });
const isLength = whole(0, MAX_SCREEN_PIXELS);
const isPoint = recordOf({ x: isLength, y: isLength });
const isTicks = whole(-MAX_TICKS, MAX_TICKS);

/** Modifiers, each at most once. */
function isHold(value: unknown): value is readonly Modifier[] {
  return Array.isArray(value) && new Set(value).size === value.length && value.every(isModifier);
}

const HOST_MESSAGES = {
  ...SCREEN_HOST_MESSAGES,
  /**
   * Answer to `hello`, and again whenever the browser, the point or the keys to hold have changed outside of the page; only after it does
   * the page scroll. `page`: the page that it is for.
   */
  ready: { page: isCount, browser: isWords, screen: isScreen, point: isPoint, hold: isHold },
  /** The screen of the browser has another size, and with it perhaps the point; all else stays. */
  screen: { screen: isScreen, point: isPoint },
  /** A scroll was performed; the time from request to answer in milliseconds. */
  scrolled: { id: isCount, milliseconds: (value: unknown): value is number => typeof value === 'number' && value >= 0 },
  /** The key that goes to an end of the page was pressed. */
  jumped: { to: isEnd },
  /** A scroll failed; the sentence is for the user. */
  failed: { id: isCount, message: isWords },
  /** The browser's screen as a PNG; its pixels are the coordinates of a scroll. */
  picture: { bytes: guard.isBytes },
  /** A notice about the browser, such as that it restarts; `gone` disables the page. */
  notice: { message: isWords, gone: isFlag },
};

/** Messages of the host to the page. */
export type HostMessage = guard.MessageOf<typeof HOST_MESSAGES>;

const PAGE_MESSAGES = {
  ...SCREEN_PAGE_MESSAGES,
  /**
   * The page can take messages. Its number tells it from the page before, which was dropped when it was hidden. `isWhole`: whether that has shown
   * the whole screen.
   */
  hello: { page: isCount, isWhole: isFlag },
  /** Scroll at a point; `right` and `down` are whole ticks, at most MAX_TICKS each way, not both 0. */
  scroll: { id: isCount, x: isLength, y: isLength, right: isTicks, down: isTicks, hold: isHold },
  /** Press the key that goes to an end of the page. */
  jump: { to: isEnd },
  /** The user has set the point or the keys to hold. */
  chosen: { point: isPoint, hold: isHold },
  /** Take a new picture. */
  refresh: {},
  /** Give the focus back to the editor. */
  leave: {},
  /** Let the user choose another browser. */
  choose: {},
};

/** Requests of the page to the host. */
export type PageMessage = guard.MessageOf<typeof PAGE_MESSAGES>;

/** True for a message of the host in every detail; anything else must be dropped. */
export function isHostMessage(value: unknown): value is HostMessage {
  return isMessageOf(HOST_MESSAGES, value);
}

/** True for a message of the page in every detail; anything else must be dropped. */
export function isPageMessage(value: unknown): value is PageMessage {
  if (!isMessageOf(PAGE_MESSAGES, value)) return false;
  return value.kind !== 'scroll' || value.right !== 0 || value.down !== 0;
}
