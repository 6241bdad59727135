import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AcquireBrowserRequest, PoolReference } from '../../service/model';
import { showInFirstTab } from '../chromium/screen';
import { inUse, messageOf, notFound } from '../errors';
import { randomId } from '../randomId';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import type { PoolConfig } from './poolRequest';

/** A pool as the wire has it. */
export interface PoolRecord {
  id: string;
  created_at: string;
  name?: string;
  available_count: number;
  acquired_count: number;
  browser_pool_config: PoolConfig;
  extension_ids: string[];
  profile_id?: string;
}

/** What the config's names were resolved to when it was set. */
export interface Resolved {
  extensionIds: string[];
  profileId?: string;
}

interface Waiter {
  give: (session: Session | undefined) => void;
  fail: (error: Error) => void;
}

/**
 * Some browsers of one kind that are kept ready. It holds `size` of them, those that are acquired included, and starts one
 * after the other; one that ends in any way is replaced. It lives as long as the service, as its browsers do.
 */
export class Pool {
  readonly id = randomId();
  readonly #createdAt = new Date().toISOString();
  /** Ready browsers, longest waiting first, with what keeps each from ending for lack of use. */
  readonly #idle = new Map<Session, () => void>();
  readonly #acquired = new Set<Session>();
  readonly #waiters: Waiter[] = [];
  #filling = false;
  #stopped = false;

  constructor(
    private readonly sessions: Sessions,
    private config: PoolConfig,
    private resolved: Resolved,
    private readonly warn: (message: string) => void,
  ) {}

  get name(): string | undefined {
    return this.config.name;
  }

  get settings(): PoolConfig {
    return this.config;
  }

  get record(): PoolRecord {
    return {
      id: this.id,
      created_at: this.#createdAt,
      ...(this.config.name === undefined ? {} : { name: this.config.name }),
      available_count: this.#idle.size,
      acquired_count: this.#acquired.size,
      browser_pool_config: this.config,
      extension_ids: this.resolved.extensionIds,
      ...(this.resolved.profileId === undefined ? {} : { profile_id: this.resolved.profileId }),
    };
  }

  /** Starts browsers until the pool is full. Answers at once; who waits for one is told when it cannot be started. */
  fill(): void {
    if (!this.#filling) void this.#fill();
  }

  /** New settings for the browsers that are started from now on. */
  async update(config: PoolConfig, resolved: Resolved, discardIdle: boolean): Promise<void> {
    this.config = config;
    this.resolved = resolved;
    const surplus = this.#idle.size + this.#acquired.size - config.size;
    const idle = [...this.#idle.keys()];
    await this.#endAll(discardIdle ? idle : idle.slice(0, Math.max(0, surplus)));
    this.fill();
  }

  /** A ready browser, or `undefined` when none became ready in time or the client left. Those who wait are served in order. */
  async acquire(request: AcquireBrowserRequest, limitMs: number, left: AbortSignal): Promise<Session | undefined> {
    this.fill();
    const session = await this.#next(limitMs, left);
    if (!session) return undefined;
    try {
      if (request.name !== undefined) this.sessions.rename(session, request.name);
      if (request.tags) session.record.tags = request.tags;
      const { start_url: url } = request;
      if (url !== undefined) await session.input((chromium) => showInFirstTab(chromium, url));
      return session;
    } catch (error) {
      await this.release(session.id, true);
      throw error;
    }
  }

  /** Takes a browser back: as it is, or by ending it, in which case a new one takes its place. 404 for a stranger's. */
  async release(sessionId: string, reuse: boolean): Promise<void> {
    // A waiter that left before this was asked for may have been heard of in the same turn, and must not be given the browser.
    await nextTurn();
    const session = [...this.#acquired].find(({ id, record }) => id === sessionId || record.name === sessionId);
    if (!session) throw notFound('browser of this pool', sessionId);
    if (!reuse || this.#idle.size + this.#acquired.size > this.config.size) return this.sessions.end(session);
    this.#acquired.delete(session);
    session.record.name = null;
    session.record.tags = {};
    this.#offer(session);
  }

  /** Ends the browsers that nobody has acquired; new ones take their places. */
  async flush(): Promise<void> {
    await this.#endAll([...this.#idle.keys()]);
    this.fill();
  }

  /** 400 `resource_in_use` while a browser is acquired. */
  checkUnused(): void {
    if (this.#acquired.size === 0) return;
    throw inUse(`${this.#acquired.size} browsers of the pool are acquired. Release them first, or send "force": true.`);
  }

  /** Starts no more browsers; who waits for one is told why. */
  stop(reason: Error): void {
    this.#stopped = true;
    for (const waiter of this.#waiters.splice(0)) waiter.fail(reason);
  }

  /** As `stop`, and ends all browsers. */
  async end(reason: Error): Promise<void> {
    this.stop(reason);
    await this.#endAll([...this.#idle.keys(), ...this.#acquired]);
  }

  /** To be called when any session has ended. */
  ended(session: Session): void {
    this.#idle.get(session)?.();
    const ours = this.#idle.delete(session) || this.#acquired.delete(session);
    if (ours) this.fill();
  }

  async #fill(): Promise<void> {
    this.#filling = true;
    try {
      await this.#startMissing();
    } finally {
      this.#filling = false;
    }
  }

  async #startMissing(): Promise<void> {
    while (!this.#stopped && this.#idle.size + this.#acquired.size < this.config.size) {
      const { name: _name, size: _size, ...request } = this.config;
      try {
        const session = await this.sessions.create(request, this.#reference());
        if (!session.active) continue;
        if (this.#stopped) await this.sessions.end(session);
        else this.#offer(session);
      } catch (error) {
        // Another try comes with the next request; until then nobody waits in vain.
        const told = error instanceof Error ? error : new Error(messageOf(error));
        if (this.#waiters.length === 0) this.warn(`A browser of a pool could not be started: ${told.message}`);
        for (const waiter of this.#waiters.splice(0)) waiter.fail(told);
        return;
      }
    }
  }

  #reference(): PoolReference {
    return { id: this.id, ...(this.config.name === undefined ? {} : { name: this.config.name }) };
  }

  #offer(session: Session): void {
    const waiter = this.#waiters.shift();
    if (waiter) {
      this.#take(session);
      waiter.give(session);
    } else {
      this.#idle.set(session, session.hold());
    }
  }

  #take(session: Session): void {
    const release = this.#idle.get(session);
    this.#idle.delete(session);
    this.#acquired.add(session);
    // Its time without use counts from here.
    session.busy()();
    release?.();
  }

  #next(limitMs: number, left: AbortSignal): Promise<Session | undefined> {
    const [ready] = this.#idle.keys();
    if (ready) {
      this.#take(ready);
      return Promise.resolve(ready);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        give: (session) => settle(() => resolve(session)),
        fail: (error) => settle(() => reject(error)),
      };
      const leave = () => {
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        waiter.give(undefined);
      };
      const timer = setTimeout(leave, limitMs);
      left.addEventListener('abort', leave, { once: true });
      const settle = (answer: () => void) => {
        clearTimeout(timer);
        left.removeEventListener('abort', leave);
        answer();
      };
      this.#waiters.push(waiter);
    });
  }

  async #endAll(sessions: readonly Session[]): Promise<void> {
    await Promise.all(sessions.map((session) => this.sessions.end(session)));
  }
}
