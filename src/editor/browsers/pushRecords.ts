import { EventEmitter, type Disposable } from 'vscode';
import type { BuildPlaces } from '../../debug/errorSpots';
import type { Aspect } from '../../manifest/aspects';
import type { BrowserSession } from '../../service/model';

/** What is known now about the last push to a browser that this window has pushed to. */
export interface PushRecord {
  /**
   * `running`: the extension was seen to run, and nothing was heard since that says otherwise. `unverified`: delivered, but not seen to
   * run. `failed`: the last push failed. `stopped`: the browser has ended, or no longer runs this build.
   */
  state: 'running' | 'unverified' | 'failed' | 'stopped';
  /** When the push ended, in milliseconds since the epoch. */
  at: number;
  /** Why it failed or stopped, as a sentence; empty when it runs. */
  reason: string;
  /** The reason in two or three words; empty when it runs. */
  label: string;
  /** Of the extension, as far as it is known. */
  name?: string;
  version?: string;
  extensionId?: string;
  /** Digest of the build. */
  digest?: string;
  /** Duration of the push, in milliseconds. */
  ms?: number;
  /** Whether it is the browser that has ended, not only what was pushed to it. */
  hasEnded?: boolean;
  /** Whether another program has pushed, after this window. */
  byOther?: boolean;
  /** What the manifest of the build does not have. */
  lacks?: readonly Aspect[];
}

/** The build that this window has put into a browser. */
export interface PushedBuild extends BuildPlaces {
  /** The browser, as the service described it then. */
  session: BrowserSession;
}

/** The last push of this window to each browser. Forgotten with the window. */
export class PushRecords implements Disposable {
  readonly #changed = new EventEmitter<string>();
  /** Fires with the id of the session whose record has changed, or to which a push has begun. */
  readonly onDidChange = this.#changed.event;
  readonly #records = new Map<string, PushRecord>();
  readonly #builds = new Map<string, PushedBuild>();
  /** How many errors the pushed extension has had in each browser since. */
  readonly #errors = new Map<string, number>();
  /** How many pushes run to each browser. */
  readonly #running = new Map<string, number>();

  get(sessionId: string): PushRecord | undefined {
    return this.#records.get(sessionId);
  }

  set(sessionId: string, record: PushRecord): void {
    this.#records.set(sessionId, record);
    this.#changed.fire(sessionId);
  }

  /** What this window has put into a browser last, also when a later push has failed. */
  build(sessionId: string): PushedBuild | undefined {
    return this.#builds.get(sessionId);
  }

  /** Another program has pushed the extension from another folder: where the files of the build are is not known. */
  dropBuild(sessionId: string): void {
    this.#builds.delete(sessionId);
  }

  get builds(): readonly PushedBuild[] {
    return [...this.#builds.values()];
  }

  /** Call it before `set`, which tells others of the change. */
  setBuild(build: PushedBuild): void {
    this.#builds.set(build.session.session_id, build);
  }

  /** Takes the descriptions over that the service gives of browsers now. */
  follow(sessions: readonly BrowserSession[]): void {
    for (const session of sessions) {
      const build = this.#builds.get(session.session_id);
      if (build) this.#builds.set(session.session_id, { ...build, session });
    }
  }

  /** How many different errors the pushed extension has had in a browser since, warnings not counted. */
  errorsOf(sessionId: string): number {
    return this.#errors.get(sessionId) ?? 0;
  }

  setErrors(sessionId: string, count: number): void {
    if (count === this.errorsOf(sessionId)) return;
    if (count === 0) this.#errors.delete(sessionId);
    else this.#errors.set(sessionId, count);
    this.#changed.fire(sessionId);
  }

  /** Removes the record of a session, for example because it was deleted. */
  delete(sessionId: string): void {
    this.#builds.delete(sessionId);
    if (this.#records.delete(sessionId)) this.#changed.fire(sessionId);
  }

  /** Whether a push to the browser runs now. */
  isPushing(sessionId: string): boolean {
    return this.#running.has(sessionId);
  }

  /** Counts `act` as a push to these browsers. */
  async during<T>(sessionIds: readonly string[], act: () => Promise<T>): Promise<T> {
    for (const id of sessionIds) this.#count(id, 1);
    try {
      return await act();
    } finally {
      for (const id of sessionIds) this.#count(id, -1);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #count(sessionId: string, change: 1 | -1): void {
    const count = (this.#running.get(sessionId) ?? 0) + change;
    if (count > 0) this.#running.set(sessionId, count);
    else this.#running.delete(sessionId);
    this.#changed.fire(sessionId);
  }
}
