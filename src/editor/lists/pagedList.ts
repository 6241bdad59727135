import type { Identified, ListPage } from '../../service/operations/pagedRequest';

/** Reads the page that begins at an offset. */
export type ReadPage<T> = (offset: number) => Promise<ListPage<T>>;

/** The pages of a list that were read so far. Each id occurs once, even if the list changes between two pages. */
export class PagedList<T extends Identified> {
  #items: readonly T[] = [];
  #next: number | undefined;
  #pages = 1;
  /** What was removed since the last reading began, which may still find it. */
  readonly #removed = new Set<string>();

  get items(): readonly T[] {
    return this.#items;
  }

  /** Whether the service has further pages. */
  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  /** Reads the first page again, and as many further ones as were read before. Nothing changes when a page cannot be read. */
  async reload(read: ReadPage<T>): Promise<void> {
    this.#removed.clear();
    let { items, next } = await read(0);
    let pages = 1;
    for (; pages < this.#pages && next !== undefined; pages++) {
      const page = await read(next);
      items = [...items, ...page.items];
      next = page.next;
    }
    this.#items = this.#unique(items);
    this.#next = next;
    this.#pages = pages;
  }

  /** Reads the next page, if there is one. */
  async readMore(read: ReadPage<T>): Promise<void> {
    if (this.#next === undefined) return;
    this.#removed.clear();
    const { items, next } = await read(this.#next);
    this.#items = this.#unique([...this.#items, ...items]);
    this.#next = next;
    this.#pages += 1;
  }

  /** Removes an item, for example because it turned out to no longer exist; also from what is being read. */
  remove(id: string): void {
    this.#removed.add(id);
    this.#items = this.#items.filter((item) => item.id !== id);
  }

  clear(): void {
    this.#items = [];
    this.#next = undefined;
    this.#pages = 1;
  }

  #unique(items: readonly T[]): T[] {
    const there = items.filter(({ id }) => !this.#removed.has(id));
    return [...new Map(there.map((item) => [item.id, item])).values()];
  }
}
