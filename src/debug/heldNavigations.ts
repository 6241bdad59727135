import type { Clock, Timer } from '../clock';
import { fieldOf, objectOf } from '../fields';
import { textField } from './relayMessage';
import type { RelayTarget } from './relayTargets';
import type { RelayUpstream } from './relayUpstream';

/** How long a page may wait for the debugger, in milliseconds (measured: 500 to 1400; up to 9 s on a busy machine). */
const HOLD_LIMIT_MS = 10_000;

/** How long a page may take to answer that may have not begun, or be about to move to another process, before it is let go, in milliseconds. */
const SILENT_MS = 300;

/** The requests that are held: for what pages and frames show. */
const PATTERNS = ['http://*', 'https://*'].map((urlPattern) => ({ urlPattern, resourceType: 'Document' }));

/** What held navigations need. */
export interface HeldNavigationsOptions {
  clock: Clock;
  /** Whether a content script of the extension can run at an address. */
  matches: (url: string) => boolean;
  /** The page with an id that is attached to. A page and its main frame have the same id. */
  childOf: (targetId: string) => { readonly sessionId: string; readonly isSet: boolean } | undefined;
}

/** A page whose debugger is being enabled. */
export interface BeginningPage {
  readonly sessionId: string;
  readonly target: RelayTarget;
  readonly isEnabling: boolean;
  /** Whether the debugger has let it run. */
  readonly isReady: boolean;
  readonly isSilentAtFirst: boolean;
  /** The command that it has not answered for the longest time. */
  readonly unanswered: number | undefined;
}

/** A navigation that was taken back, to be done once more. */
interface Deferred {
  readonly url: string;
  /** Of the tab's history, when it goes back or forward. */
  readonly entryId: number | undefined;
  /** The address that the tab shows meanwhile. */
  readonly shown: string;
  readonly timer: Timer;
  isBegun: boolean;
}

/** A request that waits. */
interface Held {
  requestId: string;
  timer: Timer;
}

/** Whether a request can be made once more: it has no body and no referrer. */
function isRepeatable(request: unknown): boolean {
  const names = Object.keys(objectOf(fieldOf(request, 'headers'))).map((name) => name.toLowerCase());
  return textField(request, 'method') === 'GET' && !names.includes('referer');
}

/** Whether a page of the web, or a file, may have asked for what follows it: it hides its referrer if it likes, and gets none of the user's rights. */
function mayAsk(shown: string): boolean {
  return /^(?:https?|blob|data|file|filesystem):/.test(shown);
}

/** The entry of a tab's history that it goes to, when it goes back or forward: Chromium calls the pending entry the current one then. */
function pendingEntry(history: unknown, url: string): number | undefined {
  const [entries, index] = [fieldOf(history, 'entries'), fieldOf(history, 'currentIndex')];
  const entry: unknown = Array.isArray(entries) && typeof index === 'number' ? entries[index] : undefined;
  const id = fieldOf(entry, 'id');
  return textField(entry, 'url') === url && typeof id === 'number' ? id : undefined;
}

/**
 * Holds the request of a page that content scripts can run in until the debugger has set its breakpoints there. Chromium 156 does not hold a
 * tab that is opened with its address, whatever `waitForDebuggerOnStart` says, and `Page.waitForDebugger` often comes too late.
 *
 * A tab that was not attached to before its request is asked only when its next document has begun (Chromium keeps the commands to a page that
 * navigates), often too late. Where the user has it go there from a page of the browser, as by an address that is typed on the new tab page, or
 * back or forward, its request is taken back instead, and the tab goes there once more when it has its breakpoints. What a page of the web may
 * have asked for is never asked for once more: servers would take it for the user's own wish, with cookies that are kept from other sites.
 */
export class HeldNavigations {
  /** The requests by the ids of their frames. */
  readonly #held = new Map<string, Held[]>();
  /** Pages that pause by themselves. */
  readonly #silent = new Set<string>();
  /** What pages are to show when the debugger has set its breakpoints in them, by their ids, until they do. */
  readonly #deferred = new Map<string, Deferred>();
  /** The addresses that tabs show that were attached to and let go, because they showed nothing of the extension, by their ids. */
  readonly #left = new Map<string, string>();

  constructor(
    private readonly upstream: RelayUpstream,
    private readonly options: HeldNavigationsOptions,
  ) {}

  /** Begins to hold. A browser that does not support it answers with an error, and its pages are not held. */
  async hold(): Promise<void> {
    await this.upstream.ask('Fetch.enable', { patterns: PATTERNS });
  }

  /**
   * Lets a page begin that answers nothing. Its request must go on, and the last of what is kept for its next process pauses it there, before
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

  /**
   * The same for a page of the browser itself that is left for one of the web, while its request is held: it answers in the process that it
   * leaves, until a command comes that only the next process can answer.
   */
  move(page: BeginningPage): void {
    const asked = page.unanswered;
    this.options.clock.after(SILENT_MS, () => {
      if (!this.#held.has(page.target.targetId)) return;
      if (asked !== undefined && asked === page.unanswered) this.#begin(page);
      else this.move(page);
    });
  }

  #begin({ sessionId, target: { targetId } }: BeginningPage): void {
    void this.upstream.ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
    void this.upstream.ask('Page.waitForDebugger', {}, sessionId);
    this.release(targetId);
    this.#silent.add(targetId);
  }

