import { type Clock, realClock } from '../../base/clock';

/** How long a message of a server may wait for pushes, in milliseconds. */
const LIMIT_MS = 5000;

/**
 * Lets messages of development servers through when no push to their browser is under way: they speak of files that must have arrived there.
 */
export class MessageGate {
  readonly #pushes = new Map<string, Set<Promise<unknown>>>();

  constructor(private readonly clock: Clock = realClock) {}

  /** Notes that something is pushed to these browsers until `push` has ended, which must not reject. */
  begin(browserIds: readonly string[], push: Promise<unknown>): void {
    for (const id of browserIds) {
      const all = this.#pushes.get(id) ?? new Set();
      this.#pushes.set(id, all.add(push));
      void push.then(() => all.delete(push));
    }
  }

  /** Resolves when what is pushed to the browser now has arrived, or takes too long. */
  async untilQuiet(browserId: string): Promise<void> {
    const pushes = [...(this.#pushes.get(browserId) ?? [])];
    if (pushes.length === 0) return;
    await new Promise<void>((resolve) => {
      const limit = this.clock.after(LIMIT_MS, resolve);
      void Promise.all(pushes).then(() => {
        limit.clear();
        resolve();
      });
    });
  }
}
