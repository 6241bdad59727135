import { Speaker } from './announcer';
import { handle, type Handlers } from '../messageGuard';
import { isHostMessage, type HostMessage, type Screen } from '../protocol';
import type { StreamState } from '../screenMessages';
import { format } from '../screenTexts';
import { DialogBox } from './dialogBox';
import { element } from './elements';
import { post, remember, stateNow, texts } from './host';
import { Keyboard } from './keyboard';
import { PickerBox } from './pickerBox';
import { Pointer } from './pointer';
import { Precise } from './precise';
import { Recorder } from './recorder';
import { ScreenCanvas } from './canvas';
import { Toolbar } from './toolbar';
import { ZoomButton } from './zoomButton';

/** Least time between two `look` messages, in milliseconds. */
const LOOK_MS = 5000;

const browserName = element('browser', HTMLElement);
const status = element('status', HTMLElement);
const line = element('line', HTMLElement);
const roundTrip = element('roundTrip', HTMLElement);
const live = element('live', HTMLElement);
const choose = element('choose', HTMLButtonElement);
const details = element('precise', HTMLDetailsElement);
const giveKeys = element('giveKeys', HTMLButtonElement);
const dot = element('dot', HTMLElement);
const refresh = element('refresh', HTMLButtonElement);

/** Tells this page from the ones before. */
const page = Math.floor(performance.timeOrigin);

let state: StreamState = 'none';
/** Undefined before the host knows the browser, and when the browser is gone. */
let screen: Screen | undefined;
let wasGone = false;
let title = '';
/** The tab in front, and what is open over it. */
let inFront = '';
let scrolled = { x: 0, y: 0 };
let lookedAt = 0;

const canvas = new ScreenCanvas();
const say = (sentence: string): void => {
  live.textContent = sentence;
};
const positions = new Speaker(say);
const precise = new Precise({ say, showStatus, onPoint: showPoint });
const isLive = (): boolean => state === 'live';
/** Whether pictures come of the service, which then also gets the input. */
const isByService = (): boolean => state === 'still' || state === 'whole' || state === 'controls';
/** Whether the browser can be reached over DevTools. */
const isConnected = (): boolean => isLive() || state === 'waiting' || state === 'whole';
const isUsable = (): boolean => isLive() || isByService();
const pointer = new Pointer(canvas, {
  isUsable,
  isByService,
  turnByTicks: (event, { x, y }) => precise.turn(event, { x: Math.floor(x), y: Math.floor(y) }),
});
const keyboard = new Keyboard(canvas.pad, {
  isUsable,
  layer: () => pointer.layer,
  givesAll: () => stateNow().givesKeys,
  closesSurface: () => {
    // A browser closes a popup by Escape wherever the focus is, and a side panel never: only the one that is used here.
    const isMeant =
      canvas.surfaceKind === 'popup' || (canvas.surfaceKind === 'sidePanel' && pointer.layer === 'surface');
    if (isMeant) post({ kind: 'closeSurface' });
    return isMeant;
  },
});
// The points of one picture must not be taken for points of the other one.
const toolbar = new Toolbar({ onWhole: () => showState('connecting', ''), onSize: () => canvas.layOut() });
const zoom = new ZoomButton(canvas.pad);
const dialog = new DialogBox(() => canvas.pad.focus());
const picker = new PickerBox(canvas);
const recorder = new Recorder(canvas.picture.canvas, isConnected);

function showStatus(text: string): void {
  status.textContent = text;
}

/** The point of the form is one of the whole screen; it is shown while the form is open. */
function showPoint(): void {
  const isShown = screen && details.open && isUsable();
  // A page that has another size than its window is all that there is of the screen.
  const whole = isLive() && stateNow().size !== 'window' ? canvas.sizeOf('page') : screen;
  canvas.showPoint(isShown ? precise.point : undefined, whole);
}

