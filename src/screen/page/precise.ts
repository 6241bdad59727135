import { Announcer } from './announcer';
import { MODIFIERS, type End, type HostMessage, type Modifier, type Point, type Screen } from '../protocol';
import { MAX_TICKS, ScrollQueue } from '../wheel/scrollQueue';
import { format } from '../screenTexts';
import { WheelPad, type Ticks } from '../wheel/wheel';
import { element } from './elements';
import { post, remember, stateNow, texts } from './host';
import { NumberField } from './numberField';

/** Largest coordinate until the screen is known. */
const UNKNOWN_LIMIT = Number.MAX_SAFE_INTEGER;

const BUTTONS = ['up', 'down', 'left', 'right', 'top', 'bottom', 'refresh', 'describe', ...MODIFIERS];

export interface PreciseOptions {
  /** Says a sentence to screen readers. */
  say: (sentence: string) => void;
  showStatus: (text: string) => void;
  /** The point of the form has changed. */
  onPoint: (point: Point) => void;
}

/** The form for exact scrolls at one point, by whole ticks through the service; the wheel over a picture of the service goes the same way. */
export class Precise {
  readonly #queue = new ScrollQueue();
  readonly #wheel = new WheelPad();
  readonly #held = new Set<Modifier>();
  readonly #roundTrip = element('roundTrip', HTMLElement);
  readonly #x: NumberField;
  readonly #y: NumberField;
  readonly #fields: Readonly<Record<'x' | 'y' | 'ticksSideways' | 'ticksUpDown', NumberField>>;
  readonly #announcer: Announcer;
  /** Set by the host's `ready`: nothing is sent before it or after the browser is gone. */
  #screen: Screen | undefined;
  /** Where the wheel was turned over a picture of the service; undefined for a scroll by the form. */
  #turned: { at: Point; hold: Modifier[] } | undefined;
  /** Texts of fields from before the page was hidden: the first `ready` puts them back. */
  #drafts = stateNow().drafts;
  // Answers to requests from before the page was hidden and created again must match nothing.
  #nextId = Math.floor(performance.timeOrigin);
  #sent: { id: number; ticks: Ticks } | undefined;
  #isScheduled = false;

