import { createHash } from 'node:crypto';

/** Caches what is known of texts, by their content; the least recently used entry is dropped. */
export class ContentCache<T> {
  readonly #facts = new Map<string, T>();

  /** @param size The number of entries. */
  constructor(readonly size: number) {}

  /** What is known of a text that is read in a certain way, or what `read` finds. */
  get(way: string, text: string, read: () => T): T {
    const key = keyOf(way, text);
    const facts = this.#facts.get(key) ?? read();
    this.#keep(key, facts);
    return facts;
  }

  /** As {@link get}, of many texts at once: `read` finds what is not known, in the order of the texts that it is given. */
  async getAll(
    way: string,
    texts: readonly string[],
    read: (unknown: readonly string[]) => Promise<readonly T[]>,
  ): Promise<(T | undefined)[]> {
    const keys = texts.map((text) => keyOf(way, text));
    const found = new Map(keys.map((key) => [key, this.#facts.get(key)]));
    const unknown = new Map<string, string>();
    for (const [index, text] of texts.entries()) {
      const key = keys[index] ?? '';
      if (found.get(key) === undefined) unknown.set(key, text);
    }
    const facts = await read([...unknown.values()]);
    for (const [index, key] of [...unknown.keys()].entries()) found.set(key, facts[index]);
    for (const [key, fact] of found) if (fact !== undefined) this.#keep(key, fact);
    return keys.map((key) => found.get(key));
  }

  #keep(key: string, facts: T): void {
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    if (this.#facts.size <= this.size) return;
    for (const oldest of this.#facts.keys()) {
      this.#facts.delete(oldest);
      return;
    }
  }
}

function keyOf(way: string, text: string): string {
  return `${way} ${createHash('sha1').update(text).digest('base64')}`;
}
