import { EventLoop } from '../../base/eventLoop';
import { moreNode, retryNode, type Node } from './nodes';

/** Which rows that offer an action a list shows besides its items. */
export interface ActionRows {
  /** Above the items, where there are any: to try a failed refresh again. */
  canRetry: boolean;
  /** Below the items: to load the next page. */
  hasMore: boolean;
}

/** The rows of a list: its items, between the rows that offer an action. */
export class ListRows<T> {
  items: readonly Node<T>[] = [];
  /** All rows, in their order. */
  shown: Node<unknown>[] = [];

  /**
   * Shows `items`, each by the row that `rowOf` makes of it; resolves to the rows whose texts have changed, or to undefined when there are others,
   * or in another order. One update at a time. Many rows are made with turns of the event loop in between, and shown together; an update during
   * which the rows were cleared shows nothing, and resolves to no rows.
   */
  async update(
    items: readonly T[],
    rowOf: (item: T) => Node<T>,
    { canRetry, hasMore }: ActionRows,
  ): Promise<readonly Node<T>[] | undefined> {
    const before = this.items;
    const { rows, changed, isSameOrder } = await mergeRows(before, items, rowOf);
    if (this.items !== before) return [];
    this.items = rows;
    const shown = [...(canRetry && rows.length > 0 ? [retryNode()] : []), ...rows, ...(hasMore ? [moreNode()] : [])];
    const hasSameEnds = shown.at(0)?.id === this.shown.at(0)?.id && shown.at(-1)?.id === this.shown.at(-1)?.id;
    if (isSameOrder && hasSameEnds) return changed;
    this.shown = shown;
    return undefined;
  }

  /** Removes all rows at once. */
  clear(): void {
    this.items = [];
    this.shown = [];
  }
}

/** The rows of a list after a refresh. */
interface MergedRows<N> {
  /** In their order; a row that was there before is the same object, with the new texts. */
  rows: N[];
  /** Those whose texts have changed. */
  changed: N[];
  /** Whether they are the same rows in the same order, so that only `changed` need be drawn again. */
  isSameOrder: boolean;
}

/**
 * The rows of `items`, merged into `before` by their ids. All rows have the same fields. Those of `before` have their new texts only when it
 * resolves: to make a row takes about 30 µs, so 10,000 of them are made in slices, with turns of the event loop in between.
 */
export async function mergeRows<T, N extends { id: string }>(
  before: readonly N[],
  items: readonly T[],
  rowOf: (item: T) => N,
): Promise<MergedRows<N>> {
  const eventLoop = new EventLoop();
  const known = new Map(before.map((row) => [row.id, row]));
  const rows: N[] = [];
  const outdated: { old: N; row: N }[] = [];
  for (const item of items) {
    if (eventLoop.isDue) await eventLoop.yield();
    const row = rowOf(item);
    const old = known.get(row.id);
    if (old && JSON.stringify(old) !== JSON.stringify(row)) outdated.push({ old, row });
    rows.push(old ?? row);
  }
  const changed = outdated.map(({ old, row }) => Object.assign(old, row));
  return { rows, changed, isSameOrder: rows.length === before.length && rows.every((row, at) => row === before[at]) };
}
