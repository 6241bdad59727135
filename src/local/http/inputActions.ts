import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_VIEWPORT, type Viewport } from '../../service/interface';
import type { Chromium, PageSession } from '../chromium/chromium';
import { onVisiblePage, zoomOf } from '../chromium/screen';
import { internalError, invalidInput } from '../httpErrors';
import {
  onlyFields,
  optionalFlag,
  optionalInteger,
  optionalText,
  requiredInteger,
  requiredText,
  textList,
  type JsonObject,
} from '../requestFields';
import { drag, moveSmoothly, typeText, type DragTiming } from '../input/gestures';
import { click, move, pressKeys, scroll, type MouseButton, type Point } from '../input/input';
import type { Session } from '../sessions/session';

type ReadAction = (session: Session, fields: JsonObject) => InputAction;

/** One action on a session's screen, with a validated body. */
export type InputAction = (chromium: Chromium) => Promise<void>;

const BUTTONS: readonly MouseButton[] = ['left', 'right', 'middle', 'back', 'forward'];
const DRAG_BUTTONS = ['left', 'middle', 'right'] as const;
const CLICK_KINDS = ['click', 'down', 'up'] as const;
/** Defaults of a drag, as on the service. */
const STEPS_PER_SEGMENT = 10;
const STEP_DELAY_MS = 50;

/** Limits of one action: it goes on after its client has left, and other input of the browser waits for it. */
const MOST_TICKS = 1000;
const MOST_CLICKS = 100;
const MOST_STEPS = 1000;
const MOST_POINTS = 1000;
const MOST_KEYS = 1000;
/** Longest name of a key, in characters; those of X keysyms have about 20. */
const MOST_KEY_CHARACTERS = 50;
const MOST_CHARACTERS = 100_000;
const MOST_MS = 600_000;

/** The actions by their names in the interface. Each function validates the body (400 names the field) and returns the action. */
export const ACTIONS = {
  scroll: readScroll,
  move_mouse: readMove,
  click_mouse: readClick,
  drag_mouse: readDrag,
  press_key: readPressKey,
  type_text: readTypeText,
} satisfies Record<string, ReadAction>;

/** Waits; 500 when the browser ends in the meantime. */
export function readSleep(_session: Session, fields: JsonObject): InputAction {
  const ms = milliseconds(fields, 'duration_ms');
  if (ms === undefined) throw invalidInput('"duration_ms" is required.');
  return async (chromium) => {
    const abort = new AbortController();
    const elapsed = delay(ms, true, { signal: abort.signal });
    try {
      const isElapsed = await Promise.race([elapsed, chromium.ended.then(() => false)]);
      if (!isElapsed) throw internalError('The browser of this session ended or was restarted.');
    } finally {
      elapsed.catch(() => undefined);
      abort.abort();
    }
  };
}

/** Runs `work` on the visible page, in the coordinates of the session's viewport. */
export function onPage<T>(session: Session, chromium: Chromium, work: (page: PageSession) => Promise<T>): Promise<T> {
  return onVisiblePage(chromium, { viewport: viewportOf(session), headless: session.record.headless }, work);
}

/** The screen of a session. */
export function viewportOf(session: Session): Viewport {
  return session.record.viewport ?? DEFAULT_VIEWPORT;
}

/** `x` and `y` of a body, which must be on the screen. */
export function readPoint(session: Session, fields: JsonObject): Point {
  const at = { x: requiredInteger(fields, 'x'), y: requiredInteger(fields, 'y') };
  checkPoint(session, at);
  return at;
}

function readScroll(session: Session, fields: JsonObject): InputAction {
  onlyFields(fields, ['x', 'y', 'delta_x', 'delta_y', 'hold_keys']);
  const at = { x: requiredInteger(fields, 'x'), y: requiredInteger(fields, 'y') };
  const [ticksX, ticksY] = [optionalInteger(fields, 'delta_x') ?? 0, optionalInteger(fields, 'delta_y') ?? 0];
  refuseMore('delta_x', Math.abs(ticksX), MOST_TICKS);
  refuseMore('delta_y', Math.abs(ticksY), MOST_TICKS);
  const held = keyNames(fields, 'hold_keys');
  // In the order of the service's checks.
  if (ticksX === 0 && ticksY === 0) throw invalidInput('at least one of delta_x and delta_y must not be 0');
  checkPoint(session, at);
  return pointing(session, at, (page, inCss) => scroll(page, inCss(at), ticksX, ticksY, session.pressed, held));
}

function readMove(session: Session, fields: JsonObject): InputAction {
  const at = readPoint(session, fields);
  const held = keyNames(fields, 'hold_keys');
  const smooth = optionalFlag(fields, 'smooth') ?? false;
  const duration = milliseconds(fields, 'duration_ms');
  const { pressed } = session;
  return pointing(session, at, (page, inCss) =>
    smooth
      ? moveSmoothly(page, inCss(session.pointer), inCss(at), duration, pressed, held)
      : move(page, inCss(at), pressed, held),
  );
}