/** What is done with each message of the host. */
const receivers: Handlers<HostMessage> = {
  ready: (message) => {
    // Of the page before, whose answer VS Code has kept for this one: it would take the place of texts that were brought back.
    if (message.page !== page) return;
    const isAnother = wasGone;
    wasGone = false;
    screen = message.screen;
    precise.ready = message;
    browserName.textContent = message.browser;
    // The button that had the focus is of no use any more.
    if (isAnother && document.hasFocus()) canvas.pad.focus();
    showPoint();
  },
  screen: (message) => {
    ({ screen } = message);
    precise.resize(message.screen, message.point);
    showPoint();
  },
  jumped: ({ to }) => {
    showStatus(texts.ready);
    say(to === 'top' ? texts.wentToTop : texts.wentToBottom);
  },
  scrolled: ({ id, milliseconds }) => precise.scrolled(id, milliseconds),
  failed: ({ id, message }) => {
    if (precise.failed(id)) notice(message);
  },
  picture: ({ bytes }) => isByService() && canvas.showStill(bytes),
  notice: ({ message, gone }) => {
    notice(message);
    if (gone) showGone(message);
  },
  frame: (message) => {
    void canvas.showFrame(message);
    if (message.layer === 'page') speakPosition(message.scrollX, message.scrollY);
  },
  view: (message) => {
    toolbar.show(message);
    zoom.show(message.zoom);
    // The picture of the whole screen has it already.
    canvas.showSurface(isByService() ? '' : message.surface);
    if (message.surface === '' || isByService()) pointer.layer = 'page';
    const shown = `${message.tabs.find(({ isFront }) => isFront)?.id ?? ''} ${message.surface} ${message.document}`;
    // The browser closes its own when it shows something else.
    if (shown !== inFront) picker.hide();
    inFront = shown;
    if (message.title !== title) say(message.title);
    title = message.title;
  },
  dialog: (message) => {
    dialog.show(message);
    if (message.type !== '') say(message.message);
  },
  picker: (message) => picker.show(message),
  stream: ({ state: now, reason }) => showState(now, reason),
  whole: (message) => toolbar.showWhole(message),
  turned: ({ id, milliseconds }) => {
    if (pointer.turned(id)) roundTrip.textContent = `${Math.round(milliseconds)} ms`;
  },
  build: (message) => {
    line.textContent = message.line;
    dot.hidden = !message.isRunning;
    toolbar.hasExtension = message.line !== '';
    canvas.showMark(message.text);
    if (message.text !== '') say(message.text);
  },
  size: ({ size, isRotated }) => toolbar.chooseSize(size, isRotated),
  record: ({ act }) => recorder.request(act),
  say: ({ text }) => say(text),
};

function notice(text: string): void {
  showStatus(text);
  say(text);
}

function showGone(reason: string): void {
  screen = undefined;
  wasGone = true;
  showState('none', reason);
  showStatus(reason);
  precise.ready = undefined;
  // What had the focus can no longer have it.
  if (document.hasFocus()) choose.focus();
}

function showState(newState: StreamState, reason: string): void {
  const [before, wasConnected] = [state, isConnected()];
  state = newState;
  document.body.dataset['stream'] = state;
  canvas.showState(state, reason);
  keyboard.isEnabled = isUsable();
  refresh.hidden = !isByService() || state === 'controls';
  // Without pictures, the wheel of the form is all that there is.
  if (state === 'controls') details.open = true;
  if (before !== state) {
    toolbar.state = state;
    pointer.drop();
    picker.hide();
  }
  if (wasConnected !== isConnected()) {
    dialog.hide();
    if (wasConnected) zoom.show(100);
    if (wasConnected) recorder.stop();
    else recorder.begin();
  }
  const words = {
    connecting: texts.connecting,
    waiting: reason,
    live: texts.live,
    whole: `${texts.wholeState} ${reason}`,
    paused: reason,
    still: `${texts.still} ${reason}`,
    controls: texts.controls,
    none: reason,
  };
  showStatus(state === 'live' && reason !== '' ? reason : words[state]);
  status.title = reason;
  showPoint();
}

function speakPosition(x: number, y: number): void {
  if (x === scrolled.x && y === scrolled.y) return;
  scrolled = { x, y };
  if (document.hasFocus()) positions.offer(format(texts.position, Math.round(x), Math.round(y)));
}

/** The user uses the page: the host goes on with pictures that it has paused. */
function look(): void {
  const now = Date.now();
  if (now - lookedAt < LOOK_MS && state !== 'paused') return;
  lookedAt = now;
  post({ kind: 'look' });
}

for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'focus'] as const) {
  window.addEventListener(type, look, { passive: true, capture: true });
}

choose.addEventListener('click', () => {
  // The host shows a quick pick, which must get the focus.
  choose.blur();
  post({ kind: 'choose' });
});

details.open = stateNow().isPrecise;
details.addEventListener('toggle', () => {
  remember({ isPrecise: details.open });
  showPoint();
});

function showGivesKeys(): void {
  giveKeys.setAttribute('aria-pressed', String(stateNow().givesKeys));
}
giveKeys.addEventListener('click', () => {
  remember({ givesKeys: !stateNow().givesKeys });
  showGivesKeys();
});
showGivesKeys();

toolbar.state = state;
toolbar.hasExtension = false;
document.addEventListener('keydown', (event) => {
  // What an input method composes is dropped by it, which says nothing of the screen.
  if (event.key === 'Escape' && !event.isComposing) post({ kind: 'leave' });
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) return;
  precise.drop();
  pointer.drop();
});
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isHostMessage(data)) handle(receivers, data);
});
window.addEventListener('pagehide', () => {
  precise.dispose();
  positions.dispose();
});

post({ kind: 'hello', page, isWhole: stateNow().isWhole });
