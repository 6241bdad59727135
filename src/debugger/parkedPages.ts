import type { Clock, Timer } from '../base/clock';
import { fieldOf, listField, objectOf, textField } from '../base/fields';
import { extensionOf } from '../devtools/protocol/extensionUrl';
import { messageText, type RelayMessage } from './relayMessage';
import type { RelayUpstream } from './relayUpstream';
import type { UrlBreakpoints } from './urlBreakpoints';

/** How long a page may be paused for a debugger that has no session for it yet, in milliseconds (C-TIME-DEBUGGER). */
const PAUSE_LIMIT_MS = 10_000;

/** What parked pages need. */
export interface ParkedPagesOptions {
  clock: Clock;
  extensionId: string;
  /** Whether tabs keep a session, and wait for the debugger when they are opened; else they are let go without. */
  holdsTabs: boolean;
  /** Those of the made-up page. */
  breakpoints: UrlBreakpoints;
  /** A page is paused in code of the extension, and the debugger should get a session for it. */
  onPaused: (targetId: string) => void;
}

/** A page that the debugger does not know. */
interface ParkedPage {
  readonly sessionId: string;
  /** Whether it was the debugger's: it stands in with what that has set, until one of the relay has the breakpoints. */
  readonly wasDebuggers: boolean;
  /** Resolves once its debugger is enabled. */
  readonly enabled: Promise<unknown>;
  /** Of the relay, which follows it when that has the breakpoints. */
  next: ParkedPage | undefined;
  /** The ids of the extension's scripts in it. */
  readonly scripts: Set<string>;
  /** The browser's ids of the breakpoints, by those of the made-up page. */
  readonly ids: Map<string, string>;
  /** The pause in which it is for the relay's session: the parameters of `Debugger.paused`, and its limit. */
  pause: { params: unknown; limit: Timer } | undefined;
  /** The event of the same pause for the debugger's session, which does not know yet why. */
  kept: RelayMessage | undefined;
}

function parkedPage(sessionId: string, own: Pick<ParkedPage, 'wasDebuggers' | 'enabled'>): ParkedPage {
  const unset = { next: undefined, pause: undefined, kept: undefined };
  return { sessionId, ...own, scripts: new Set(), ids: new Map(), ...unset };
}

/**
 * Pages that show nothing of the extension, and the relay's own session in each, with the debugger's breakpoints. A page may go from there to
 * another process, with the first document that content scripts run in. What it is asked meanwhile comes too late, but earlier breakpoints come
 * along (C-MOVE-LATE). So the page pauses there for the relay, which hands the pause over once the debugger has its session and its breakpoints.
 */
export class ParkedPages {
  readonly #pages = new Map<string, ParkedPage>();
  /** The targets for which the debugger has no session, with or without one of the relay. */
  readonly #left = new Set<string>();

