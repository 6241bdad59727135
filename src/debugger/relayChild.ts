import { fieldOf, objectOf } from '../base/fields';
import { LeftScripts } from './leftScripts';
import { messageText, type RelayMessage } from './relayMessage';
import { CHILD_FILTER, type RelayTarget } from './relayTargets';
import type { RelayUpstream } from './relayUpstream';
import type { RelayWorker } from './relayWorker';

const RUN = 'Runtime.runIfWaitingForDebugger';

/** The commands that must have been answered when a page goes on. */
const BEFORE_SET = /^(?:Debugger\.set\w*Breakpoint\w*|Runtime\.runIfWaitingForDebugger)$/;

/** Whether a page shows another document than before. */
function isMoved({ method, params }: RelayMessage): boolean {
  return method === 'Page.frameNavigated' && fieldOf(fieldOf(params, 'frame'), 'parentId') === undefined;
}

/** A target that the debugger knows, and its session. */
export class RelayChild {
  /** Events that came before the debugger knew the session, at which it would fail; undefined once it has sent a command. */
  #early: string[] | undefined = [];
  /** The command that enables the debugger in a page, until it is answered, and the commands after it. */
  #enabling: { id: number; after: RelayMessage[] } | undefined;
  /** Whether the debugger has set its breakpoints, and lets it run. */
  isReady = false;
  /** The command that lets it run, until it is answered, and those that set breakpoints before it. */
  readonly #beforeSet = new Set<number>();
  readonly #left: LeftScripts;
  isPaused = false;
  /** Whether it may answer nothing before it is let go. */
  isSilentAtFirst = false;
  /** Whether it has been a page of the extension, or one that its content scripts can run in. */
  wasOurs = false;

  constructor(
    readonly sessionId: string,
    public target: RelayTarget,
    /** The session over which the debugger learnt of it. */
    readonly parent: string,
    readonly worker: RelayWorker | undefined,
    private readonly upstream: RelayUpstream,
    private readonly send: (text: string) => void,
    /** Called when the browser has confirmed that the breakpoints are set. */
    private readonly onSet: () => void,
  ) {
    this.#left = new LeftScripts(sessionId);
  }

  /** Whether it has not confirmed yet that its debugger is enabled. */
  get isEnabling(): boolean {
    return this.#enabling !== undefined;
  }

  /** Whether the browser has confirmed that the breakpoints are set. */
  get isSet(): boolean {
    return this.isReady && this.#beforeSet.size === 0;
  }

  /** Passes an event on to the debugger. */
  deliver(text: string): void {
    if (this.#early) this.#early.push(text);
    else this.send(text);
  }

  onCommand(message: RelayMessage): void {
    this.#forward(message);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const text of early) this.send(text);
  }

  /** Passes an event of the target itself on to the debugger. */
  onEvent(message: RelayMessage): void {
    this.worker?.onEvent(message);
    // It comes from an enabled debugger. A page that pauses while it moves to its process never answers (C-MOVE-WAITS).
    if (message.method.startsWith('Debugger.')) this.onEnabled();
    if (message.method === 'Debugger.paused') this.isPaused = true;
    // Of a page that leaves its document while it is paused, Chromium reports no more (C-MOVE-PAUSED).
    if (message.method === 'Debugger.resumed' || message.method === 'Runtime.executionContextsCleared') {
      this.isPaused = false;
    }
    // A page that was let run while it moved to another process waits again in that, of which the debugger knows nothing (C-MOVE-WAITS).
    if (this.isReady && isMoved(message)) void this.upstream.ask(RUN, {}, this.sessionId);
    for (const text of [...this.#left.before(message), message.text]) this.deliver(text);
  }

  onAnswer(id: number, text: string): void {
    if (this.#enabling?.id === id) this.onEnabled();
    const wasSet = this.isSet;
    this.#beforeSet.delete(id);
    this.send(text);
    if (this.isSet && !wasSet) this.onSet();
  }

  /** The browser has confirmed that its debugger is enabled: passes on what was held. */
  onEnabled(): void {
    const after = this.#enabling?.after ?? [];
    this.#enabling = undefined;
    for (const held of after) {
      // The debugger enables itself once for each world of a page: a second time makes no difference.
      if (held.method === 'Debugger.enable') this.upstream.forward(held.text);
      else this.#forward(held);
    }
  }

  #forward(message: RelayMessage): void {
    const { method, id, sessionId, text } = message;
    if (!this.isReady && id !== undefined && BEFORE_SET.test(method)) this.#beforeSet.add(id);
    this.isReady ||= method === RUN;
    if (method === 'Target.setAutoAttach' && id !== undefined) {
      const params = { ...objectOf(message.params), filter: CHILD_FILTER };
      this.upstream.forward(messageText({ id, method, params, sessionId }));
    } else if (this.worker) {
      this.worker.onCommand(message);
    } else if (this.#enabling) {
      this.#enabling.after.push(message);
    } else {
      // A page that is just moving to its process may get the next commands first (C-MOVE-LATE).
      if (method === 'Debugger.enable' && id !== undefined) this.#enabling = { id, after: [] };
      this.upstream.forward(text);
    }
  }
}
