import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AcquireBrowserRequest, PoolReference } from '../../../src/service/interface';
import { showInFirstTab } from '../../../src/local/chromium/screen';
import { inUse, messageOf, notFound } from '../../../src/local/httpErrors';
import { randomId } from '../../../src/local/randomId';
import type { Session } from '../../../src/local/sessions/session';
import type { Sessions } from '../../../src/local/sessions/sessions';
import type { PoolConfig } from './poolRequest';

/** A pool in the wire format. */
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

/** The ids of the names in a config. */
export interface ResolvedConfig {
  extensionIds: string[];
  profileId?: string;
}

interface Waiter {
  resolve: (session: Session | undefined) => void;
  reject: (error: Error) => void;
}

/**
 * A pool of browsers that are kept ready. It has `size` browsers, including the acquired ones, starts them one after another, and replaces
 * every one that ends. The pool and its browsers exist as long as the service.
 */
export class Pool {
  readonly id = randomId();
  readonly #createdAt = new Date().toISOString();
  /** Ready browsers, oldest first, each with the function that ends its keep-alive. */
  readonly #idle = new Map<Session, () => void>();
  readonly #acquired = new Set<Session>();
  readonly #waiters: Waiter[] = [];
  #filling = false;
  #stopped = false;

  constructor(
    private readonly sessions: Sessions,
    private config: PoolConfig,
    private resolved: ResolvedConfig,
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

  /** Starts browsers until the pool is full. Returns at once; waiters are rejected when a browser cannot be started. */
  fill(): void {
    if (!this.#filling) void this.#fill();
  }

  /** Changes the settings of future browsers. */
  async update(config: PoolConfig, resolved: ResolvedConfig, discardIdle: boolean): Promise<void> {
    this.config = config;
    this.resolved = resolved;
    const surplus = this.#idle.size + this.#acquired.size - config.size;
    const idle = [...this.#idle.keys()];
    await this.#endAll(discardIdle ? idle : idle.slice(0, Math.max(0, surplus)));
    this.fill();
  }

  /** A ready browser; `undefined` when none became ready in time or the client is gone. Waiters are served in order. */
  async acquire(
    request: AcquireBrowserRequest,
    limitMs: number,
    clientGone: AbortSignal,
  ): Promise<Session | undefined> {
    this.fill();
    const session = await this.#next(limitMs, clientGone);
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

  /** Releases a browser: for reuse, or by ending it, so that a new one replaces it. 404 for a browser of another pool. */
  async release(sessionId: string, reuse: boolean): Promise<void> {
    // The event of a waiter that is gone may follow in the same turn of the event loop; it must not get the browser.
    await nextTurn();
    const session = [...this.#acquired].find(({ id, record }) => id === sessionId || record.name === sessionId);
    if (!session) throw notFound('browser of this pool', sessionId);
    if (!reuse || this.#idle.size + this.#acquired.size > this.config.size) return this.sessions.end(session);
    this.#acquired.delete(session);
    session.record.name = null;
    session.record.tags = {};
    this.#offer(session);
  }

  /** Ends the browsers that are not acquired; new ones replace them. */
  async flush(): Promise<void> {
    await this.#endAll([...this.#idle.keys()]);
    this.fill();
  }

  /** 400 `resource_in_use` while a browser is acquired. */
  checkUnused(): void {
    if (this.#acquired.size === 0) return;
    throw inUse(`${this.#acquired.size} browsers of the pool are acquired. Release them first, or send "force": true.`);
  }

  /** Starts no more browsers and rejects all waiters. */
  stop(reason: Error): void {
    this.#stopped = true;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
  }

  /** As `stop`, and ends all browsers. */
  async end(reason: Error): Promise<void> {
    this.stop(reason);
    await this.#endAll([...this.#idle.keys(), ...this.#acquired]);
  }

  /** Has to be called when any session has ended. */
  onSessionEnd(session: Session): void {
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
        const session = await this.sessions.create(request);
        session.record.pool = this.#reference();
        if (!session.active) continue;
        if (this.#stopped) await this.sessions.end(session);
        else this.#offer(session);
      } catch (error) {
        // The next request tries again; until then waiters are rejected.
        const reason = error instanceof Error ? error : new Error(messageOf(error));
        if (this.#waiters.length === 0) this.warn(`A browser of a pool could not be started: ${reason.message}`);
        for (const waiter of this.#waiters.splice(0)) waiter.reject(reason);
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
      waiter.resolve(session);
    } else {
      this.#idle.set(session, session.activity.keepAlive());
    }
  }

  #take(session: Session): void {
    const release = this.#idle.get(session);
    this.#idle.delete(session);
    this.#acquired.add(session);
    // Its idle time counts from here.
    session.activity.beginUse()();
    release?.();
  }

  #next(limitMs: number, clientGone: AbortSignal): Promise<Session | undefined> {
    const [ready] = this.#idle.keys();
    if (ready) {
      this.#take(ready);
      return Promise.resolve(ready);
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        resolve: (session) => settle(() => resolve(session)),
        reject: (error) => settle(() => reject(error)),
      };
      const leave = () => {
        const at = this.#waiters.indexOf(waiter);
        if (at >= 0) this.#waiters.splice(at, 1);
        waiter.resolve(undefined);
      };
      const timer = setTimeout(leave, limitMs);
      clientGone.addEventListener('abort', leave, { once: true });
      const settle = (answer: () => void) => {
        clearTimeout(timer);
        clientGone.removeEventListener('abort', leave);
        answer();
      };
      this.#waiters.push(waiter);
    });
  }

  async #endAll(sessions: readonly Session[]): Promise<void> {
    await Promise.all(sessions.map((session) => this.sessions.end(session)));
  }
}
