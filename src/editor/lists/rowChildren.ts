import type { Node } from './nodes';

/** Reads what is below an item and resolves to what draws it. Never rejects. */
export type ReadChildren<T> = (item: T) => Promise<() => Node<unknown>[]>;

/** The rows below the rows of a list: read when a row is expanded, and kept until they are deleted. */
export class RowChildren<T> {
  readonly #read: ReadChildren<T> | undefined;
  /** By the id of the row above. */
  readonly #readings = new Map<string, Promise<() => Node<unknown>[]>>();

  /** `read` is undefined where rows cannot be expanded. */
  constructor(read: ReadChildren<T> | undefined) {
    this.#read = read;
  }

  get canExpand(): boolean {
    return this.#read !== undefined;
  }

  get isEmpty(): boolean {
    return this.#readings.size === 0;
  }

  async of({ id, item }: Node<T>): Promise<Node<unknown>[]> {
    if (!this.#read) return [];
    const reading = this.#readings.get(id) ?? this.#read(item);
    this.#readings.set(id, reading);
    return (await reading)();
  }

  /** Returns whether they had been read. */
  delete(id: string): boolean {
    return this.#readings.delete(id);
  }

  clear(): void {
    this.#readings.clear();
  }
}
