import { webcrypto } from 'node:crypto';
import { createContext, runInContext } from 'node:vm';
import { callOf } from '../../src/devtools/protocol/pageCall';
import { TestClock } from './testClock';

/**
 * A page or worker in memory, in which functions of `src/devtools/inPage/` run from their texts: a realm of its own, whose global names are those
 * of the language, time by a {@link TestClock}, and what the test gives it, such as a `chrome`.
 */
export class FakePage {
  readonly #realm: object;

  constructor(
    globals: object,
    readonly clock = new TestClock(),
  ) {
    this.#realm = createContext({
      setTimeout: (act: (...args: unknown[]) => void, ms: number, ...args: unknown[]) =>
        clock.after(ms, () => {
          act(...args);
        }),
      clearTimeout: (timer: ReturnType<TestClock['after']> | undefined) => timer?.clear(),
      performance: { now: () => clock.now() },
      Date: { now: () => clock.now() },
      crypto: webcrypto,
      TextEncoder,
      ...globals,
    });
    runInContext('globalThis.self = globalThis', this.#realm);
  }

  /** Its global object. */
  get window(): unknown {
    return runInContext('self', this.#realm) as unknown;
  }

  /** What a function returns here, as DevTools passes it on: as JSON, with promises awaited. */
  async call<A extends unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    const value = (await this.handle(fn, ...args)) as unknown;
    return (value === undefined ? undefined : JSON.parse(JSON.stringify(value))) as Awaited<R>;
  }

  /** The same as it is here, without awaiting it. */
  handle<A extends unknown[], R>(fn: (...args: A) => R, ...args: A): R {
    return runInContext(callOf(fn, ...args).expression, this.#realm) as R;
  }
}

/** An event of the extension API, which a test fires. */
export class FakeEvent<Args extends unknown[]> {
  readonly #listeners = new Set<(...args: Args) => void>();

  addListener(listener: (...args: Args) => void): void {
    this.#listeners.add(listener);
  }

  removeListener(listener: (...args: Args) => void): void {
    this.#listeners.delete(listener);
  }

  hasListener(listener: (...args: Args) => void): boolean {
    return this.#listeners.has(listener);
  }

  hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(...args: Args): void {
    for (const listener of this.#listeners) listener(...args);
  }
}