function readClick(session: Session, fields: JsonObject): InputAction {
  const at = readPoint(session, fields);
  const button = oneOf(BUTTONS, optionalText(fields, 'button') ?? 'left', 'button');
  const kind = oneOf(CLICK_KINDS, optionalText(fields, 'click_type') ?? 'click', 'click_type');
  const times = optionalInteger(fields, 'num_clicks') ?? 1;
  if (times < 1) throw invalidInput('"num_clicks" must be at least 1.');
  refuseMore('num_clicks', times, MOST_CLICKS);
  const held = keyNames(fields, 'hold_keys');
  return pointing(session, at, (page, inCss) => click(page, inCss(at), button, kind, times, session.pressed, held));
}

function readDrag(session: Session, fields: JsonObject): InputAction {
  const path = readPath(session, fields);
  const button = oneOf(DRAG_BUTTONS, optionalText(fields, 'button') ?? 'left', 'button');
  const steps = optionalInteger(fields, 'steps_per_segment') ?? STEPS_PER_SEGMENT;
  if (steps < 1) throw invalidInput('"steps_per_segment" must be at least 1.');
  refuseMore('steps_per_segment', steps, MOST_STEPS);
  const stepMs = milliseconds(fields, 'step_delay_ms') ?? STEP_DELAY_MS;
  const timing: DragTiming = { beforeMs: milliseconds(fields, 'delay') ?? 0, steps, stepMs };
  if (optionalFlag(fields, 'smooth')) timing.totalMs = milliseconds(fields, 'duration_ms') ?? 'by length';
  const held = keyNames(fields, 'hold_keys');
  const { pressed } = session;
  return pointing(session, path.at(-1) ?? session.pointer, (page, inCss) =>
    drag(page, path.map(inCss), button, timing, pressed, held),
  );
}

function readPressKey(session: Session, fields: JsonObject): InputAction {
  const keys = keyNames(fields, 'keys');
  if (keys.length === 0) throw invalidInput('"keys" must name at least one key.');
  const duration = milliseconds(fields, 'duration') ?? 0;
  const held = keyNames(fields, 'hold_keys');
  return (chromium) => onPage(session, chromium, (page) => pressKeys(page, keys, duration, held));
}

function readTypeText(session: Session, fields: JsonObject): InputAction {
  const text = requiredText(fields, 'text');
  refuseMore('text', text.length, MOST_CHARACTERS);
  const pause = milliseconds(fields, 'delay') ?? 0;
  return (chromium) => onPage(session, chromium, (page) => typeText(page, text, pause));
}

/** An action after which the pointer is at `end`. `inCss`: a point of the screen in the CSS pixels of the page, which its browser may zoom. */
function pointing(
  session: Session,
  end: Point,
  work: (page: PageSession, inCss: (at: Point) => Point) => Promise<void>,
): InputAction {
  return async (chromium) => {
    await onPage(session, chromium, async (page) => {
      const zoom = await zoomOf(page);
      await work(page, ({ x, y }) => ({ x: x / zoom, y: y / zoom }));
    });
    session.pointer = end;
  };
}

function readPath(session: Session, fields: JsonObject): Point[] {
  const given = fields['path'];
  if (!Array.isArray(given) || given.length < 2) throw invalidInput('"path" must contain at least two points.');
  refuseMore('path', given.length, MOST_POINTS);
  return given.map((pair: unknown) => {
    const [x, y, more] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (more !== undefined) throw invalidInput('"path" must be a list of [x, y] pairs.');
    return readPoint(session, { x, y });
  });
}

function checkPoint(session: Session, { x, y }: Point): void {
  const { width, height } = viewportOf(session);
  if (x < 0 || y < 0) throw invalidInput('coordinates must not be negative');
  if (x >= width || y >= height) {
    throw invalidInput(`coordinates are outside of the screen: the largest are x=${width - 1}, y=${height - 1}`);
  }
}

/** Names of keys and combinations of them. */
function keyNames(fields: JsonObject, name: string): string[] {
  const names = textList(fields, name);
  refuseMore(name, names.length, MOST_KEYS);
  // Before they are split, since a text of some megabytes holds millions of keys.
  const characters = names.reduce((sum, { length }) => sum + length, 0);
  const keys = characters > MOST_KEYS * MOST_KEY_CHARACTERS ? characters : names.join('+').split('+').length;
  refuseMore(name, keys, MOST_KEYS);
  return names;
}

function milliseconds(fields: JsonObject, name: string): number | undefined {
  const value = optionalInteger(fields, name);
  if (value !== undefined && value < 0) throw invalidInput(`"${name}" must not be negative.`);
  if (value !== undefined) refuseMore(name, value, MOST_MS);
  return value;
}

function refuseMore(name: string, value: number, most: number): void {
  if (value > most) throw invalidInput(`"${name}" must be at most ${most}.`);
}

function oneOf<T extends string>(allowed: readonly T[], value: string, name: string): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalidInput(`"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}
