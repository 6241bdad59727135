/**
 * Collects the rows of a tree that have changed, and fires one event for them per turn of the event loop: VS Code refreshes at the first
 * event, and debounces each further one within 200 ms.
 */
export class RowChanges<N> {
  #timer: NodeJS.Immediate | undefined;
  #isAll = false;
  readonly #rows = new Set<N>();

  /** `fire` gets the rows whose texts or children have changed; undefined when the tree has other rows, or in another order. */
  constructor(private readonly fire: (rows: N[] | undefined) => void) {}

  /** Other rows, or the same in another order. */
  all(): void {
    this.#isAll = true;
    this.#schedule();
  }

  /** The texts of these rows, or what is below them. */
  some(rows: readonly N[]): void {
    if (rows.length === 0) return;
    for (const row of rows) this.#rows.add(row);
    this.#schedule();
  }

  /** Fires a pending event now. */
  flush(): void {
    if (!this.#timer) return;
    const rows = this.#isAll ? undefined : [...this.#rows];
    this.dispose();
    this.#isAll = false;
    this.#rows.clear();
    this.fire(rows);
  }

  /** Drops a pending event. */
  dispose(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
  }

  #schedule(): void {
    this.#timer ??= setImmediate(() => this.flush());
  }
}
