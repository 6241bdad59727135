import { Announcer } from '../scroll/announcer';
import {
  isHostMessage,
  MODIFIERS,
  type End,
  type HostMessage,
  type Modifier,
  type PageMessage,
  type Screen,
} from '../scroll/protocol';
import { MAX_TICKS, ScrollQueue } from '../scroll/queue';
import { decodeState, type ScrollState } from '../scroll/state';
import { decodeTexts, format } from '../scroll/texts';
import type { Ticks } from '../scroll/wheel';
import { element } from './elements';
import { NumberField } from './numberField';
import { Pad } from './pad';

/** VS Code's interface for a page: messages to the host, and state that survives hiding. */
declare function acquireVsCodeApi(): {
  postMessage: (message: PageMessage) => void;
  getState: () => unknown;
  setState: (state: ScrollState) => void;
};

/** Largest coordinate until the screen is known. */
const UNKNOWN_LIMIT = Number.MAX_SAFE_INTEGER;

const host = acquireVsCodeApi();
const texts = decodeTexts(document.body.dataset['texts'] ?? '');
const restored = decodeState(host.getState());
const queue = new ScrollQueue();
const held = new Set<Modifier>();

const browserName = element('browser', HTMLElement);
const status = element('status', HTMLElement);
const roundTrip = element('roundTrip', HTMLElement);
const live = element('live', HTMLElement);
const choose = element('choose', HTMLButtonElement);
const refresh = element('refresh', HTMLButtonElement);

const atPoint = { min: 0, max: UNKNOWN_LIMIT };
const x = new NumberField('x', 0, atPoint, texts, choosePoint);
const y = new NumberField('y', 0, atPoint, texts, choosePoint);
const amount = { min: 1, max: MAX_TICKS };
const ticksSideways = new NumberField('ticksSideways', restored.ticksSideways, amount, texts, remember);
const ticksUpDown = new NumberField('ticksUpDown', restored.ticksUpDown, amount, texts, remember);
const fields = { x, y, ticksSideways, ticksUpDown };

const pad = new Pad({
  texts,
  ticks: () => ({ sideways: ticksSideways.value, upDown: ticksUpDown.value }),
  onTurn: scroll,
  onPoint: (point) => {
    x.value = point.x;
    y.value = point.y;
    choosePoint();
  },
  onEnd: jump,
});

const announcer = new Announcer(
  texts,
  (sentence) => {
    live.textContent = sentence;
  },
  (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => {
      clearTimeout(timer);
    };
  },
);

/** Set by the host's `ready`: nothing is sent, and nothing can be pressed, before it or after the browser is gone. */
let screen: Screen | undefined;
let wasGone = false;
/** Texts of fields from before the page was hidden: the first `ready` puts them back. */
let { drafts } = restored;
// Answers to requests from before the page was hidden and created again must match nothing.
let nextId = Math.floor(performance.timeOrigin);
let sent: { id: number; ticks: Ticks } | undefined;
let frame: number | undefined;

function remember(): void {
  const invalid: Record<string, string> = {};
  for (const [id, { draft }] of Object.entries(fields)) if (draft !== undefined) invalid[id] = draft;
  host.setState({ ticksSideways: ticksSideways.value, ticksUpDown: ticksUpDown.value, drafts: invalid });
}

/** Tells the host the point and the keys, which it remembers for this browser. */
function tellChoice(): void {
  host.postMessage({ kind: 'chosen', point: { x: x.value, y: y.value }, hold: [...held] });
}

function choosePoint(): void {
  pad.mark({ x: x.value, y: y.value });
  remember();
  tellChoice();
}

/** Scrolls to an end of the page; what waits to be scrolled no longer matters. */
function jump(to: End): void {
  if (!screen) return;
  queue.drop();
  status.textContent = texts.sending;
  host.postMessage({ kind: 'jump', to });
}

/** Sums the scrolls within a frame; the queue sums those during a request. */
function scroll(ticks: Ticks): void {
  if (!screen) return;
  const invalid = [x, y].find((field) => !field.isValid);
  if (invalid) {
    invalid.focus();
    return;
  }
  queue.add(ticks);
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    sendNext();
  });
}

