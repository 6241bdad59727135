import type { HiddenTargets } from '../devtools/protocol/hiddenTargets';
import { fieldOf, textField } from '../base/fields';
import { HeldNavigations, type PageState } from './heldNavigations';
import { ParkedPages, type ParkedPagesOptions } from './parkedPages';
import { RelayChild } from './relayChild';
import { refusalOf } from './relayCommands';
import { RelayFamily } from './relayFamily';
import { messageText, type RelayMessage } from './relayMessage';
import type { RootIds } from './relayRoot';
import { isSilentAtFirst, kindOf, type RelayTarget, shownInfo, type TargetFilter, targetOf } from './relayTargets';
import type { RelayUpstream } from './relayUpstream';
import { RelayWorker, type RelayWorkerEvents } from './relayWorker';
import type { ServedScripts } from './servedScripts';
import { StoppedWorkers } from './stoppedWorkers';
import { UndecidedTargets } from './undecidedTargets';

/** Codes of Chromium's answers. */
const NOT_FOUND = -32_001;
const REFUSED = -32_000;

/** What the children of the made-up page need. */
export interface ChildrenOptions
  extends TargetFilter, Omit<RelayWorkerEvents, 'onAnswer'>, Pick<ParkedPagesOptions, 'holdsTabs' | 'breakpoints'> {
  /** Of the made-up browser and its page. */
  ids: RootIds;
  /** Sends a message to the debugger. */
  send: (text: string) => void;
  /** A worker has its session, or has stopped. */
  onWorker: () => void;
  /** Whether an extension is debugged by another relay, which lets its workers go. */
  isDebugged: (extensionId: string) => boolean;
  /** The hidden pages that this process opens in the browser. */
  hidden: Pick<HiddenTargets, 'isOpening' | 'onOpened'>;
  served?: ServedScripts;
}

/** The targets of the extension in one connection to the browser, as children of the made-up page. */
export class RelayChildren {
  readonly #family: RelayFamily;
  readonly #undecided: UndecidedTargets;
  readonly #hidden = new Set<string>();
  readonly #stopped: StoppedWorkers;
  readonly #navigations: HeldNavigations;
  readonly #parked: ParkedPages;
  readonly #stopListening: () => void;

