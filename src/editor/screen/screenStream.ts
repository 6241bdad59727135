import * as l10n from '@vscode/l10n';
import { realClock, repeat, type Clock, type Timer } from '../../base/clock';
import type { FileChooser, PictureSize } from '../../devtools/pages/pageModel';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { ScreenEvents } from '../../devtools/screen/remoteScreen';
import type { ShownSize } from '../../screen/pageSizes';
import type { HostMessage } from '../../screen/protocol';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import type { Logger } from '../../service/logger';
import { sentenceFor } from '../messages';
import { SentFrames, type SentScreen } from './sentFrames';
import { nextPhase, browserIn, shownIn, type StreamEvent, type StreamPhase } from './streamStates';
import { dialogMessage, viewMessage } from './viewMessage';

/** How long pictures are sent after the last sign that the user looks, in milliseconds. */
const LOOK_MS = 30_000;

/** How often it is checked whether the user still looks, in milliseconds. */
const LOOK_CHECK_MS = 5000;

/** Pauses before each attempt to connect again, in milliseconds; the last is repeated. */
const RETRY_MS = [250, 500, 1000, 2000, 5000, 10_000];

/** How long the first picture may take until it is said that none has come, in milliseconds. */
const FIRST_PICTURE_MS = 5000;

/** A browser whose picture is shown. */
export interface StreamedScreen extends SentScreen {
  /** False once its browser has ended or restarted, or the connection broke. */
  readonly isOpen: boolean;
  /** Sends pictures from now on, none larger than `largest` in device pixels. */
  start: (largest: PictureSize) => Promise<void>;
  /** Shows its page in a size from now on; undefined: in that of the browser's window. */
  resize: (size: ShownSize | undefined) => Promise<void>;
  close: () => void;
}

/** The window that the panel is in. */
export interface StreamWindow {
  /** Whether the user is using it. VS Code calls a window inactive some time after its last key or click. */
  readonly isActive: boolean;
  /** Calls `listener` when the window gets or loses the focus, or is used or left; the returned object ends that. */
  onChange: (listener: (state: { isFocused: boolean; isActive: boolean }) => void) => { dispose: () => void };
}

export interface StreamOptions<Screen extends StreamedScreen> {
  window: StreamWindow;
  log: Pick<Logger, 'warn'>;
  /** Whether the browsers are on this machine, where it costs nothing to keep them awake. */
  isLocal: () => boolean;
  /** A browser as the service knows it now; undefined when it has ended. */
  find: (browserId: string) => Promise<Browser | undefined>;
  /** Connects to a browser, whose address is checked first. Rejects when the connection is lost meanwhile. */
  open: (browser: Browser, events: ScreenEvents) => Promise<Screen>;
  isVisible: () => boolean;
  /** Whether to show the whole screen, in pictures of the service; tabs, address and history still use DevTools. */
  isWhole: () => boolean;
  post: (message: HostMessage) => Promise<unknown>;
  /** The browser no longer exists. */
  onGone: () => Promise<unknown>;
  /** A page in the browser asks for files. */
  onFileChooser: (page: PageScreen, chooser: FileChooser) => void;
  /** A picture of the service is wanted instead of a live one: now, or again since the browser shows something else. */
  onStill: (when: 'now' | 'soon') => Promise<unknown>;
}

/**
 * The live picture of a panel: open while the panel is visible and the user looks, that is, uses the page or the window. Connects again
 * by itself after a restart of the browser.
 */
export class ScreenStream<Screen extends StreamedScreen> {
  readonly #subscription: { dispose: () => void };
  readonly #frames = new SentFrames();
  #phase: StreamPhase<Screen> = { at: 'ended' };
  #area: PictureSize = { width: 1280, height: 800 };
  /** The size that the page is to have; undefined for that of the browser's window. */
  #size: ShownSize | undefined;
  #lookedAt = 0;
  /** What was shown last of the tabs and the address. */
  #view = '';

