/** The rows of a list after a refresh. */
export interface MergedRows<N> {
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