function sendNext(): void {
  if (!screen || document.hidden) return;
  const ticks = queue.take();
  if (!ticks) return;
  sent = { id: nextId++, ticks };
  status.textContent = texts.sending;
  host.postMessage({ kind: 'scroll', id: sent.id, x: x.value, y: y.value, ...ticks, hold: [...held] });
}

/** The request under way was answered; an answer to any other is late and ignored. */
function answered(id: number): Ticks | undefined {
  if (sent?.id !== id) return undefined;
  const { ticks } = sent;
  sent = undefined;
  queue.finish();
  return ticks;
}

function enable(newScreen: Screen | undefined): void {
  screen = newScreen;
  pad.screen = newScreen;
  for (const field of Object.values(fields)) field.isEnabled = newScreen !== undefined;
  for (const id of ['up', 'down', 'left', 'right', 'top', 'bottom', 'refresh', ...MODIFIERS]) {
    element(id, HTMLButtonElement).disabled = newScreen === undefined;
  }
  choose.hidden = newScreen !== undefined;
}

function receive(message: HostMessage): void {
  switch (message.kind) {
    case 'ready': {
      const isAnother = wasGone;
      wasGone = false;
      enable(message.screen);
      // The button that had the focus is no longer shown.
      if (isAnother && document.hasFocus()) pad.focus();
      browserName.textContent = message.browser;
      status.textContent = texts.ready;
      x.limit(0, message.screen.width - 1);
      y.limit(0, message.screen.height - 1);
      x.value = message.point.x;
      y.value = message.point.y;
      pad.mark(message.point);
      hold(message.hold);
      for (const [id, field] of Object.entries(fields)) field.draft = drafts[id];
      drafts = {};
      return;
    }
    case 'jumped':
      status.textContent = texts.ready;
      live.textContent = message.to === 'top' ? texts.wentToTop : texts.wentToBottom;
      return;
    case 'scrolled': {
      const ticks = answered(message.id);
      if (!ticks) return;
      status.textContent = texts.ready;
      roundTrip.textContent = format(texts.roundTrip, Math.round(message.milliseconds));
      announcer.scrolled(ticks);
      sendNext();
      return;
    }
    case 'failed':
      if (!answered(message.id)) return;
      queue.drop();
      status.textContent = message.message;
      live.textContent = message.message;
      return;
    case 'picture':
      pad.show(message.base64);
      return;
    case 'notice':
      status.textContent = message.message;
      live.textContent = message.message;
      if (!message.gone) return;
      queue.drop();
      if (sent) answered(sent.id);
      wasGone = true;
      enable(undefined);
      // What had the focus can no longer have it.
      if (document.hasFocus()) choose.focus();
      return;
    default:
      message satisfies never;
  }
}

function onPress(id: string, press: () => void): void {
  element(id, HTMLButtonElement).addEventListener('click', press);
}

onPress('up', () => scroll({ right: 0, down: -ticksUpDown.value }));
onPress('down', () => scroll({ right: 0, down: ticksUpDown.value }));
onPress('left', () => scroll({ right: -ticksSideways.value, down: 0 }));
onPress('right', () => scroll({ right: ticksSideways.value, down: 0 }));
onPress('top', () => jump('top'));
onPress('bottom', () => jump('bottom'));
refresh.addEventListener('click', () => {
  host.postMessage({ kind: 'refresh' });
});
choose.addEventListener('click', () => {
  // The host shows a quick pick, which must get the focus.
  choose.blur();
  host.postMessage({ kind: 'choose' });
});

for (const modifier of MODIFIERS) {
  onPress(modifier, () => {
    hold(held.has(modifier) ? [...held].filter((other) => other !== modifier) : [...held, modifier]);
    tellChoice();
  });
}

/** Shows which keys are held. */
function hold(modifiers: readonly Modifier[]): void {
  held.clear();
  for (const modifier of modifiers) held.add(modifier);
  for (const modifier of MODIFIERS) {
    element(modifier, HTMLButtonElement).setAttribute('aria-pressed', String(held.has(modifier)));
  }
}

element('controls', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') host.postMessage({ kind: 'leave' });
});
document.addEventListener('visibilitychange', () => {
  if (document.hidden) queue.drop();
});
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (isHostMessage(data)) receive(data);
});
window.addEventListener('pagehide', () => announcer.dispose());

host.postMessage({ kind: 'hello' });
