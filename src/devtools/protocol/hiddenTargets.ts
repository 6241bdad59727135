import type { Connection } from './connect';

/** A connection as far as it opens pages. */
type Opener = Pick<Connection, 'send'>;

/** What each connection has joined. */
const joined = new WeakMap<Opener, HiddenTargets>();

/** The hidden pages that this process opens in one browser, over all connections to it that have joined. */
export class HiddenTargets {
  readonly #listeners = new Set<(targetId: string) => void>();
  /** How many are being opened now. */
  #opening = 0;

  /** Counts the hidden pages that are opened over a connection from now on. */
  join(connection: Opener): void {
    joined.set(connection, this);
  }

  /** Whether one is being opened, whose id is not known yet. */
  get isOpening(): boolean {
    return this.#opening > 0;
  }

  /** Calls `listener` with the id of each; the returned function takes that back. */
  onOpened(listener: (targetId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** See {@link openHiddenTarget}. */
  async open(connection: Opener, url: string): Promise<string> {
    this.#opening += 1;
    try {
      const { targetId } = await connection.send('Target.createTarget', { url, hidden: true });
      for (const listener of this.#listeners) listener(targetId);
      return targetId;
    } finally {
      this.#opening -= 1;
    }
  }
}

/**
 * Opens a page that is in no window, and resolves to the id of its target. When it is opened, it looks to other DevTools clients like the
 * popup of an extension: those of this process learn that it is none from the {@link HiddenTargets} that the connection has joined.
 */
export function openHiddenTarget(connection: Opener, url: string): Promise<string> {
  return (joined.get(connection) ?? new HiddenTargets()).open(connection, url);
}
