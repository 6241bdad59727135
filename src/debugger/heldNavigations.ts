import type { Clock, Timer } from '../base/clock';
import { fieldOf, textField } from '../base/fields';
import type { RelayTarget } from './relayTargets';
import type { RelayUpstream } from './relayUpstream';

/** How long a page may wait for the debugger, in milliseconds (C-TIME-DEBUGGER). */
const HOLD_LIMIT_MS = 10_000;

/** How long a page may take to answer that may have not begun, or be about to move to another process, before it is let go, in milliseconds. */
const SILENT_MS = 300;

/** The requests that are held: for what pages and frames show. */
const PATTERNS = ['http://*', 'https://*'].map((urlPattern) => ({ urlPattern, resourceType: 'Document' }));

/** What is known of the page whose main frame has an id. A page and its main frame have the same id. */
export type PageState = 'ready' | 'waiting' | 'parked' | 'left' | 'none';

/** What held navigations need. */
export interface HeldNavigationsOptions {
  clock: Clock;
  /** Whether a content script of the extension can run at an address. */
  matches: (url: string) => boolean;
  /**
   * `waiting`: the debugger has not set its breakpoints yet. `parked`: the same, and it pauses by itself. `left`: the debugger has no session
   * of it. `none`: no page.
   */
  stateOf: (frameId: string) => PageState;
  /** Attaches to a page that was left; resolves when that is done. */
  attach: (frameId: string) => Promise<void>;
}

/** A page whose debugger is being enabled. */
export interface BeginningPage {
  readonly sessionId: string;
  readonly target: RelayTarget;
  readonly isEnabling: boolean;
  /** Whether the debugger has let it run. */
  readonly isReady: boolean;
  readonly isSilentAtFirst: boolean;
}

/** A request that waits. */
interface Held {
  requestId: string;
  timer: Timer;
}

/**
 * Holds the request of a page that content scripts can run in until the debugger has set its breakpoints there. Chromium itself does not hold a tab
 * that is opened with its address (C-ATTACH-OPENED).
 */
export class HeldNavigations {
  /** The requests by the ids of their frames. */
  readonly #held = new Map<string, Held[]>();
  /** Pages that pause by themselves. */
  readonly #silent = new Set<string>();
  /** Pages that were left, and are attached to again because of where they go. */
  readonly #coming = new Set<string>();

  constructor(
    private readonly upstream: RelayUpstream,
    private readonly options: HeldNavigationsOptions,
  ) {}

  /** Begins to hold. A browser that does not support it answers with an error, and its pages are not held. */
  async hold(): Promise<void> {
    await this.upstream.ask('Fetch.enable', { patterns: PATTERNS });
  }

  /**
   * Lets a page begin that answers nothing. Its request must go on, and the last of what waits for its next process pauses it there, before
   * its first statement. Any other page answers late on a busy machine, and would run without its breakpoints: it is given more time.
   */
  begin(page: BeginningPage): void {
    // Popups, side panels and offscreen documents have their process.
    if (page.target.type !== 'page') return;
    this.options.clock.after(page.isSilentAtFirst ? SILENT_MS : HOLD_LIMIT_MS, () => {
      // One that runs is silent only while another page in its process is paused, which could not go on if this one waited.
      if (page.isEnabling && !page.isReady) this.#begin(page);
    });
  }

  #begin({ sessionId, target: { targetId } }: BeginningPage): void {
    void this.upstream.ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
    void this.upstream.ask('Page.waitForDebugger', {}, sessionId);
    this.release(targetId);
    this.#silent.add(targetId);
  }

  /** Whether a page goes on to a document that content scripts can run in, which the debugger is not ready for. */
  has(frameId: string): boolean {
    return this.#held.has(frameId) || this.#coming.has(frameId);
  }

  /** A page that was left shows something of the extension, before its address says so. */
  expect(frameId: string): void {
    this.#coming.add(frameId);
  }

  /** To be called with each request that the browser has paused. */
  onPaused(params: unknown): void {
    const [requestId, frameId] = [textField(params, 'requestId'), textField(params, 'frameId')];
    const { clock, matches, stateOf, attach } = this.options;
    const state = matches(textField(fieldOf(params, 'request'), 'url')) ? stateOf(frameId) : 'none';
    if (state === 'ready' || state === 'none' || this.#silent.has(frameId)) {
      this.#continue(requestId);
      return;
    }
    if (state === 'left' || state === 'parked') {
      this.expect(frameId);
      void (state === 'left' ? attach(frameId) : Promise.resolve()).then(() => this.#continue(requestId));
      return;
    }
    const timer = clock.after(HOLD_LIMIT_MS, () => this.release(frameId));
    this.#held.set(frameId, [...(this.#held.get(frameId) ?? []), { requestId, timer: timer.unref() }]);
  }

  /** Lets a page go: the debugger has set its breakpoints, or will never do so. */
  release(frameId: string): void {
    const held = this.#held.get(frameId) ?? [];
    this.#held.delete(frameId);
    this.#silent.delete(frameId);
    this.#coming.delete(frameId);
    for (const { requestId, timer } of held) {
      timer.clear();
      this.#continue(requestId);
    }
  }

  /** To be called when the connection has ended, with which the browser lets all go. */
  end(): void {
    for (const { timer } of [...this.#held.values()].flat()) timer.clear();
    this.#held.clear();
    this.#coming.clear();
  }

  #continue(requestId: string): void {
    void this.upstream.ask('Fetch.continueRequest', { requestId });
  }
}