  /** To be called with a tab that the relay lets go. */
  leave({ targetId, url }: RelayTarget): void {
    this.#left.set(targetId, url);
  }

  /** To be called when a target that is not attached to has changed. */
  onChanged({ targetId, url }: RelayTarget): void {
    if (this.#left.has(targetId)) this.#left.set(targetId, url);
  }

  /** Attaches to a tab again that was let go; nothing for any other. */
  async attachAgain(targetId: string): Promise<void> {
    if (this.#left.delete(targetId)) await this.upstream.ask('Target.attachToTarget', { targetId, flatten: true });
  }

  /** To be called with a target that has ended. */
  forget(targetId: string): void {
    this.#left.delete(targetId);
  }

  /** Whether a page is held. */
  has(frameId: string): boolean {
    return this.#held.has(frameId) || this.#deferred.has(frameId);
  }

  /** To be called with each request that the browser has paused. */
  onPaused(params: unknown): void {
    const [requestId, frameId] = [textField(params, 'requestId'), textField(params, 'frameId')];
    const request = fieldOf(params, 'request');
    const url = textField(request, 'url');
    const child = this.options.childOf(frameId);
    const deferred = this.#deferred.get(frameId);
    const shown = this.#left.get(frameId) ?? deferred?.shown;
    const isWaiting = shown !== undefined || child?.isSet === false;
    if (!isWaiting || !this.options.matches(url) || deferred?.isBegun === true || this.#silent.has(frameId)) {
      if (deferred?.isBegun === false) this.#giveUp(frameId);
      this.#continue(requestId);
      return;
    }
    this.#giveUp(frameId);
    this.#held.set(frameId, [...(this.#held.get(frameId) ?? []), { requestId, timer: this.#releaseLater(frameId) }]);
    if (shown !== undefined) void this.#attachFor(frameId, { requestId, url, shown, mayRepeat: isRepeatable(request) });
  }

  #releaseLater(frameId: string): Timer {
    const release = (): void => {
      this.release(frameId);
    };
    return this.options.clock.after(HOLD_LIMIT_MS, release).unref();
  }

  /** Holds a request no longer; whether it was held. */
  #take(frameId: string, requestId: string): boolean {
    const all = this.#held.get(frameId) ?? [];
    const others = all.filter((held) => held.requestId !== requestId);
    for (const held of all) if (!others.includes(held)) held.timer.clear();
    if (others.length > 0) this.#held.set(frameId, others);
    else this.#held.delete(frameId);
    return others.length < all.length;
  }

  /** Attaches to a tab whose request is held, and takes the request back when it can be made once more. */
  async #attachFor(
    frameId: string,
    { requestId, url, shown, mayRepeat }: { requestId: string; url: string; shown: string; mayRepeat: boolean },
  ): Promise<void> {
    await this.attachAgain(frameId);
    const child = this.options.childOf(frameId);
    if (!child || !mayRepeat) return;
    const entryId = pendingEntry(await this.upstream.ask('Page.getNavigationHistory', {}, child.sessionId), url);
    if ((entryId === undefined && mayAsk(shown)) || !this.#take(frameId, requestId)) return;
    this.#deferred.set(frameId, { url, entryId, shown, timer: this.#releaseLater(frameId), isBegun: false });
    void this.upstream.ask('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
  }

  /** Lets a page go: the debugger has set its breakpoints, or will never do so. */
  release(frameId: string): void {
    const held = this.#held.get(frameId) ?? [];
    this.#held.delete(frameId);
    this.#silent.delete(frameId);
    for (const { requestId, timer } of held) {
      timer.clear();
      this.#continue(requestId);
    }
    void this.#navigate(frameId);
  }

  /** Takes back what a tab was to show, because it is on its way to another address. */
  #giveUp(frameId: string): void {
    this.#deferred.get(frameId)?.timer.clear();
    this.#deferred.delete(frameId);
  }

  async #navigate(frameId: string): Promise<void> {
    const deferred = this.#deferred.get(frameId);
    if (!deferred || deferred.isBegun) return;
    deferred.isBegun = true;
    deferred.timer.clear();
    const { url, entryId } = deferred;
    const sessionId = this.options.childOf(frameId)?.sessionId;
    if (sessionId === undefined) {
      this.#deferred.delete(frameId);
      return;
    }
    if (entryId === undefined) {
      await this.upstream.ask('Page.navigate', { url, transitionType: 'typed' }, sessionId);
    } else {
      // It is answered at once.
      await this.upstream.ask('Page.navigateToHistoryEntry', { entryId }, sessionId);
      await this.options.clock.delay(HOLD_LIMIT_MS, { ref: false });
    }
    if (this.#deferred.get(frameId) === deferred) this.#deferred.delete(frameId);
  }

  /** To be called before the connection ends, with which the browser lets all go. */
  end(): void {
    for (const { timer } of [...this.#held.values()].flat()) timer.clear();
    this.#held.clear();
    for (const frameId of this.#deferred.keys()) void this.#navigate(frameId);
  }

  #continue(requestId: string): void {
    void this.upstream.ask('Fetch.continueRequest', { requestId });
  }
}
