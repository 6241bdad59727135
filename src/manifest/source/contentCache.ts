import { createHash } from 'node:crypto';

/** Caches what is known of texts, by their content; the least recently used entry is dropped. */
export class ContentCache<T> {
  readonly #facts = new Map<string, T>();

  /** @param size The number of entries. */
  constructor(readonly size: number) {}

  /** What is known of a text that is read in a certain way, or what `read` finds. */
  get(way: string, text: string, read: () => T): T {
    const key = `${way} ${createHash('sha1').update(text).digest('base64')}`;
    const facts = this.#facts.get(key) ?? read();
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    if (this.#facts.size > this.size) for (const [oldest] of [...this.#facts].slice(0, 1)) this.#facts.delete(oldest);
    return facts;
  }
}