  constructor(
    private readonly upstream: RelayUpstream,
    private readonly options: ChildrenOptions,
  ) {
    this.#family = new RelayFamily(options.ids.root);
    this.#undecided = new UndecidedTargets(options.clock);
    this.#stopped = new StoppedWorkers(upstream, {
      clock: options.clock,
      onRunning: (sessionId, target) => this.#add(sessionId, target, options.ids.root, undefined),
    });
    this.#navigations = new HeldNavigations(upstream, {
      ...options,
      stateOf: (frameId) => this.#stateOf(frameId),
      attach: (targetId) => this.#parked.attachAgain(targetId),
    });
    this.#parked = new ParkedPages(upstream, {
      ...options,
      onPaused: (targetId) => {
        this.#navigations.expect(targetId);
        void this.#parked.attachAgain(targetId);
      },
    });
    this.#stopListening = options.hidden.onOpened(this.#onHidden);
  }

  get workers(): RelayWorker[] {
    return this.#family.all.flatMap(({ worker }) => worker ?? []);
  }

  /** Holds pages from now on until the debugger has set its breakpoints in them. */
  async holdNavigations(): Promise<void> {
    await this.#navigations.hold();
  }

  /** Whether the debugger has set its breakpoints in a page. */
  isReady(targetId: string): boolean {
    return this.#family.ofTarget(targetId)?.isReady ?? false;
  }

  /** Whether a page, or a frame in it, is paused. */
  isPagePaused(targetId: string): boolean {
    return this.#family.all.some((child) => child.isPaused && this.#family.pageOf(child).targetId === targetId);
  }

  /** To be called when the debugger shows the user that the part of a session has stopped. */
  show(sessionId: string): void {
    this.#family.get(sessionId)?.worker?.show();
  }

  /** A command of the debugger to a target. */
  onCommand(message: RelayMessage): void {
    const child = this.#family.get(message.sessionId);
    if (!child) {
      this.#refuse(message, NOT_FOUND, 'Session with given id not found.');
      return;
    }
    const refusal = refusalOf(message, this.options.extensionId);
    if (refusal !== undefined) {
      this.#refuse(message, REFUSED, refusal);
      return;
    }
    if (message.method === 'Target.closeTarget') this.#onClose(message, child);
    else child.onCommand(message);
    if (message.method === 'Debugger.enable' && this.options.holdsTabs && !child.worker) {
      const kind = kindOf(child.target, this.options);
      if (kind === 'blank' || kind === 'tab') this.#navigations.begin(child);
    }
  }

  #refuse({ id, sessionId }: RelayMessage, code: number, message: string): void {
    if (id !== undefined) this.options.send(messageText({ id, error: { code, message }, sessionId }));
  }

  /** An event of the browser, or an answer to the debugger. */
  onMessage(message: RelayMessage): void {
    const { sessionId, method, id, params, text } = message;
    if (sessionId === '') {
      this.#onBrowserEvent(message);
      return;
    }
    const child = this.#family.get(sessionId);
    if (!child) {
      this.#parked.onEvent(message);
      return;
    }
    if (id !== undefined) {
      child.onAnswer(id, text);
      return;
    }
    if (method === 'Target.attachedToTarget') {
      this.#add(textField(params, 'sessionId'), targetOf(params), sessionId, params);
      return;
    }
    if (method === 'Inspector.targetCrashed' && child.worker) {
      this.#remove(sessionId);
      void this.#stopped.add(sessionId, child.target);
      return;
    }
    if (method === 'Target.detachedFromTarget') {
      const inner = textField(params, 'sessionId');
      this.#removeWithin(inner);
      this.#forget(inner);
    }
    if (this.#parked.keeps(child.target.targetId, message)) child.onEnabled();
    else child.onEvent(this.options.served?.shown(message) ?? message);
  }

  /** Detaches from a target because the debugger wants that, which no longer knows the session then. */
  async detach(sessionId: string): Promise<void> {
    if (!this.#family.has(sessionId)) return;
    this.#forgetWithin(sessionId);
    this.#forget(sessionId);
    await this.upstream.ask('Target.detachFromTarget', { sessionId });
  }

  /** The user has stopped the session of one part, for which the debugger closes it: it is let go instead, because it is the user's. */
  #onClose({ id, sessionId }: RelayMessage, child: RelayChild): void {
    if (id !== undefined) this.options.send(messageText({ id, result: { success: true }, sessionId }));
    this.#remove(sessionId);
    // Over the session that has attached it.
    void this.upstream.ask(
      'Target.detachFromTarget',
      { sessionId },
      child.parent === this.options.ids.root ? '' : child.parent,
    );
  }

  /** Reports to the debugger that all targets are gone. */
  end(): void {
    this.#stopListening();
    this.#stopped.end();
    this.#navigations.end();
    this.#parked.end();
    this.#undecided.end();
    for (const { sessionId } of this.#family.all) this.#remove(sessionId);
  }

  #onBrowserEvent({ method, params }: RelayMessage): void {
    const sessionId = textField(params, 'sessionId');
    switch (method) {
      case 'Target.attachedToTarget':
        this.#onAttached(sessionId, targetOf(params), fieldOf(params, 'waitingForDebugger') === true, params);
        return;
      case 'Target.detachedFromTarget':
        for (const of of [this.#undecided, this.#parked]) of.onDetached(sessionId);
        this.#remove(sessionId);
        return;
      case 'Target.targetInfoChanged':
        this.#onChanged(targetOf(params));
        return;
      case 'Target.targetDestroyed':
        for (const gone of [this.#stopped, this.#parked]) gone.delete(textField(params, 'targetId'));
        return;
      case 'Fetch.requestPaused':
        this.#navigations.onPaused(params);
    }
  }

  #onAttached(sessionId: string, target: RelayTarget, isWaiting: boolean, params: unknown): void {
    if (this.#stopped.has(target.targetId)) return;
    if (this.#isForeign(target) || this.#hidden.has(target.targetId)) {
      void this.#letGo(sessionId, target);
      return;
    }
    // Chromium does not hold a tab that is opened with an address (C-ATTACH-OPENED).
    if (isWaiting && target.type === 'page') void this.upstream.ask('Page.waitForDebugger', {}, sessionId);
    if (target.type !== 'other' || !this.options.hidden.isOpening) {
      this.#add(sessionId, target, this.options.ids.root, params);
      return;
    }
    this.#undecided.add(sessionId, target, (latest) => {
      if (kindOf(latest, this.options) === 'foreign') void this.#letGo(sessionId, latest);
      else this.#add(sessionId, latest, this.options.ids.root, params);
    });
  }

  readonly #onHidden = (targetId: string): void => {
    this.#hidden.add(targetId);
    const sessionId = this.#undecided.take(targetId);
    const child = this.#family.ofTarget(targetId);
    if (sessionId !== undefined) void this.#letGo(sessionId, undefined);
    else if (child) this.#drop(child);
  };

  #onChanged(target: RelayTarget): void {
    const kind = kindOf(target, this.options);
    if (this.#undecided.update(target)) return;
    const child = this.#family.ofTarget(target.targetId);
    if (!child) {
      // A tab that was let go shows something of the extension now.
      if (kind === 'tab' || kind === 'page') void this.#parked.attachAgain(target.targetId);
      return;
    }
    child.target = target;
    const isPrivate = /^(?:chrome|devtools|chrome-extension|chrome-untrusted):/.test(target.url);
    if (this.#isForeign(target) && (isPrivate || !child.wasOurs)) {
      this.#drop(child);
      return;
    }
    child.wasOurs ||= kind === 'tab' || kind === 'page';
    this.options.send(
      messageText({
        method: 'Target.targetInfoChanged',
        params: { targetInfo: shownInfo(target, {}, this.options.extensionId) },
        sessionId: this.options.ids.browser,
      }),
    );
  }

  /** Whether a target is not the extension's, and does not become so either: a held tab still has the address that it leaves. */
  #isForeign(target: RelayTarget): boolean {
    return kindOf(target, this.options) === 'foreign' && !this.#navigations.has(target.targetId);
  }

  #stateOf(frameId: string): PageState {
    const child = this.#family.ofTarget(frameId);
    if (child?.isSet === false) return this.#parked.hasSession(frameId) ? 'parked' : 'waiting';
    if (child) return 'ready';
    return this.#parked.has(frameId) ? 'left' : 'none';
  }

  /** Makes a target known to the debugger, as one that waits for it: others get no session. */
  #add(sessionId: string, target: RelayTarget, parent: string, params: unknown): void {
    if (parent === this.options.ids.root && this.#family.ofTarget(target.targetId)) {
      void this.upstream.ask('Target.detachFromTarget', { sessionId });
      return;
    }
    if (!this.#family.takes(sessionId, parent)) return;
    const isWorker = target.type === 'service_worker';
    if (isWorker) this.#endPrevious(target);
    const worker = isWorker ? this.#workerOf(sessionId, target) : undefined;
    const child = new RelayChild(sessionId, target, parent, worker, this.upstream, this.options.send, () => {
      this.#onSet(child);
    });
    child.isSilentAtFirst = isSilentAtFirst(target, fieldOf(params, 'waitingForDebugger') === true);
    child.wasOurs = ['tab', 'page'].includes(kindOf(target, this.options)) || this.#navigations.has(target.targetId);
    this.#family.set(sessionId, child);
    const shown = {
      sessionId,
      targetInfo: shownInfo(target, fieldOf(params, 'targetInfo'), this.options.extensionId),
      waitingForDebugger: true,
    };
    this.#deliver(parent, messageText({ method: 'Target.attachedToTarget', params: shown, sessionId: parent }));
    if (worker) this.options.onWorker();
  }

  /** The debugger has set its breakpoints in a target. */
  #onSet(child: RelayChild): void {
    const { targetId } = child.target;
    this.#navigations.release(targetId);
    const pause = this.#parked.handOver(targetId, child);
    if (pause) child.onEvent(pause);
  }

  /**
   * Ends the worker that a new one has followed: Chromium may start the extension's worker once more in the target of a previous one, whose start a
   * reload has cut short, and it would stay as long as it is attached to (C-WORKER-SAME-TARGET).
   */
  #endPrevious({ contextId }: RelayTarget): void {
    this.#stopped.deleteOf(contextId);
    for (const { sessionId, target, worker } of this.#family.all) {
      if (!worker || target.contextId !== contextId) continue;
      this.#remove(sessionId);
      void this.upstream.ask('Target.closeTarget', { targetId: target.targetId });
    }
  }

  #workerOf(sessionId: string, { targetId }: RelayTarget): RelayWorker {
    return new RelayWorker(targetId, sessionId, this.upstream, {
      onPause: this.options.onPause,
      locations: this.options.locations,
      clock: this.options.clock,
      saysStops: this.options.saysStops,
      onAnswer: (id) => this.options.send(messageText({ id, result: {}, sessionId })),
    });
  }

  /** The debugger no longer has a target that turned out not to be the extension's. */
  #drop({ sessionId, target }: RelayChild): void {
    this.#remove(sessionId);
    if (target.type === 'page') void this.#parked.leave(target.targetId, sessionId);
    else void this.#letGo(sessionId, target);
  }

  /** Lets a target run and detaches from it. */
  async #letGo(sessionId: string, target: RelayTarget | undefined): Promise<void> {
    if (target?.type === 'page') {
      await this.#parked.park(target.targetId, sessionId);
      return;
    }
    const extensionId = target && /^chrome-extension:\/\/(\w+)\//.exec(target.url)?.[1];
    const isDebugged = extensionId !== undefined && this.options.isDebugged(extensionId);
    // The relay of a debugged worker lets it run when its breakpoints are set; it waits for each session that has held it and has not ended.
    if (target?.type !== 'service_worker' || !isDebugged) {
      await this.upstream.ask('Runtime.runIfWaitingForDebugger', {}, sessionId);
    }
    await this.upstream.ask('Target.detachFromTarget', { sessionId });
  }

  /** Reports to the debugger that a target is gone, and first those within it. */
  #remove(sessionId: string): void {
    const child = this.#family.get(sessionId);
    if (!child) return;
    this.#removeWithin(sessionId);
    this.#forget(sessionId);
    const { parent, target } = child;
    const params = { sessionId, targetId: target.targetId };
    this.#deliver(parent, messageText({ method: 'Target.detachedFromTarget', params, sessionId: parent }));
  }

  /** Sends an event of the made-up page, or of a target in which another one is. */
  #deliver(parent: string, text: string): void {
    const above = this.#family.get(parent);
    if (above) above.deliver(text);
    else this.options.send(text);
  }

  #removeWithin(sessionId: string): void {
    for (const inner of this.#family.within(sessionId)) this.#remove(inner);
  }

  /** For a debugger that no longer knows the session of the target, and so none within it. */
  #forgetWithin(sessionId: string): void {
    for (const inner of this.#family.within(sessionId)) {
      this.#forgetWithin(inner);
      this.#forget(inner);
    }
  }

  #forget(sessionId: string): void {
    const child = this.#family.get(sessionId);
    child?.worker?.end();
    this.#family.delete(sessionId);
    if (child) this.#navigations.release(child.target.targetId);
    if (child?.worker) this.options.onWorker();
  }
}
