import * as guard from './messageGuard';
import { isSizeName, MAX_FIT, type ShownSize } from './pageSizes';
import { isPicker, MAX_LABEL } from './pickers';
import { isZoom } from './zoom';

/**
 * How the screen gets its pictures: `live` of the page by DevTools, `waiting` for the first one of these, `whole` of the whole screen by the service because the user has chosen it,
 * `still` by the service because DevTools cannot be reached; `controls`: the service gives no pictures, but turns the wheel; `connecting` and `paused`: not now; `none`: not at all.
 */
const STREAM_STATES = ['connecting', 'waiting', 'live', 'whole', 'paused', 'still', 'controls', 'none'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

/** Starts or stops a recording; `toggle` stops a running one and starts one otherwise. */
const RECORD_ACTS = ['start', 'stop', 'toggle'] as const;
export type RecordAct = (typeof RECORD_ACTS)[number];

/** A tab as the screen shows it. */
export interface ScreenTab {
  id: string;
  title: string;
  isFront: boolean;
}

/** Most device pixels of a CSS pixel. */
const MAX_RATIO = 10;

const { isBytes, isCount, isFlag, isNumber, isText, listOf, oneOf, recordOf, whole } = guard;

const isLayer = oneOf('page', 'surface');
const isModifiers = whole(0, 15);
const isTab: (value: unknown) => value is ScreenTab = recordOf({ id: isText, title: isText, isFront: isFlag });
const isShownSize = recordOf({
  width: whole(1, MAX_FIT),
  height: whole(1, MAX_FIT),
  ratio: (value): value is number => isNumber(value) && value >= 0 && value <= MAX_RATIO,
});

/** Messages of the host about the live picture. */
export const SCREEN_HOST_MESSAGES = {
  /** A JPEG of a layer. `id` tells it from others; the page answers `drawn`. The sizes are those of the viewport in CSS pixels. */
  frame: {
    layer: isLayer,
    id: isCount,
    bytes: isBytes,
    width: isNumber,
    height: isNumber,
    scrollX: isNumber,
    scrollY: isNumber,
  },
  /** What the browser shows. `document`: identifies the document of the tab in front; `zoom`: by how much the browser zooms it, in percent. */
  view: {
    tabs: listOf(isTab),
    address: isText,
    title: isText,
    canGoBack: isFlag,
    canGoForward: isFlag,
    isLoading: isFlag,
    document: isText,
    zoom: isCount,
    surface: oneOf('', 'popup', 'sidePanel'),
  },
  /** A page asks something by a dialog, and is blocked until it is answered; `type` is empty when it was closed. `speaker`: whose words it shows. */
  dialog: { layer: isLayer, type: isText, speaker: isText, message: isText, prompt: isText },
  /** What the browser draws itself over its page, to be shown in its place. */
  picker: { layer: isLayer, picker: isPicker },
  /** Where the pictures come from, and why there are none, as a sentence. */
  stream: { state: oneOf(...STREAM_STATES), reason: isText },
  /** Whether the service can show the whole screen with the browser's own frame, and whether the user has chosen that. */
  whole: { isOffered: isFlag, isOn: isFlag },
  /** A batch of wheel pixels was handled. */
  turned: { id: isCount, milliseconds: isNumber },
  /** A push has ended; shown on the picture for a moment. Empty removes it. `line`: what runs now, or why it does not. */
  build: { text: isText, line: isText, isRunning: isFlag },
  /** Choose a size of the page, as if it were chosen in the list. */
  size: { size: isSizeName, isRotated: isFlag },
  /** Record the picture, or end it. */
  record: { act: oneOf(...RECORD_ACTS) },
  /** A sentence for the screen reader. */
  say: { text: isText },
};
export type ScreenHostMessage = guard.MessageOf<typeof SCREEN_HOST_MESSAGES>;

/**
 * Requests of the page about the picture. Coordinates are CSS pixels of the layer's viewport, and pixels of the picture where that is one of the
 * service.
 */
export const SCREEN_PAGE_MESSAGES = {
  /** The frame was drawn. */
  drawn: { layer: isLayer, id: isCount },
  /** The user uses the page. */
  look: {},
  /** The picture is shown in so many device pixels. */
  area: { width: isNumber, height: isNumber },
  wheel: {
    id: isCount,
    layer: isLayer,
    x: isNumber,
    y: isNumber,
    right: isNumber,
    down: isNumber,
    modifiers: isModifiers,
  },
  /** A `MouseStroke`. */
  mouse: {
    layer: isLayer,
    type: oneOf('down', 'up', 'move'),
    x: isNumber,
    y: isNumber,
    button: whole(-1, 4),
    buttons: isCount,
    clicks: isCount,
    modifiers: isModifiers,
  },
  /** A `KeyStroke`. */
  key: {
    layer: isLayer,
    type: oneOf('down', 'up'),
    key: isText,
    code: isText,
    keyCode: isCount,
    location: isCount,
    text: isText,
    isRepeated: isFlag,
    modifiers: isModifiers,
  },
  /** A text that an input method has finished. */
  text: { layer: isLayer, text: isText },
  /** The text that an input method is still composing. */
  compose: { layer: isLayer, text: isText },
  /** Exchange a text with the clipboard of this machine. */
  clipboard: { layer: isLayer, act: oneOf('copy', 'cut', 'paste') },
  /** Show what was typed into the address bar. */
  address: { text: isText },
  /** Back, reload, forward. */
  history: { by: oneOf(-1, 0, 1) },
  tab: { act: oneOf('show', 'close'), id: isText },
  newTab: {},
  zoom: { percent: isZoom },
  /** Show the page in a size from now on, or in that of the browser's window. */
  size: {
    size: (value: unknown): value is ShownSize | 'window' => value === 'window' || isShownSize(value),
  },
  answer: { layer: isLayer, accept: isFlag, text: isText },
  /** Choose an entry of the list that is open, give a value to the field whose picker is, or close it. */
  pick: { layer: isLayer, index: isCount },
  fill: {
    layer: isLayer,
    value: (value: unknown): value is string => isText(value) && value.length <= MAX_LABEL,
  },
  closePicker: { layer: isLayer },
  closeSurface: {},
  /** Show the whole screen, or the page live. */
  whole: { isOn: isFlag },
  /** Say what is at a point. */
  describe: { x: isNumber, y: isNumber },
  savePicture: {},
  /** Open the popup of the pushed extension. */
  openPopup: {},
  /** A part of a recording; `isLast` ends it. */
  recorded: { bytes: isBytes, isLast: isFlag },
};
export type ScreenPageMessage = guard.MessageOf<typeof SCREEN_PAGE_MESSAGES>;
