import { nameTaken, notFound, unavailable } from '../../../src/local/httpErrors';
import { profileKey, type Sessions } from '../../../src/local/sessions/sessions';
import type { ExtensionStore } from '../../../src/local/store/extensionStore';
import type { ProfileStore } from '../../../src/local/store/profileStore';
import { Pool, type ResolvedConfig } from './pool';
import type { PoolConfig } from './poolRequest';

/** The environment of the pools. */
export interface PoolsContext {
  sessions: Sessions;
  profiles: ProfileStore;
  extensions: ExtensionStore;
  /** Logs a message, without secrets. */
  warn: (message: string) => void;
}

/** All pools of this service. */
export class Pools {
  readonly #pools = new Map<string, Pool>();

  constructor(private readonly context: PoolsContext) {
    context.sessions.onEnd((session) => {
      for (const pool of this.#pools.values()) pool.onSessionEnd(session);
    });
  }

  /** Oldest first. */
  all(): Pool[] {
    return [...this.#pools.values()];
  }

  /** The pool with that id or name; 404 when there is none. */
  get(idOrName: string): Pool {
    const pool = this.#pools.get(idOrName) ?? this.all().find(({ name }) => name === idOrName);
    if (!pool) throw notFound('pool', idOrName);
    return pool;
  }

  /** A new pool, which starts its browsers. 404 for an unknown profile or extension, 409 for a taken name. */
  async create(config: PoolConfig): Promise<Pool> {
    const resolved = await this.#resolve(config);
    this.#checkName(config.name);
    const pool = new Pool(this.context.sessions, config, resolved, this.context.warn);
    this.#pools.set(pool.id, pool);
    pool.fill();
    return pool;
  }

  /** Changes the settings; see `Pool.update`. Errors as for `create`. */
  async update(pool: Pool, config: PoolConfig, discardIdle: boolean): Promise<void> {
    const resolved = await this.#resolve(config);
    if (config.name !== pool.name) this.#checkName(config.name);
    await pool.update(config, resolved, discardIdle);
  }

  /** Removes a pool and ends its browsers. 400 `resource_in_use` while one is acquired, unless forced. */
  async delete(pool: Pool, force: boolean): Promise<void> {
    if (!force) pool.checkUnused();
    this.#pools.delete(pool.id);
    await pool.end(notFound('pool', pool.name ?? pool.id));
  }

  /** Starts no more browsers; running ones end with the sessions. */
  close(): void {
    for (const pool of this.#pools.values()) pool.stop(unavailable('The service is shutting down.'));
  }

  async #resolve(config: PoolConfig): Promise<ResolvedConfig> {
    const extensionIds: string[] = [];
    for (const { id, name } of config.extensions ?? []) {
      extensionIds.push((await this.context.extensions.records.get(id ?? name ?? '')).id);
    }
    if (!config.profile) return { extensionIds };
    return { extensionIds, profileId: (await this.context.profiles.records.get(profileKey(config.profile))).id };
  }

  #checkName(name: string | undefined): void {
    if (name !== undefined && this.all().some((pool) => pool.name === name)) throw nameTaken('pool', name);
  }
}
