import { type Clock, type Timer, inTime } from '../base/clock';
import { fieldOf, numberField, textField } from '../base/fields';
import type { BuiltLocation } from '../console/consoleLine';
import type { RelayMessage } from './relayMessage';
import type { RelayUpstream } from './relayUpstream';
import type { SourceLocations } from '../console/sourceLocations';

/**
 * Pause between the removal of a breakpoint and the command that lets a paused worker go on, in milliseconds. Sent together, they crash the
 * extension's process (C-WORKER-BREAKPOINT).
 */
const REMOVAL_MS = 200;

/** How long a worker may take to acknowledge that it was released, in milliseconds. */
const RELEASE_LIMIT_MS = 500;

/** How long a worker must stand before that is reported, in milliseconds: the debugger itself pauses it for moments, to load source maps. */
const SETTLE_MS = 100;

/**
 * The same where it is said which pauses the debugger shows, in milliseconds: a pause of which nothing was said is reported all the same, since
 * a later js-debug may name its sessions otherwise. js-debug 1.117 loads source maps for 10 s at most.
 */
const UNSAID_MS = 12_000;

const RUN = 'Runtime.runIfWaitingForDebugger';
const REMOVE = 'Debugger.removeBreakpoint';
const SET = /^Debugger\.setBreakpoint(?:ByUrl)?$/;
const GO_ON = /^Debugger\.(?:resume|stepInto|stepOver|stepOut|continueToLocation)$/;

/** What a worker reports, and needs. */
export interface RelayWorkerEvents {
  /** It was paused, or goes on. */
  onPause: () => void;
  /** Names the locations where it is paused. */
  locations: SourceLocations;
  /** Answers a command in the browser's location. */
  onAnswer: (id: number) => void;
  clock: Clock;
  /** Whether `show` is called. */
  saysStops: boolean;
}

/** The debugger's session with one worker of the extension: what Chromium and js-debug need to agree about workers. */
export class RelayWorker {
  /** Where it is paused, also if only for a moment. */
  #location: BuiltLocation | undefined;
  #settling: Timer | undefined;
  /** The same as text, once it has been paused for a while. */
  #pausedAt: string | undefined;
  /** Whether the pause is in its script itself, not in a function that was called later. */
  #isStarting = false;
  #runs = 0;
  #isSkipping = false;
  #lastRemoval = -Infinity;
  #lastGoOn = -Infinity;
  readonly #held: RelayMessage[] = [];
  #timer: Timer | undefined;
  /** The addresses of its scripts by their ids, which a pause names. */
  readonly #scripts = new Map<string, string>();

  constructor(
    readonly targetId: string,
    private readonly sessionId: string,
    private readonly upstream: RelayUpstream,
    private readonly events: RelayWorkerEvents,
  ) {}

  /** Where it is paused: `path:line:column`; undefined while it runs. */
  get pausedAt(): string | undefined {
    return this.#pausedAt;
  }

