import { type Clock, realClock } from '../base/clock';

/** How long a message of a server may wait for pushes, in milliseconds. */
const LIMIT_MS = 5000;

/**
 * Lets messages of development servers through when no push to their browser is under way, and nothing that was built waits for its push: they
 * speak of files that must have arrived there.
 */
export class MessageGate {
  readonly #pushes = new Map<string, Set<Promise<unknown>>>();
  #untilPushed: () => Promise<void> = () => Promise.resolve();

  constructor(private readonly clock: Clock = realClock) {}

  /** Notes that something is pushed to these browsers until `push` has ended, which must not reject. */
  begin(browserIds: readonly string[], push: Promise<unknown>): void {
    for (const id of browserIds) {
      const all = this.#pushes.get(id) ?? new Set();
      this.#pushes.set(id, all.add(push));
      void push.then(() => all.delete(push));
    }
  }

  /** Waits for pushes on save and on build, too: `untilPushed` resolves when none of them is outstanding. */
  follow(untilPushed: () => Promise<void>): void {
    this.#untilPushed = untilPushed;
  }

  /** Resolves when what was built until now, and is pushed to the browser, has arrived, or takes too long. */
  async untilQuiet(browserId: string): Promise<void> {
    await new Promise<void>((resolve) => {
      const limit = this.clock.after(LIMIT_MS, resolve);
      void this.#arrived(browserId).then(() => {
        limit.clear();
        resolve();
      });
    });
  }

  async #arrived(browserId: string): Promise<void> {
    await this.#untilPushed();
    await Promise.all([...(this.#pushes.get(browserId) ?? [])]);
  }
}
