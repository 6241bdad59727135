import { mergeRows } from './mergeRows';
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
