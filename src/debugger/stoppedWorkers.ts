import { type Clock, inTime } from '../base/clock';
import { fieldOf, textField } from '../base/fields';
import type { RelayTarget } from './relayTargets';
import type { RelayUpstream } from './relayUpstream';

/** How long after a worker has stopped it is asked whether its target has gone, in milliseconds (C-WORKER-ATTACHED-TARGET). */
const FIRST_POLL_MS = 100;

/** After how long it is asked again whether a worker runs in the target, in milliseconds: twice as long each time, up to the longest. */
const POLL_MS = 500;
const LONGEST_POLL_MS = 4000;

/** How long a running worker may take to answer beyond a round trip to the browser, in milliseconds; one that has stopped never answers. */
const ANSWER_LIMIT_MS = 100;

/** What the targets of stopped workers need. */
export interface StoppedWorkersOptions {
  clock: Clock;
  /** A worker runs again in its former target, and is attached to over this session. */
  onRunning: (sessionId: string, target: RelayTarget) => void;
}

/**
 * The targets of workers that have stopped while they were debugged. As long as a client is attached to the target, the worker starts in it again,
 * and does not wait for the debugger (C-WORKER-ATTACHED-TARGET). So the relay detaches: then the target ends, and the next start has a new one, which
 * waits. The target stays when another client is attached to it, or when the worker has started before the relay had detached; in these cases the
 * relay attaches to the worker again once it runs, after its first statements.
 */
export class StoppedWorkers {
  readonly #targets = new Map<string, RelayTarget>();
  /** The ids of those that are asked now, over a session that is not the debugger's. */
  readonly #polled = new Set<string>();
  readonly #end = new AbortController();

  constructor(
    private readonly upstream: RelayUpstream,
    private readonly options: StoppedWorkersOptions,
  ) {}

  /** Whether this is the target of a worker that has stopped, or is still asked, though another worker has followed. */
  has(targetId: string): boolean {
    return this.#targets.has(targetId) || this.#polled.has(targetId);
  }

  /** To be called when a worker has stopped: detaches from it, and follows its target until that has gone or the worker runs again. */
  async add(sessionId: string, target: RelayTarget): Promise<void> {
    const { targetId } = target;
    this.#targets.set(targetId, target);
    const { clock } = this.options;
    const { signal } = this.#end;
    await this.upstream.ask('Target.detachFromTarget', { sessionId });
    let [waitMs, nextMs] = [FIRST_POLL_MS, POLL_MS];
    while (this.#targets.get(targetId) === target) {
      await clock.delay(waitMs, { ref: false, signal }).catch(() => undefined);
      if (this.#targets.get(targetId) === target) {
        this.#polled.add(targetId);
        await this.#poll(targetId, target);
        this.#polled.delete(targetId);
      }
      [waitMs, nextMs] = [nextMs, Math.min(2 * nextMs, LONGEST_POLL_MS)];
    }
  }

  /** To be called when a target has gone. */
  delete(targetId: string): void {
    this.#targets.delete(targetId);
  }

  /** To be called when another worker of a profile has started: the former target may be listed for good (C-WORKER-LISTED). */
  deleteOf(contextId: string): void {
    for (const [targetId, target] of this.#targets) if (target.contextId === contextId) this.#targets.delete(targetId);
  }

  /** Stops following them. */
  end(): void {
    this.#targets.clear();
    this.#end.abort();
  }

  /** Attaches to a target, for good if its worker runs, else for a moment. */
  async #poll(targetId: string, target: RelayTarget): Promise<void> {
    const { upstream, options } = this;
    const { clock } = options;
    const began = clock.now();
    const sessionId = textField(await upstream.ask('Target.attachToTarget', { targetId, flatten: true }), 'sessionId');
    if (sessionId === '') {
      this.#targets.delete(targetId);
      return;
    }
    const tripMs = clock.now() - began;
    const asked = upstream.ask('Runtime.getIsolateId', {}, sessionId);
    const answer = await inTime(asked, tripMs + ANSWER_LIMIT_MS, clock);
    if (fieldOf(answer, 'id') !== undefined && this.#targets.get(targetId) === target) {
      this.#targets.delete(targetId);
      options.onRunning(sessionId, target);
      return;
    }
    await upstream.ask('Target.detachFromTarget', { sessionId });
  }
}
