import type { Node } from './nodes';

/** Reads what is below an item and resolves to what draws it. Never rejects. */
export type ReadChildren<T> = (item: T) => Promise<() => Node<unknown>[]>;

/** The rows below the rows of a list: read when a row is expanded, and kept until they are deleted. */
export class RowChildren<T> {
  readonly #read: ReadChildren<T> | undefined;
  /** By the id of the row above. */
  readonly #readings = new Map<string, Promise<() => Node<unknown>[]>>();
  /** Readings that are to replace those, by the same id. */
  readonly #newest = new Map<string, Promise<() => Node<unknown>[]>>();

  /** `read` is undefined where rows cannot be expanded. */
  constructor(read: ReadChildren<T> | undefined) {
    this.#read = read;
  }

  get canExpand(): boolean {
    return this.#read !== undefined;
  }

  async of({ id, item }: Node<T>): Promise<Node<unknown>[]> {
    if (!this.#read) return [];
    const reading = this.#readings.get(id) ?? this.#read(item);
    this.#readings.set(id, reading);
    return (await reading)();
  }

  /**
   * Reads again what is below a row, if it is kept, and resolves to whether there is something new to draw. What was read before is kept
   * until then: VS Code forgets rows while it waits for others, and a click on one of them would reach its command without the row. What
   * nobody sees (`isSeen`) is read when it is drawn.
   */
  async readAgain({ id, item }: Node<T>, isSeen: boolean): Promise<boolean> {
    if (!this.#read || !this.#readings.has(id)) return false;
    if (!isSeen) return this.delete(id);
    const reading = this.#read(item);
    this.#newest.set(id, reading);
    await reading;
    if (this.#newest.get(id) !== reading) return false;
    this.#newest.delete(id);
    this.#readings.set(id, reading);
    return true;
  }

  /** Returns whether they had been read. */
  delete(id: string): boolean {
    this.#newest.delete(id);
    return this.#readings.delete(id);
  }

  clear(): void {
    this.#readings.clear();
    this.#newest.clear();
  }
}
