import { AUTO_ATTACH, isAttaching } from './attach';
import type { CDPSession, Connection, Protocol } from './connect';

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

/** The type of targets that hidden pages are (C-ATTACH-HIDDEN), and that popups may be: they look alike when they open. */
const HIDDEN_TYPE = 'other';

/** A hidden page that was just opened. */
export interface OpenedHiddenTarget {
  targetId: string;
  /** A session with it, to be detached from: what attaches to targets automatically later may end it. Undefined where the browser gives none. */
  early: CDPSession | undefined;
}

/**
 * As {@link openHiddenTarget}, and with a session that is there a trip earlier than one by `attach`: the browser attaches to the page by itself
 * (C-ATTACH-HIDDEN). Only before anything else is attached to automatically over the connection, which this ends.
 */
export async function openAttachedHiddenTarget(connection: Connection, url: string): Promise<OpenedHiddenTarget> {
  const sessions = new Map<string, CDPSession>();
  const onAttached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent): void => {
    // Meanwhile, others may attach to workers, or to a hidden page of theirs.
    if (targetInfo.type !== HIDDEN_TYPE || isAttaching(connection, targetInfo.targetId)) return;
    const session = connection.session(sessionId);
    if (session) sessions.set(targetInfo.targetId, session);
  };
  connection.on('Target.attachedToTarget', onAttached);
  try {
    // The last of the three is under way before the first is answered, so that no popup which opens later is attached to.
    void autoAttach(connection, { type: HIDDEN_TYPE });
    const opening = openHiddenTarget(connection, url);
    void autoAttach(connection, { exclude: true });
    const targetId = await opening;
    const early = sessions.get(targetId);
    sessions.delete(targetId);
    return { targetId, early };
  } finally {
    connection.off('Target.attachedToTarget', onAttached);
    for (const ofAnother of sessions.values()) void ofAnother.detach().catch(ignored);
  }
}

/** Has the browser attach by itself to the targets that a filter lets pass, until it is called again. Never rejects. */
async function autoAttach(connection: Connection, filter: Protocol.Target.FilterEntry): Promise<void> {
  await connection.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: [filter] }).catch(ignored);
}

const ignored = (): void => undefined;
