import { fieldOf } from '../../base/fields';
import { whileAttached } from '../protocol/attach';
import type { Connection, Protocol } from '../protocol/connect';

/** A tab of a window: the target around that of the page in it. */
export interface TabTarget {
  targetId: string;
  isActive: boolean;
}

/** The tabs of the browser, and whether each is the active one of its window, which is not in the description of the protocol (C-TAB-ACTIVE). */
export async function listTabTargets(connection: Connection): Promise<TabTarget[]> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  return targetInfos.map((tab) => ({
    targetId: tab.targetId,
    isActive: fieldOf(fieldOf(tab, 'embedderData'), 'tabActive') === true,
  }));
}

/**
 * The pages of the active tabs, by what the browser says. What a page says of itself is not enough: while a client such as Playwright emulates the
 * focus, each of its pages can be seen by its own account, and reports no change (C-TAB-EMULATED).
 */
export class ActivePages {
  /** The page in each tab that was active once. */
  readonly #pages = new Map<string, string>();

  constructor(private readonly connection: Connection) {}

  /** The ids of those that are among `open`; undefined when the browser does not say which they are. */
  async among(open: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const active = (await listTabTargets(this.connection)).filter(({ isActive }) => isActive);
    const pages = await Promise.all(active.map(({ targetId }) => this.#pageIn(targetId, open).catch(() => undefined)));
    const known = new Set(pages.flatMap((page) => (page !== undefined && open.includes(page) ? [page] : [])));
    return known.size === 0 ? undefined : known;
  }

  async #pageIn(tab: string, open: readonly string[]): Promise<string | undefined> {
    const known = this.#pages.get(tab);
    if (known !== undefined && open.includes(known)) return known;
    const page = await whileAttached(this.connection, tab, async (session) => {
      let found: string | undefined;
      session.on('Target.attachedToTarget', ({ targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
        // A page that is loaded ahead is in the tab, too.
        if (targetInfo.type === 'page' && !targetInfo.subtype) found = targetInfo.targetId;
      });
      // The events come before the answer.
      await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
      return found;
    });
    if (page !== undefined) this.#pages.set(tab, page);
    return page;
  }
}
