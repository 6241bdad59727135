/**
 * What is to be drawn again in a tree, told once per turn of the event loop: VS Code follows the first event at once, and holds back
 * each one that comes less than 200 ms after another.
 */
export class RowChanges<N> {
  #timer: NodeJS.Immediate | undefined;
  #isAll = false;
  readonly #rows = new Set<N>();

  /** `tell` gets the rows; undefined for all, also which ones there are. */
  constructor(private readonly tell: (rows: N[] | undefined) => void) {}

  /** Other rows, or the same in another order. */
  all(): void {
    this.#isAll = true;
    this.#plan();
  }

  /** The texts of these rows, or what is below them. */
  some(rows: readonly N[]): void {
    for (const row of rows) this.#rows.add(row);
    this.#plan();
  }

  /** Tells at once what waits for the next turn. */
  flush(): void {
    if (!this.#timer) return;
    const rows = this.#isAll ? undefined : [...this.#rows];
    this.dispose();
    this.#isAll = false;
    this.#rows.clear();
    this.tell(rows);
  }

  /** Nothing of what waits is told. */
  dispose(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
  }

  #plan(): void {
    this.#timer ??= setImmediate(() => {
      this.flush();
    });
  }
}