  constructor(
    private readonly options: StreamOptions<Screen>,
    private readonly clock: Clock = realClock,
  ) {
    this.#subscription = options.window.onChange(({ isFocused, isActive }) => {
      if (isFocused && isActive) this.look();
      // A user who works in another window may still look at this one for a while.
      else if (!isFocused) this.#lookedAt = clock.now();
    });
  }

  /** The connected browser; undefined while there is none. */
  get screen(): Screen | undefined {
    return 'screen' in this.#phase && this.#phase.screen.isOpen ? this.#phase.screen : undefined;
  }

  /** Whether pictures come of the service, which then also gets the input. */
  get isByService(): boolean {
    return ['still', 'whole', 'controls'].includes(shownIn(this.#phase));
  }

  /** Whether pictures can be had, live or still. */
  get hasPictures(): boolean {
    return shownIn(this.#phase) !== 'controls';
  }

  /** The service has no still pictures, either: only the wheel is left, for the reason given. */
  async showControls(reason: string): Promise<void> {
    if (this.#change({ kind: 'controls' })) await this.#tell(reason);
  }

  /** Begins, or begins again, with the browser that the panel shows now. */
  async begin(browser: Browser): Promise<void> {
    this.#change({ kind: 'begin', browser });
    this.#lookedAt = this.clock.now();
    await this.#open();
  }

  /** The user looks: goes on when it was paused. */
  look(): void {
    this.#lookedAt = this.clock.now();
    if (this.#phase.at === 'paused') void this.#open();
  }

  /** The panel was shown or hidden. */
  visibilityChanged(): void {
    if (!this.options.isVisible()) this.#change({ kind: 'leave' });
    else if ('way' in this.#phase) {
      this.#lookedAt = this.clock.now();
      void this.#open();
    }
  }

  /** The picture is shown in so many device pixels from now on. */
  async showIn(area: PictureSize): Promise<void> {
    this.#area = area;
    if (this.#isStreamed) await this.screen?.start(area);
  }

  /** The page is to have a size from now on; undefined: that of the browser's window, as it has with the whole screen. */
  async resize(size: ShownSize | undefined): Promise<void> {
    this.#size = size;
    if (this.#isStreamed) await this.screen?.resize(size);
  }

  /** The size that the page has been given; undefined while it has that of the browser's window. */
  get size(): ShownSize | undefined {
    return this.#isStreamed ? this.#size : undefined;
  }

  /** The page has drawn a frame. */
  drawn(id: number): void {
    this.#frames.drawn(id);
  }

  /** Reconnects after the user has switched between the whole screen and the page. */
  async restart(): Promise<void> {
    if (this.#phase.at === 'ended') return;
    this.#change({ kind: 'leave' });
    this.#lookedAt = this.clock.now();
    await this.#open();
  }

  /** Asks the service whether the browser still runs, and reports when it does not. */
  async checkGone(): Promise<boolean> {
    const browser = browserIn(this.#phase);
    if (!browser || (await this.options.find(browser.id))) return false;
    // The panel may show another browser by now.
    if (browser !== browserIn(this.#phase)) return false;
    await this.#endGone();
    return true;
  }

  /** Ends it until `begin`. */
  end(): void {
    this.#change({ kind: 'end' });
  }

  dispose(): void {
    this.end();
    this.#subscription.dispose();
  }

  /** Whether pictures of the page are sent, or about to be. */
  get #isStreamed(): boolean {
    return this.#phase.at === 'live' || this.#phase.at === 'waiting';
  }

  async #endGone(): Promise<void> {
    this.end();
    await this.options.onGone();
  }

  /** Applies an event: enters the next state and aborts the work of the previous one. Returns whether the state has changed. */
  #change(event: StreamEvent<Screen>): boolean {
    const left = this.#phase;
    this.#phase = nextPhase(left, event);
    if ('stay' in left && !('stay' in this.#phase && this.#phase.stay === left.stay)) left.stay.abort();
    return this.#phase !== left;
  }

  async #open(): Promise<void> {
    const stay = new AbortController();
    if (!this.options.isVisible() || !this.#change({ kind: 'connect', stay })) return;
    if (shownIn(this.#phase) === 'connecting') await this.#tell('');
    try {
      await this.#connect(stay.signal);
    } catch (error) {
      if (!stay.signal.aborted) await this.#fail(error);
    }
  }

  /** Connects, unless the state is left meanwhile, which `left` tells, and asks for pictures. */
  async #connect(left: AbortSignal): Promise<void> {
    if (this.#phase.at !== 'connecting' || left.aborted) return;
    const { browser, isMoved } = this.#phase.way;
    const present = isMoved ? await this.options.find(browser.id) : browser;
    if (left.aborted) return;
    if (!present) {
      await this.#endGone();
      return;
    }
    const screen: Screen = await this.options.open(present, {
      onView: (view) => {
        if (!left.aborted) void this.#postView(viewMessage(view));
      },
      onFrame: (layer, frame) => {
        if (left.aborted) return;
        if (layer === 'page' && this.#change({ kind: 'picture' })) void this.#tell(this.#awakeNote({ isWhole: false }));
        void this.options.post(this.#frames.messageOf(screen, layer, frame));
      },
      onDialog: (layer, dialog) => {
        if (!left.aborted) void this.options.post(dialogMessage(layer, dialog));
      },
      onFileChooser: (page, chooser) => {
        if (!left.aborted) this.options.onFileChooser(page, chooser);
      },
      onLost: () => {
        if (!left.aborted) void this.#lose();
      },
    });
    if (left.aborted) {
      screen.close();
      return;
    }
    const isWhole = this.options.isWhole();
    this.#change({ kind: 'connected', browser: present, screen, isWhole });
    left.addEventListener('abort', () => {
      this.#frames.clear();
      screen.close();
    });
    this.#watchLooks(left);
    await (isWhole ? this.#tell(this.#awakeNote({ isWhole: true })) : this.#tellWaiting(left));
    if (left.aborted) return;
    if (isWhole) {
      await this.options.onStill('now');
      return;
    }
    if (this.#size) await screen.resize(this.#size);
    await screen.start(this.#area);
  }

  /** Shows still pictures until a later attempt succeeds. */
  async #fail(error: unknown): Promise<void> {
    const sentence = sentenceFor(error) ?? String(error);
    this.options.log.warn(`No live picture: ${sentence}`);
    const stay = new AbortController();
    this.#change({ kind: 'failed', stay });
    await this.#tell(sentence);
    if ((await this.checkGone().catch(() => false)) || stay.signal.aborted) return;
    await this.options.onStill('now');
    // A service that gives no DevTools address gives none at the next attempt.
    if (!(error instanceof ServiceError) || error.kind !== 'unsupported') this.#retryLater(stay.signal);
  }

  async #lose(): Promise<void> {
    const stay = new AbortController();
    if (!this.#change({ kind: 'lost', stay })) return;
    await this.#tell(l10n.t('The browser has restarted or the connection was lost.'));
    if (!(await this.checkGone().catch(() => false))) this.#retryLater(stay.signal);
  }

  #retryLater(left: AbortSignal): void {
    if (left.aborted || this.#phase.at !== 'lost') return;
    const ms = RETRY_MS[Math.min(this.#phase.way.failures, RETRY_MS.length) - 1] ?? 0;
    const retry = this.clock.after(ms, () => void (this.#isLookedAt() ? this.#open() : this.#pause()));
    clearWhen(left, retry);
  }

  #watchLooks(left: AbortSignal): void {
    const check = repeat(this.clock, LOOK_CHECK_MS, () => {
      if (!this.#isLookedAt()) void this.#pause();
    });
    clearWhen(left, check);
  }

  #isLookedAt(): boolean {
    return this.options.window.isActive || this.clock.now() - this.#lookedAt < LOOK_MS;
  }

  async #pause(): Promise<void> {
    if (!this.#change({ kind: 'pause' })) return;
    await this.#tell(l10n.t('Paused, because nobody is looking. Move the pointer here or press a key here to go on.'));
  }

  /** Pictures are asked for: it is live when one is there. */
  async #tellWaiting(left: AbortSignal): Promise<void> {
    const first = this.clock.after(FIRST_PICTURE_MS, () => {
      if (this.#phase.at !== 'waiting') return;
      void this.#tell(l10n.t('The browser has sent no picture yet. A page that is covered or empty has none.'));
    });
    clearWhen(left, first);
    await this.#tell(l10n.t('Waiting for the first picture of the page.'));
  }

  /** Tells the page the state, and why it is so. */
  async #tell(reason: string): Promise<void> {
    await this.options.post({ kind: 'stream', state: shownIn(this.#phase), reason });
  }

  /** A picture of the service is renewed when the browser shows something else, and not when the same is read again. */
  async #postView(view: HostMessage): Promise<void> {
    const text = JSON.stringify(view);
    const isNew = text !== this.#view;
    this.#view = text;
    await this.options.post(view);
    if (isNew && this.#phase.at === 'whole') await this.options.onStill('soon');
  }

  #awakeNote({ isWhole }: { isWhole: boolean }): string {
    if (this.options.isLocal()) return '';
    return isWhole
      ? l10n.t('This keeps the browser awake, and pauses by itself when this window is not used for a while.')
      : l10n.t(
          'The live picture keeps this browser awake. It pauses by itself when this window is not used for a while.',
        );
  }
}

/** Clears a timer when the state is left that has set it. */
function clearWhen(left: AbortSignal, timer: Pick<Timer, 'clear'>): void {
  left.addEventListener('abort', () => timer.clear());
}