  constructor(
    private readonly upstream: RelayUpstream,
    private readonly options: ParkedPagesOptions,
  ) {
    options.breakpoints.events.on('set', this.#onSet);
    options.breakpoints.events.on('removed', this.#onRemoved);
  }

  /** Whether a page was left, and not attached to since. */
  has(targetId: string): boolean {
    return this.#left.has(targetId);
  }

  /** Whether the relay has a session of a page, which pauses there. */
  hasSession(targetId: string): boolean {
    return this.#pages.has(targetId);
  }

  /** Lets a page run, in whose session nothing was set, and keeps that session. */
  async park(targetId: string, sessionId: string): Promise<void> {
    const { upstream } = this;
    this.#left.add(targetId);
    const isRunning = upstream.ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
    const before = this.#pages.get(targetId);
    if (!this.options.holdsTabs || before?.wasDebuggers === false) {
      await isRunning;
      await this.#detach(sessionId);
      return;
    }
    const enabled = upstream.ask('Debugger.enable', {}, sessionId);
    const page = parkedPage(sessionId, { wasDebuggers: false, enabled });
    if (before) before.next = page;
    else this.#pages.set(targetId, page);
    const { all } = this.options.breakpoints;
    await Promise.all([this.#skipOthers(page), ...[...all].map(([id, params]) => this.#set(page, id, params))]);
    if (!before) return;
    const hasAll = [...all.keys()].every((id) => page.ids.has(id));
    const isFollowed = hasAll && this.#pages.get(targetId) === before && !before.pause;
    if (isFollowed) this.#pages.set(targetId, page);
    await this.#detach(isFollowed ? before.sessionId : sessionId);
  }

  /** Parks a page that shows nothing of the extension any more, of which the debugger has had a session, and no longer has. */
  async leave(targetId: string, sessionId: string): Promise<void> {
    this.#left.add(targetId);
    void this.upstream.ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
    if (!this.options.holdsTabs || this.#pages.has(targetId)) {
      await this.#detach(sessionId);
      return;
    }
    this.#pages.set(targetId, parkedPage(sessionId, { wasDebuggers: true, enabled: Promise.resolve() }));
    // A session in which the debugger has set nothing; the event that it has begun leads to `park`.
    await this.#attach(targetId);
  }

  /** Attaches to a page for the debugger, if it was left. */
  async attachAgain(targetId: string): Promise<void> {
    if (this.#left.delete(targetId)) await this.#attach(targetId);
  }

  /** An event of a session that the debugger does not know; others are left alone. */
  onEvent({ sessionId, method, params }: RelayMessage): void {
    for (const [targetId, page] of this.#pages) {
      if (page.sessionId === sessionId) this.#onEvent(targetId, page, method, params);
      else if (page.next?.sessionId === sessionId) this.#onScript(page.next, method, params);
    }
  }

  #onEvent(targetId: string, page: ParkedPage, method: string, params: unknown): void {
    switch (method) {
      case 'Debugger.resumed':
        this.#forgetPause(page);
        return;
      case 'Debugger.paused':
        this.#onPaused(targetId, page, params);
        return;
      default:
        this.#onScript(page, method, params);
    }
  }

  /** Ids begin again in another process (C-MOVE-IDS). */
  #onScript({ scripts }: ParkedPage, method: string, params: unknown): void {
    if (method !== 'Debugger.scriptParsed') return;
    const scriptId = textField(params, 'scriptId');
    if (extensionOf(textField(params, 'url')) === this.options.extensionId) scripts.add(scriptId);
    else scripts.delete(scriptId);
  }

  #onPaused(targetId: string, page: ParkedPage, params: unknown): void {
    const [frame] = listField(params, 'callFrames');
    if (!page.scripts.has(textField(fieldOf(frame, 'location'), 'scriptId'))) {
      // Without a breakpoint of the debugger it is the pause of somebody else, such as of DevTools that a person has open.
      if (listField(params, 'hitBreakpoints').length > 0) void this.#resume(page);
      return;
    }
    // Of a document that was left while it was paused, nothing was reported (C-MOVE-PAUSED).
    this.#forgetPause(page);
    const limit = this.options.clock.after(PAUSE_LIMIT_MS, () => {
      void this.#resume(page);
    });
    page.pause = { params, limit: limit.unref() };
    this.options.onPaused(targetId);
  }

  /**
   * An event of the debugger's session of a page, which it has not made ready yet. True when it is kept from the debugger: a pause of which
   * it hears by `handOver`, and the end of one that it has not heard of. Of a page that leaves its document while it is paused, Chromium reports no
   * such end (C-MOVE-PAUSED).
   */
  keeps(targetId: string, message: RelayMessage): boolean {
    const page = this.#pages.get(targetId);
    if (!page) return false;
    if (message.method === 'Debugger.paused' && page.pause) {
      page.kept = message;
      return true;
    }
    if (!page.kept) return false;
    const isLeft = message.method === 'Runtime.executionContextsCleared';
    if (isLeft) this.#forgetPause(page);
    if (isLeft || message.method === 'Debugger.resumed') page.kept = undefined;
    return message.method === 'Debugger.resumed';
  }

  /**
   * The debugger has set its breakpoints in a page: the relay's session ends. Gives the `Debugger.paused` event that the debugger gets now, with
   * the reason that the relay's session has received; undefined when the page runs. `isPaused`: the debugger has received a pause of its own.
   */
  handOver(targetId: string, { isPaused }: { isPaused: boolean }): RelayMessage | undefined {
    const page = this.#pages.get(targetId);
    if (!page) return undefined;
    const { pause, kept, sessionId } = page;
    if (pause && !kept && !isPaused) void this.#resume(page);
    this.#forget(targetId);
    void this.#detach(sessionId);
    if (!pause || !kept) return undefined;
    // Why it is paused depends on the session; what is undefined is not written.
    const [reason, hitBreakpoints, data] = ['reason', 'hitBreakpoints', 'data'].map((name) =>
      fieldOf(pause.params, name),
    );
    const params = { ...objectOf(kept.params), reason, hitBreakpoints, data };
    return { ...kept, params, text: messageText({ method: kept.method, params, sessionId: kept.sessionId }) };
  }

  delete(targetId: string): void {
    this.#left.delete(targetId);
    this.#forget(targetId);
  }

  /** A session has ended, which may be of one. */
  onDetached(sessionId: string): void {
    for (const [targetId, page] of this.#pages) if (page.sessionId === sessionId) this.#forget(targetId);
  }

  /** To be called when the relay's connection has ended. */
  end(): void {
    const { events } = this.options.breakpoints;
    events.off('set', this.#onSet);
    events.off('removed', this.#onRemoved);
    for (const page of this.#pages.values()) this.#forgetPause(page);
    this.#pages.clear();
    this.#left.clear();
  }

  readonly #onSet = (id: string, params: object): void => {
    for (const page of this.#pages.values()) void this.#set(page, id, params);
  };

  readonly #onRemoved = (id: string): void => {
    for (const { sessionId, ids } of this.#pages.values()) {
      const breakpointId = ids.get(id);
      if (breakpointId !== undefined) void this.upstream.ask('Debugger.removeBreakpoint', { breakpointId }, sessionId);
      ids.delete(id);
    }
  };

  /**
   * In code of others, `debugger` stops nothing: a page would wait there for good. It still does where somebody else debugs the page, since only what
   * all debuggers skip is skipped (C-SKIP-ALL).
   */
  async #skipOthers(page: ParkedPage): Promise<void> {
    const patterns = [`^(?!chrome-extension://${this.options.extensionId}/)`];
    await this.#ask(page, 'Debugger.setBlackboxPatterns', { patterns, skipAnonymous: true });
  }

  async #set(page: ParkedPage, id: string, params: object): Promise<void> {
    const breakpointId = textField(await this.#ask(page, 'Debugger.setBreakpointByUrl', params), 'breakpointId');
    if (breakpointId === '') return;
    // One that was removed meanwhile had no id here yet.
    if (this.options.breakpoints.all.has(id)) page.ids.set(id, breakpointId);
    else void this.upstream.ask('Debugger.removeBreakpoint', { breakpointId }, page.sessionId);
  }

  /**
   * Asks a page at once, since it may go on to another process with the answer to the next command (C-MOVE-LATE). What has overtaken the command that
   * enables its debugger, and was refused, is asked again after that.
   */
  async #ask({ sessionId, enabled }: ParkedPage, method: string, params: object): Promise<unknown> {
    const result = await this.upstream.ask(method, params, sessionId);
    if (result !== undefined) return result;
    await enabled;
    return await this.upstream.ask(method, params, sessionId);
  }

  async #resume(page: ParkedPage): Promise<void> {
    this.#forgetPause(page);
    await this.upstream.ask('Debugger.resume', {}, page.sessionId);
  }

  async #attach(targetId: string): Promise<void> {
    await this.upstream.ask('Target.attachToTarget', { targetId, flatten: true });
  }

  async #detach(sessionId: string): Promise<void> {
    await this.upstream.ask('Target.detachFromTarget', { sessionId });
  }

  #forget(targetId: string): void {
    const page = this.#pages.get(targetId);
    if (page) this.#forgetPause(page);
    this.#pages.delete(targetId);
  }

  #forgetPause(page: ParkedPage): void {
    page.pause?.limit.clear();
    page.pause = undefined;
  }
}