  constructor(private readonly options: PreciseOptions) {
    const remember = (): void => this.#remember();
    const choose = (): void => this.#choosePoint();
    const at = { min: 0, max: UNKNOWN_LIMIT };
    const amount = { min: 1, max: MAX_TICKS };
    const { ticksSideways, ticksUpDown } = stateNow();
    this.#x = new NumberField('x', 0, at, texts, choose);
    this.#y = new NumberField('y', 0, at, texts, choose);
    this.#fields = {
      x: this.#x,
      y: this.#y,
      ticksSideways: new NumberField('ticksSideways', ticksSideways, amount, texts, remember),
      ticksUpDown: new NumberField('ticksUpDown', ticksUpDown, amount, texts, remember),
    };
    this.#announcer = new Announcer(texts, options.say);
    this.#listen();
  }

  get point(): Point {
    return { x: this.#x.value, y: this.#y.value };
  }

  /** The host knows the browser; undefined: it is gone. */
  set ready(ready: Extract<HostMessage, { kind: 'ready' }> | undefined) {
    this.#screen = ready?.screen;
    this.#wheel.reset();
    this.#queue.drop();
    for (const field of Object.values(this.#fields)) field.isEnabled = ready !== undefined;
    for (const id of BUTTONS) element(id, HTMLButtonElement).disabled = ready === undefined;
    if (!ready) {
      if (this.#sent) this.#answered(this.#sent.id);
      return;
    }
    this.#x.limit(0, ready.screen.width - 1);
    this.#y.limit(0, ready.screen.height - 1);
    this.setPoint(ready.point);
    this.#hold(ready.hold);
    for (const [id, field] of Object.entries(this.#fields)) field.draft = this.#drafts[id];
    this.#drafts = {};
  }

  /** The screen has another size: what is typed and not accepted stays. */
  resize(screen: Screen, point: Point): void {
    if (!this.#screen) return;
    this.#screen = screen;
    const drafts = [this.#x.draft, this.#y.draft];
    this.#x.limit(0, screen.width - 1);
    this.#y.limit(0, screen.height - 1);
    this.setPoint(point);
    [this.#x.draft, this.#y.draft] = drafts;
  }

  /** Shows a point that was set elsewhere. */
  setPoint(point: Point): void {
    this.#x.value = point.x;
    this.#y.value = point.y;
    this.options.onPoint(point);
  }

  /** Turns the wheel at a point of a picture of the service. */
  turn(event: WheelEvent, at: Point): void {
    const held = { ctrl: event.ctrlKey, shift: false, alt: event.altKey, meta: event.metaKey };
    this.#turned = { at, hold: MODIFIERS.filter((modifier) => held[modifier]) };
    this.#add(this.#wheel.turn(event, event.timeStamp));
  }

  /** Turns the wheel at the point of the form. */
  scroll(ticks: Ticks): void {
    const invalid = [this.#x, this.#y].find((field) => !field.isValid);
    if (invalid) {
      invalid.focus();
      return;
    }
    this.#turned = undefined;
    this.#add(ticks);
  }

  /** Sums the scrolls within a frame; the queue sums those during a request. */
  #add(ticks: Ticks): void {
    if (!this.#screen) return;
    this.#queue.add(ticks);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#sendNext();
    });
  }

  scrolled(id: number, milliseconds: number): void {
    const ticks = this.#answered(id);
    if (!ticks) return;
    this.options.showStatus(texts.ready);
    this.#roundTrip.textContent = format(texts.roundTrip, Math.round(milliseconds));
    this.#announcer.scrolled(ticks);
    this.#sendNext();
  }

  /** Whether the failure is that of the scroll under way. */
  failed(id: number): boolean {
    if (!this.#answered(id)) return false;
    this.#queue.drop();
    return true;
  }

  drop(): void {
    this.#queue.drop();
  }

  dispose(): void {
    this.#announcer.dispose();
  }

  #listen(): void {
    const press = (id: string, act: () => void): void => element(id, HTMLButtonElement).addEventListener('click', act);
    const { ticksSideways: side, ticksUpDown: up } = this.#fields;
    press('up', () => this.scroll({ right: 0, down: -up.value }));
    press('down', () => this.scroll({ right: 0, down: up.value }));
    press('left', () => this.scroll({ right: -side.value, down: 0 }));
    press('right', () => this.scroll({ right: side.value, down: 0 }));
    press('top', () => this.#jump('top'));
    press('bottom', () => this.#jump('bottom'));
    press('refresh', () => post({ kind: 'refresh' }));
    press('describe', () => post({ kind: 'describe', ...this.point }));
    for (const modifier of MODIFIERS) {
      press(modifier, () => {
        const others = [...this.#held].filter((other) => other !== modifier);
        this.#hold(this.#held.has(modifier) ? others : [...this.#held, modifier]);
        this.#tellChoice();
      });
    }
    element('controls', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
  }

  /** Scrolls to an end of the page; what waits to be scrolled no longer matters. */
  #jump(to: End): void {
    if (!this.#screen) return;
    this.#queue.drop();
    this.options.showStatus(texts.sending);
    post({ kind: 'jump', to });
  }

  #sendNext(): void {
    if (!this.#screen || document.hidden) return;
    const ticks = this.#queue.take();
    if (!ticks) return;
    this.#sent = { id: this.#nextId++, ticks };
    this.options.showStatus(texts.sending);
    const { at, hold } = this.#turned ?? { at: this.point, hold: [...this.#held] };
    post({ kind: 'scroll', id: this.#sent.id, ...at, ...ticks, hold });
  }

  /** The request under way was answered; an answer to any other is late and ignored. */
  #answered(id: number): Ticks | undefined {
    if (this.#sent?.id !== id) return undefined;
    const { ticks } = this.#sent;
    this.#sent = undefined;
    this.#queue.finish();
    return ticks;
  }

  #remember(): void {
    const drafts: Record<string, string> = {};
    for (const [id, { draft }] of Object.entries(this.#fields)) if (draft !== undefined) drafts[id] = draft;
    const { ticksSideways, ticksUpDown } = this.#fields;
    remember({ ticksSideways: ticksSideways.value, ticksUpDown: ticksUpDown.value, drafts });
  }

  #choosePoint(): void {
    this.options.onPoint(this.point);
    this.#remember();
    this.#tellChoice();
  }

  /** Tells the host the point and the keys, which it remembers for this browser. */
  #tellChoice(): void {
    post({ kind: 'chosen', point: this.point, hold: [...this.#held] });
  }

  /** Shows which keys are held. */
  #hold(modifiers: readonly Modifier[]): void {
    this.#held.clear();
    for (const modifier of modifiers) this.#held.add(modifier);
    for (const modifier of MODIFIERS) {
      element(modifier, HTMLButtonElement).setAttribute('aria-pressed', String(this.#held.has(modifier)));
    }
  }
}