  /** Passes a command of the debugger on, now or a little later, or answers it. */
  onCommand(message: RelayMessage): void {
    const { method, id } = message;
    if (method === RUN && id !== undefined) {
      this.#runs += 1;
      // The debugger lets a worker go at once, and again when it has set the breakpoints: the first would be too early.
      if (this.#runs === 1) {
        this.events.onAnswer(id);
        return;
      }
    }
    // js-debug pauses a worker at its start for breakpoints of its own, and resumes it, which may be held here.
    if (GO_ON.test(method)) this.#setPausedAt(undefined);
    const isOrdered = method === REMOVE || SET.test(method) || GO_ON.test(method);
    if (isOrdered && (this.#held.length > 0 || this.#remainingMs(method) > 0)) {
      this.#held.push(message);
      this.#schedule();
      return;
    }
    this.#forward(message);
  }

  /** To be called when the debugger shows the user that it has stopped. */
  show(): void {
    if (this.#location && this.#settling) void this.#settle(this.#location);
  }

  /** Takes note of an event. */
  onEvent({ method, params }: RelayMessage): void {
    switch (method) {
      case 'Debugger.scriptParsed':
        this.#scripts.set(textField(params, 'scriptId'), textField(params, 'url'));
        return;
      case 'Debugger.paused':
        this.#onPaused(fieldOf(params, 'callFrames'));
        return;
      case 'Debugger.resumed':
        this.#onGone();
    }
  }

  /**
   * Lets the worker go if it is paused before or in its script, without further pauses: else it would stay beside its successor. Resolves when
   * it has acknowledged that, or after a time limit.
   */
  async release(): Promise<void> {
    if (this.#runs > 1 && !this.#isStarting) return;
    this.#isSkipping = true;
    const { upstream, sessionId } = this;
    const all = Promise.all([
      upstream.ask('Debugger.setSkipAllPauses', { skip: true }, sessionId),
      upstream.ask('Debugger.resume', {}, sessionId),
      upstream.ask(RUN, {}, sessionId),
    ]);
    await inTime(all, RELEASE_LIMIT_MS, this.events.clock);
  }

  /** Has it pause at breakpoints again, if it still lives. */
  async restore(): Promise<void> {
    if (!this.#isSkipping) return;
    this.#isSkipping = false;
    await this.upstream.ask('Debugger.setSkipAllPauses', { skip: false }, this.sessionId);
  }

  /** To be called when the session has ended. */
  end(): void {
    this.#timer?.clear();
    this.#held.length = 0;
    this.#onGone();
  }

  #forward(message: RelayMessage): void {
    const { method, text } = message;
    if (method === REMOVE && this.#location) this.#lastRemoval = this.events.clock.now();
    if (GO_ON.test(method)) this.#lastGoOn = this.events.clock.now();
    this.upstream.forward(text);
  }

  /** How long a command must still wait, in milliseconds. */
  #remainingMs(method: string): number {
    if (SET.test(method)) return 0;
    const since = method === REMOVE ? this.#lastGoOn : this.#lastRemoval;
    return since + REMOVAL_MS - this.events.clock.now();
  }

  #schedule(): void {
    const [first] = this.#held;
    if (!first || this.#timer) return;
    this.#timer = this.events.clock.after(Math.max(0, this.#remainingMs(first.method)), () => {
      this.#timer = undefined;
      while (this.#held[0] && this.#remainingMs(this.#held[0].method) <= 0) {
        const message = this.#held.shift();
        if (message) this.#forward(message);
      }
      this.#schedule();
    });
  }

  #onPaused(frames: unknown): void {
    const list: unknown[] = Array.isArray(frames) ? frames : [];
    const [top, bottom] = [list[0], list.at(-1)];
    const said = fieldOf(top, 'location');
    const location = {
      url: this.#scripts.get(textField(said, 'scriptId')) ?? '',
      line: numberField(said, 'lineNumber') + 1,
      column: numberField(said, 'columnNumber') + 1,
    };
    this.#location = location;
    // A script itself is a function without a name that begins where the file does.
    const start = fieldOf(bottom, 'functionLocation');
    this.#isStarting =
      textField(bottom, 'functionName') === '' &&
      numberField(start, 'lineNumber') === 0 &&
      numberField(start, 'columnNumber') === 0;
    this.#settling?.clear();
    const settleMs = this.events.saysStops ? UNSAID_MS : SETTLE_MS;
    this.#settling = this.events.clock.after(settleMs, () => void this.#settle(location));
  }

  /** It has been paused for a while: finds out where that is in the source. */
  async #settle(location: BuiltLocation): Promise<void> {
    const { url, line, column } = location;
    const text = (await this.events.locations.source(location)) ?? `${url}:${line}:${column ?? 1}`;
    if (this.#location === location && this.#settling) this.#setPausedAt(text);
  }

  #setPausedAt(text: string | undefined): void {
    this.#settling?.clear();
    this.#settling = undefined;
    if (this.#pausedAt === text) return;
    this.#pausedAt = text;
    this.events.onPause();
  }

  #onGone(): void {
    this.#location = undefined;
    this.#isStarting = false;
    this.#setPausedAt(undefined);
  }
}
