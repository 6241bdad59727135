import { type Clock, inTime } from '../../base/clock';
import { attach, closeTarget } from '../protocol/attach';
import type { Connection } from '../protocol/connect';
import { openHiddenTarget } from '../protocol/hiddenTargets';
import { BLANK, navigateTo } from '../protocol/navigation';

/** How long a reload waits for a hidden page that is being opened, in milliseconds. */
const OPEN_LIMIT_MS = 1000;

/** The hidden page that keeps a process. */
interface KeepingPage {
  /** Until it is blank again. */
  isOpening: boolean;
  /** Resolves then. */
  opened: Promise<void>;
  targetId?: string;
}

/** What keeps the processes of extensions, whatever it does for that. */
export type ProcessKeeper = Pick<KeptProcesses, 'keep' | 'settled' | 'holds' | 'release'>;

/**
 * The processes of extensions, kept over their reloads as long as the connection lasts. Chromium ends the process of an extension that it
 * unloads and starts another for the new worker, unless something else lives there; then the new worker starts in half the time (C-PROCESS-KEPT).
 * What lives there is a hidden page that was one of the extension and is blank since, so that the extension does not see it. An extension's pages ask
 * again for each file (C-PROCESS-NO-CACHE), so none of the previous build is left in the process.
 */
export class KeptProcesses {
  /** By the id of the extension. */
  readonly #pages = new Map<string, KeepingPage>();

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {
    connection.on('Target.targetCrashed', (event: { targetId: string }) => {
      if (this.#forget(event)) void closeTarget(this.connection, event.targetId);
    });
    connection.on('Target.targetDestroyed', this.#forget);
  }

  /**
   * Keeps the process of the enabled extension `id`, unless it is kept already. Resolves once it is; also where that does not work, which is
   * tried once. Never rejects.
   */
  keep(id: string): Promise<void> {
    const known = this.#pages.get(id);
    if (known) return known.opened;
    const page: KeepingPage = { isOpening: true, opened: Promise.resolve() };
    this.#pages.set(id, page);
    page.opened = this.#openOrClose(id, page);
    return page.opened;
  }

  /**
   * Await it before a reload of the extension `id`: while the hidden page is still one of the extension, Chromium may refuse the API calls of the new
   * worker (C-PROCESS-NO-SW). Resolves once no page is being opened, or after a time limit.
   */
  async settled(id: string): Promise<void> {
    const page = this.#pages.get(id);
    if (!page?.isOpening) return;
    await inTime(page.opened, OPEN_LIMIT_MS, this.clock);
    if (page.isOpening) this.#pages.delete(id);
  }

  /** Whether a target is one of the hidden pages: while it is opened, it has an address of its extension, as a page of the user would. */
  holds(targetId: string): boolean {
    return [...this.#pages.values()].some((page) => page.targetId === targetId);
  }

  /** Lets the process of the extension `id` end with its next reload. Never rejects. */
  async release(id: string): Promise<void> {
    const page = this.#pages.get(id);
    this.#pages.delete(id);
    if (page?.targetId !== undefined) await closeTarget(this.connection, page.targetId);
  }

  async #openOrClose(id: string, page: KeepingPage): Promise<void> {
    const isKept = await this.#open(id, page).catch(() => false);
    page.isOpening = false;
    const isLate = this.#pages.get(id) !== page;
    const { targetId } = page;
    if ((isKept && !isLate) || targetId === undefined) return;
    await closeTarget(this.connection, targetId);
  }

  async #open(id: string, page: KeepingPage): Promise<boolean> {
    const targetId = await openHiddenTarget(this.connection, BLANK);
    page.targetId = targetId;
    const session = await attach(this.connection, targetId);
    if (!session) return false;
    await session.send('Page.enable');
    // Every extension has this file, and it runs nothing.
    const wasThere = await navigateTo(session, `chrome-extension://${id}/manifest.json`, this.clock);
    await navigateTo(session, BLANK, this.clock);
    await session.detach();
    return wasThere;
  }

  /** Whether the target was one of the hidden pages. */
  readonly #forget = ({ targetId }: { targetId: string }): boolean => {
    const [id] = [...this.#pages].find(([, page]) => page.targetId === targetId) ?? [];
    return id !== undefined && this.#pages.delete(id);
  };
}
