import { createHash } from 'node:crypto';

/** Caches what is known of texts, by their content; the least recently used entry is dropped. */
export class ContentCache<T> {
  readonly #facts = new Map<string, T>();

  /** @param size The number of entries. */
  constructor(readonly size: number) {}

  /** What is known of a text that is read in a certain way, or what `read` finds. */
  get(way: string, text: string, read: () => T): T {
    const key = keyOf(way, text);
    const facts = this.find(key) ?? read();
    this.keep(key, facts);
    return facts;
  }

  /** What is known of the text with a key of {@link keyOf}. */
  find(key: string): T | undefined {
    return this.#facts.get(key);
  }

  /** Keeps what is known of such a text. */
  keep(key: string, facts: T): void {
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    if (this.#facts.size <= this.size) return;
    for (const oldest of this.#facts.keys()) {
      this.#facts.delete(oldest);
      return;
    }
  }
}

/** The key of a text that is read in a certain way. */
export function keyOf(way: string, text: string): string {
  return `${way} ${createHash('sha1').update(text).digest('base64')}`;
}
