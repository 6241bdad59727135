import * as l10n from '@vscode/l10n';
import { realClock, repeat, type Clock, type Timer } from '../../base/clock';
import type { FileChooser, PictureSize } from '../../devtools/pages/pageModel';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { ScreenEvents } from '../../devtools/screen/remoteScreen';
import type { ShownSize } from '../../screen/pageSizes';
import type { HostMessage } from '../../screen/protocol';
import type { StreamState } from '../../screen/screenMessages';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import type { Logger } from '../../service/logger';
import { sentenceFor } from '../messages';
import { SentFrames, type SentScreen } from './sentFrames';
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
  find: (sessionId: string) => Promise<Browser | undefined>;
  /** Connects to a browser, whose address is checked first. Rejects when the connection is lost meanwhile. */
  open: (session: Browser, events: ScreenEvents) => Promise<Screen>;
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
  readonly #options: StreamOptions<Screen>;
  readonly #clock: Clock;
  readonly #subscription: { dispose: () => void };
  #session: Browser | undefined;
  readonly #frames = new SentFrames();
  #screen: Screen | undefined;
  #area: PictureSize = { width: 1280, height: 800 };
  /** The size that the page is to have; undefined for that of the browser's window. */
  #size: ShownSize | undefined;
  #opening: Promise<void> | undefined;
  #state: StreamState = 'none';
  #lookedAt = 0;
  #check: Pick<Timer, 'clear'> | undefined;
  #retry: Timer | undefined;
  /** Runs while the first picture is awaited. */
  #first: Timer | undefined;
  #attempt = 0;
  /** What was shown last of the tabs and the address. */
  #view = '';
  /** Rises with each `end`, so that what was begun before has no effect. */
  #round = 0;
  #isEnded = true;
  /** Whether the browser may have another address by now than the panel knows: after a connection was lost, or could not be made. */
  #isMoved = false;

  constructor(options: StreamOptions<Screen>, clock: Clock = realClock) {
    this.#options = options;
    this.#clock = clock;
    this.#subscription = options.window.onChange(({ isFocused, isActive }) => {
      if (isFocused && isActive) this.look();
      // A user who works in another window may still look at this one for a while.
      else if (!isFocused) this.#lookedAt = clock.now();
    });
  }

  /** The connected browser; undefined while there is none. */
  get screen(): Screen | undefined {
    return this.#screen?.isOpen === true ? this.#screen : undefined;
  }

  /** Whether pictures come of the service, which then also gets the input. */
  get isByService(): boolean {
    return this.#state === 'still' || this.#state === 'whole' || this.#state === 'controls';
  }

  /** Whether pictures can be had, live or still. */
  get hasPictures(): boolean {
    return this.#state !== 'controls';
  }

  /** The service has no still pictures, either: only the wheel is left, for the reason given. */
  async showControls(reason: string): Promise<void> {
    if (this.#state === 'still') await this.#show('controls', reason);
  }

  /** Begins, or begins again, with the browser that the panel shows now. */
  async begin(session: Browser): Promise<void> {
    this.end();
    this.#session = session;
    this.#attempt = 0;
    this.#isMoved = false;
    this.#isEnded = false;
    this.#lookedAt = this.#clock.now();
    await this.#open();
  }

  /** The user looks: goes on when it was paused. */
  look(): void {
    this.#lookedAt = this.#clock.now();
    if (this.#state === 'paused' && !this.#isEnded) void this.#open();
  }

  /** The panel was shown or hidden. */
  visibilityChanged(): void {
    if (!this.#options.isVisible()) this.#close();
    else if (!this.#isEnded && !this.#screen) {
      this.#lookedAt = this.#clock.now();
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
    if (this.#isEnded) return;
    this.#close();
    this.#lookedAt = this.#clock.now();
    await this.#open();
  }

  /** Asks the service whether the browser still runs, and reports when it does not. */
  async lookForGone(): Promise<boolean> {
    const session = this.#session;
    if (!session || (await this.#options.find(session.id))) return false;
    // The panel may show another browser by now.
    if (session !== this.#session || this.#isEnded) return false;
    await this.#endGone();
    return true;
  }

  /** Ends it until `begin`. */
  end(): void {
    this.#isEnded = true;
    this.#close();
  }

  dispose(): void {
    this.end();
    this.#subscription.dispose();
  }

  /** Whether pictures of the page are sent, or about to be. */
  get #isStreamed(): boolean {
    return this.#state === 'live' || this.#state === 'waiting';
  }

  async #endGone(): Promise<void> {
    this.end();
    await this.#options.onGone();
  }

  #close(): void {
    this.#round += 1;
    this.#check?.clear();
    this.#retry?.clear();
    this.#first?.clear();
    this.#frames.clear();
    this.#screen?.close();
    this.#screen = undefined;
    this.#opening = undefined;
    this.#state = 'none';
  }

  #open(): Promise<void> {
    if (this.#opening) return this.#opening;
    const opening = this.#connect(this.#round).finally(() => {
      // Another one may have begun meanwhile.
      if (this.#opening === opening) this.#opening = undefined;
    });
    this.#opening = opening;
    return opening;
  }

  async #connect(round: number): Promise<void> {
    const { log, onStill } = this.#options;
    const session = this.#session;
    const isCurrent = (): boolean => this.#isCurrent(round);
    if (!session || !this.#options.isVisible() || this.#screen) return;
    // With the still picture, the page turns the wheel through the service, which must go on meanwhile.
    if (this.#state !== 'still') await this.#show('connecting', '');
    try {
      const present = this.#isMoved ? await this.#options.find(session.id) : session;
      if (!isCurrent()) return;
      if (!present) {
        await this.#endGone();
        return;
      }
      const screen: Screen = await this.#options.open(present, {
        onView: (view) => {
          if (isCurrent()) void this.#postView(viewMessage(view));
        },
        onFrame: (layer, frame) => {
          if (!isCurrent()) return;
          if (layer === 'page' && this.#state === 'waiting') void this.#showLive();
          void this.#options.post(this.#frames.messageOf(screen, layer, frame));
        },
        onDialog: (layer, dialog) => {
          if (isCurrent()) void this.#options.post(dialogMessage(layer, dialog));
        },
        onFileChooser: (page, chooser) => {
          if (isCurrent()) this.#options.onFileChooser(page, chooser);
        },
        onLost: () => {
          // What is lost while it is being opened rejects.
          if (isCurrent() && this.#screen) void this.#connectAgain();
        },
      });
      if (!isCurrent()) {
        screen.close();
        return;
      }
      this.#screen = screen;
      this.#attempt = 0;
      this.#isMoved = false;
      const isWhole = this.#options.isWhole();
      this.#watchLooks();
      await (isWhole ? this.#show('whole', this.#awakeNote(true)) : this.#showWaiting());
      if (!isCurrent() || this.#screen !== screen) return;
      if (isWhole) {
        await onStill('now');
        return;
      }
      if (this.#size) await screen.resize(this.#size);
      await screen.start(this.#area);
    } catch (error) {
      if (!isCurrent()) return;
      this.#check?.clear();
      this.#first?.clear();
      this.#screen?.close();
      this.#screen = undefined;
      this.#isMoved = true;
      const sentence = sentenceFor(error) ?? String(error);
      log.warn(`No live picture: ${sentence}`);
      await this.#show('still', sentence);
      if (await this.lookForGone().catch(() => false)) return;
      if (!isCurrent()) return;
      await onStill('now');
      // A service that gives no DevTools address gives none at the next attempt.
      const mayChange = !(error instanceof ServiceError) || error.kind !== 'unsupported';
      if (mayChange && isCurrent()) this.#scheduleRetry();
    }
  }

  #isCurrent(round: number): boolean {
    return round === this.#round && !this.#isEnded;
  }

  async #connectAgain(): Promise<void> {
    this.#screen = undefined;
    this.#frames.clear();
    this.#isMoved = true;
    this.#check?.clear();
    this.#first?.clear();
    const round = this.#round;
    await this.#show('connecting', l10n.t('The browser has restarted or the connection was lost.'));
    const isGone = await this.lookForGone().catch(() => false);
    if (!isGone && this.#isCurrent(round)) this.#scheduleRetry();
  }

  #scheduleRetry(): void {
    const ms = RETRY_MS[Math.min(this.#attempt++, RETRY_MS.length - 1)] ?? 0;
    this.#retry?.clear();
    this.#retry = this.#clock.after(ms, () => {
      if (this.#isLookedAt()) void this.#open();
      else void this.#pause();
    });
  }

  #watchLooks(): void {
    this.#check?.clear();
    this.#check = repeat(this.#clock, LOOK_CHECK_MS, () => {
      if (!this.#isLookedAt()) void this.#pause();
    });
  }

  #isLookedAt(): boolean {
    return this.#options.window.isActive || this.#clock.now() - this.#lookedAt < LOOK_MS;
  }

  async #pause(): Promise<void> {
    this.#close();
    await this.#show(
      'paused',
      l10n.t('Paused, because nobody is looking. Move the pointer here or press a key here to go on.'),
    );
  }

  /** Pictures are asked for: it is live when one is there. */
  async #showWaiting(): Promise<void> {
    this.#first?.clear();
    this.#first = this.#clock.after(FIRST_PICTURE_MS, () => {
      if (this.#state !== 'waiting') return;
      void this.#show(
        'waiting',
        l10n.t('The browser has sent no picture yet. A page that is covered or empty has none.'),
      );
    });
    await this.#show('waiting', l10n.t('Waiting for the first picture of the page.'));
  }

  async #showLive(): Promise<void> {
    this.#first?.clear();
    await this.#show('live', this.#awakeNote(false));
  }

  async #show(state: StreamState, reason: string): Promise<void> {
    this.#state = state;
    await this.#options.post({ kind: 'stream', state, reason });
  }

  /** A picture of the service is renewed when the browser shows something else; its looks at the browser change nothing that is shown. */
  async #postView(view: HostMessage): Promise<void> {
    const text = JSON.stringify(view);
    const isNew = text !== this.#view;
    this.#view = text;
    await this.#options.post(view);
    if (isNew && this.#state === 'whole') await this.#options.onStill('soon');
  }

  #awakeNote(isWhole: boolean): string {
    if (this.#options.isLocal()) return '';
    return isWhole
      ? l10n.t('This keeps the session awake, and pauses by itself when this window is not used for a while.')
      : l10n.t(
          'The live picture keeps this session awake. It pauses by itself when this window is not used for a while.',
        );
  }
}
