import { isObject } from '../base/fields';
import { isSizeName, MAX_FIT, type ShownSize, type SizeName } from './pageSizes';
import { decodePicker, MAX_LABEL, type Picker } from './pickers';
import { isZoom } from './zoom';
import type { KeyStroke, Layer, MouseStroke } from './strokes';

/**
 * How the screen gets its pictures: `live` of the page by DevTools, `waiting` for the first one of these, `whole` of the whole screen by the service because the user has chosen it,
 * `still` by the service because DevTools cannot be reached; `controls`: the service gives no pictures, but turns the wheel; `connecting` and `paused`: not now; `none`: not at all.
 */
const STREAM_STATES = ['connecting', 'waiting', 'live', 'whole', 'paused', 'still', 'controls', 'none'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

/** Starts or stops a recording; `toggle` stops a running one and starts one otherwise. */
export type RecordAct = 'start' | 'stop' | 'toggle';

/** A tab as the screen shows it. */
export interface ScreenTab {
  id: string;
  title: string;
  isFront: boolean;
}

/** Messages of the host about the live picture. */
export type ScreenHostMessage =
  /** A JPEG of a layer. `id` tells it from others; the page answers `drawn`. The sizes are those of the viewport in CSS pixels. */
  | {
      kind: 'frame';
      layer: Layer;
      id: number;
      bytes: Uint8Array;
      width: number;
      height: number;
      scrollX: number;
      scrollY: number;
    }
  /** What the browser shows. */
  | {
      kind: 'view';
      tabs: readonly ScreenTab[];
      address: string;
      title: string;
      canGoBack: boolean;
      canGoForward: boolean;
      isLoading: boolean;
      /** By how much the browser zooms the page, in percent. */
      zoom: number;
      surface: '' | 'popup' | 'sidePanel';
    }
  /** A page asks something by a dialog, and is blocked until it is answered; `type` is empty when it was closed. `speaker`: whose words it shows. */
  | { kind: 'dialog'; layer: Layer; type: string; speaker: string; message: string; prompt: string }
  /** What the browser draws itself over its page, to be shown in its place. */
  | { kind: 'picker'; layer: Layer; picker: Picker }
  /** Where the pictures come from, and why there are none, as a sentence. */
  | { kind: 'stream'; state: StreamState; reason: string }
  /** Whether the service can show the whole screen with the browser's own frame, and whether the user has chosen that. */
  | { kind: 'whole'; isOffered: boolean; isOn: boolean }
  /** A batch of wheel pixels was handled. */
  | { kind: 'turned'; id: number; milliseconds: number }
  /** A push has ended; shown on the picture for a moment. Empty removes it. `line`: what runs now, or why it does not. */
  | { kind: 'build'; text: string; line: string; isRunning: boolean }
  /** Choose a size of the page, as if it were chosen in the list. */
  | { kind: 'size'; size: SizeName; isRotated: boolean }
  /** Record the picture, or end it. */
  | { kind: 'record'; act: RecordAct }
  /** A sentence for the screen reader. */
  | { kind: 'say'; text: string };

/**
 * Requests of the page about the picture. Coordinates are CSS pixels of the layer's viewport, and pixels of the picture where that is one of the
 * service.
 */
export type ScreenPageMessage =
  /** The frame was drawn. */
  | { kind: 'drawn'; layer: Layer; id: number }
  /** The user uses the page. */
  | { kind: 'look' }
  /** The picture is shown in so many device pixels. */
  | { kind: 'area'; width: number; height: number }
  | {
      kind: 'wheel';
      id: number;
      layer: Layer;
      x: number;
      y: number;
      right: number;
      down: number;
      modifiers: number;
    }
  | ({ kind: 'mouse'; layer: Layer } & MouseStroke)
  | ({ kind: 'key'; layer: Layer } & KeyStroke)
  /** A text that an input method has finished. */
  | { kind: 'text'; layer: Layer; text: string }
  /** The text that an input method is still composing. */
  | { kind: 'compose'; layer: Layer; text: string }
  /** Exchange a text with the clipboard of this machine. */
  | { kind: 'clipboard'; layer: Layer; act: 'copy' | 'cut' | 'paste' }
  /** Show what was typed into the address bar. */
  | { kind: 'address'; text: string }
  /** Back, reload, forward. */
  | { kind: 'history'; by: -1 | 0 | 1 }
  | { kind: 'tab'; act: 'show' | 'close'; id: string }
  | { kind: 'newTab' }
  | { kind: 'zoom'; percent: number }
  /** Show the page in a size from now on, or in that of the browser's window. */
  | { kind: 'size'; size: ShownSize | 'window' }
  | { kind: 'answer'; layer: Layer; accept: boolean; text: string }
  /** Choose an entry of the list that is open, give a value to the field whose picker is, or close it. */
  | { kind: 'pick'; layer: Layer; index: number }
  | { kind: 'fill'; layer: Layer; value: string }
  | { kind: 'closePicker'; layer: Layer }
  | { kind: 'closeSurface' }
  /** Show the whole screen, or the page live. */
  | { kind: 'whole'; isOn: boolean }
  /** Say what is at a point. */
  | { kind: 'describe'; x: number; y: number }
  | { kind: 'savePicture' }
  /** Open the popup of the pushed extension. */
  | { kind: 'openPopup' }
  /** A part of a recording; `isLast` ends it. */
  | { kind: 'recorded'; bytes: Uint8Array; isLast: boolean };

type Fields = Record<string, unknown>;
type Guards<T extends { kind: string }> = Readonly<Record<T['kind'], (fields: Fields) => boolean>>;

/** Most device pixels of a CSS pixel. */
const MAX_RATIO = 10;

/** Longest text of a message, in characters. */
const MAX_TEXT = 1_000_000;

const HOST_GUARDS: Guards<ScreenHostMessage> = {
  frame: (m) =>
    isLayer(m) &&
    isCount(m['id']) &&
    m['bytes'] instanceof Uint8Array &&
    areNumbers(m, 'width', 'height', 'scrollX', 'scrollY'),
  view: (m) =>
    Array.isArray(m['tabs']) &&
    m['tabs'].every(isTab) &&
    areTexts(m, 'address', 'title') &&
    areFlags(m, 'canGoBack', 'canGoForward', 'isLoading') &&
    isCount(m['zoom']) &&
    isOneOf(m['surface'], ['', 'popup', 'sidePanel']),
  dialog: (m) => isLayer(m) && areTexts(m, 'type', 'speaker', 'message', 'prompt'),
  picker: (m) => isLayer(m) && decodePicker(m['picker']) !== undefined,
  stream: (m) => isOneOf(m['state'], STREAM_STATES) && areTexts(m, 'reason'),
  whole: (m) => areFlags(m, 'isOffered', 'isOn'),
  turned: (m) => isCount(m['id']) && areNumbers(m, 'milliseconds'),
  build: (m) => areTexts(m, 'text', 'line') && areFlags(m, 'isRunning'),
  size: (m) => isSizeName(m['size']) && areFlags(m, 'isRotated'),
  record: (m) => isOneOf(m['act'], ['start', 'stop', 'toggle']),
  say: (m) => areTexts(m, 'text'),
};

const PAGE_GUARDS: Guards<ScreenPageMessage> = {
  drawn: (m) => isLayer(m) && isCount(m['id']),
  look: () => true,
  area: (m) => areNumbers(m, 'width', 'height'),
  wheel: (m) => isLayer(m) && isCount(m['id']) && areNumbers(m, 'x', 'y', 'right', 'down') && isModifiers(m),
  mouse: (m) =>
    isLayer(m) &&
    isOneOf(m['type'], ['down', 'up', 'move']) &&
    areNumbers(m, 'x', 'y') &&
    isOneOf(m['button'], [-1, 0, 1, 2, 3, 4]) &&
    isCount(m['buttons']) &&
    isCount(m['clicks']) &&
    isModifiers(m),
  key: (m) =>
    isLayer(m) &&
    isOneOf(m['type'], ['down', 'up']) &&
    areTexts(m, 'key', 'code', 'text') &&
    isCount(m['keyCode']) &&
    isCount(m['location']) &&
    areFlags(m, 'isRepeated') &&
    isModifiers(m),
  text: (m) => isLayer(m) && areTexts(m, 'text'),
  compose: (m) => isLayer(m) && areTexts(m, 'text'),
  clipboard: (m) => isLayer(m) && isOneOf(m['act'], ['copy', 'cut', 'paste']),
  address: (m) => areTexts(m, 'text'),
  history: (m) => isOneOf(m['by'], [-1, 0, 1]),
  tab: (m) => isOneOf(m['act'], ['show', 'close']) && areTexts(m, 'id'),
  newTab: () => true,
  zoom: (m) => isZoom(m['percent']),
  size: ({ size }) => size === 'window' || isShownSize(size),
  answer: (m) => isLayer(m) && areFlags(m, 'accept') && areTexts(m, 'text'),
  pick: (m) => isLayer(m) && isCount(m['index']),
  fill: (m) => isLayer(m) && typeof m['value'] === 'string' && m['value'].length <= MAX_LABEL,
  closePicker: isLayer,
  closeSurface: () => true,
  whole: (m) => areFlags(m, 'isOn'),
  describe: (m) => areNumbers(m, 'x', 'y'),
  savePicture: () => true,
  openPopup: () => true,
  recorded: (m) => m['bytes'] instanceof Uint8Array && areFlags(m, 'isLast'),
};

/** True for a message of the host about the live picture, right in every detail. */
export function isScreenHostMessage(value: unknown): value is ScreenHostMessage {
  return passes(HOST_GUARDS, value);
}

/** True for a request of the page about the live picture, right in every detail. */
export function isScreenPageMessage(value: unknown): value is ScreenPageMessage {
  return passes(PAGE_GUARDS, value);
}

function passes(guards: Readonly<Record<string, (fields: Fields) => boolean>>, value: unknown): boolean {
  if (!isObject(value)) return false;
  const kind = value['kind'];
  return typeof kind === 'string' && Object.hasOwn(guards, kind) && guards[kind]?.(value) === true;
}

function isShownSize(value: unknown): boolean {
  const isLength = (length: unknown): boolean => isCount(length) && Number(length) >= 1 && Number(length) <= MAX_FIT;
  if (!isObject(value) || !isLength(value['width']) || !isLength(value['height'])) return false;
  return areNumbers(value, 'ratio') && Number(value['ratio']) >= 0 && Number(value['ratio']) <= MAX_RATIO;
}

function isTab(value: unknown): boolean {
  return isObject(value) && areTexts(value, 'id', 'title') && areFlags(value, 'isFront');
}

function isLayer({ layer }: Fields): boolean {
  return layer === 'page' || layer === 'surface';
}

function isModifiers({ modifiers }: Fields): boolean {
  return isCount(modifiers) && Number(modifiers) < 16;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function areNumbers(fields: Fields, ...names: string[]): boolean {
  return names.every((name) => Number.isFinite(fields[name]));
}

function areTexts(fields: Fields, ...names: string[]): boolean {
  return names.every((name) => {
    const text = fields[name];
    return typeof text === 'string' && text.length <= MAX_TEXT;
  });
}

function areFlags(fields: Fields, ...names: string[]): boolean {
  return names.every((name) => typeof fields[name] === 'boolean');
}

function isOneOf(value: unknown, allowed: readonly unknown[]): boolean {
  return allowed.includes(value);
}
