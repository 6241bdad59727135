import * as l10n from '@vscode/l10n';
import { realClock, type Clock } from '../../base/clock';
import { extensionPageState } from '../inPage/pageCalls';
import { attach, closeTarget } from './attach';
import { type CDPSession, type Connection, DevToolsError } from './connect';
import { peek } from './evaluate';
import { extensionOf } from './extensionUrl';
import { openHiddenTarget } from './hiddenTargets';
import { callOf } from './pageCall';
import type { OpenTargets } from './targets';

/** The file of the page: every extension has it, and it runs nothing. */
const FILE = 'manifest.json';

/** The query tells the page from one that a user has opened. */
const QUERY = '?sideload';

/** How long the page may take to load, in milliseconds (C-TIME-PAGE). */
const LOAD_LIMIT_MS = 15_000;

/** Pause between two polls of it, in milliseconds. */
const POLL_MS = 10;

/** Whether an address is that of a hidden page of Sideload, in this or in another window. */
export function isHiddenPage(url: string): boolean {
  return url.startsWith('chrome-extension://') && url.endsWith(QUERY);
}

/**
 * A page of an extension that is in no window, and has the extension's API. The extension does not see it, neither as a view nor among its
 * contexts, and its worker may stop meanwhile. A reload of the extension leaves it open without the API, and keeps the extension's process:
 * see `closeHiddenPages`.
 */
export class HiddenPage {
  private constructor(
    readonly connection: Connection,
    readonly targetId: string,
    readonly session: CDPSession,
  ) {}

  /**
   * Opens a hidden page of the extension `id`: `file` is for one that lacks the usual file. Resolves to undefined when the extension is not loaded or disabled.
   * @throws DevToolsError when it does not load in time
   */
  static async open(
    connection: Connection,
    id: string,
    file = FILE,
    clock: Clock = realClock,
  ): Promise<HiddenPage | undefined> {
    const url = `chrome-extension://${id}/${file}${QUERY}`;
    const targetId = await openHiddenTarget(connection, url);
    let isThere = false;
    try {
      const session = await attach(connection, targetId);
      if (!session) return undefined;
      const deadline = clock.now() + LOAD_LIMIT_MS;
      while (clock.now() < deadline) {
        const state = await peek(session, callOf(extensionPageState), clock);
        if (state === 'none') return undefined;
        if (state === 'there') {
          isThere = true;
          return new HiddenPage(connection, targetId, session);
        }
        await clock.delay(POLL_MS);
      }
      throw new DevToolsError(l10n.t('a page of the extension does not load'));
    } finally {
      if (!isThere) void closeTarget(connection, targetId);
    }
  }

  /** Closes the page. Never rejects. */
  async close(): Promise<void> {
    await closeTarget(this.connection, this.targetId);
  }
}

/**
 * Closes the hidden pages of the extension `id`, also those of other windows. Await it before a reload of the extension: the API calls of the new
 * worker may be refused when a page has kept the process (C-PROCESS-NO-SW). Never rejects.
 */
export async function closeHiddenPages(
  { connection, targets }: { connection: Connection; targets: OpenTargets },
  id: string,
): Promise<void> {
  const known = await targets.list().catch(() => []);
  const ours = known.filter(({ url }) => isHiddenPage(url) && extensionOf(url) === id);
  await Promise.all(ours.map(({ targetId }) => closeTarget(connection, targetId)));
}
