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
  /** The rows of the items. */
  items: readonly Node<T>[] = [];
  /** All rows, in their order. */
  shown: Node<unknown>[] = [];

  /** Replaces the rows by `fresh` ones; returns those whose texts have changed, or undefined when there are others, or in another order. */
  update(fresh: readonly Node<T>[], { canRetry, hasMore }: ActionRows): Node<T>[] | undefined {
    const { rows, changed, isSameOrder } = mergeRows(this.items, fresh);
    this.items = rows;
    const shown = [...(canRetry && rows.length > 0 ? [retryNode()] : []), ...rows, ...(hasMore ? [moreNode()] : [])];
    const hasSameEnds = shown.at(0)?.id === this.shown.at(0)?.id && shown.at(-1)?.id === this.shown.at(-1)?.id;
    if (isSameOrder && hasSameEnds) return changed;
    this.shown = shown;
    return undefined;
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

/** Merges the rows `fresh` into `before`, by their ids. All rows have the same fields. */
export function mergeRows<N extends { id: string }>(before: readonly N[], fresh: readonly N[]): MergedRows<N> {
  const known = new Map(before.map((row) => [row.id, row]));
  const changed: N[] = [];
  const rows = fresh.map((row) => {
    const old = known.get(row.id);
    if (!old) return row;
    if (JSON.stringify(old) !== JSON.stringify(row)) changed.push(Object.assign(old, row));
    return old;
  });
  return { rows, changed, isSameOrder: rows.length === before.length && rows.every((row, at) => row === before[at]) };
}
