import { RecentMap } from '../../base/recentMap';
import { contentKey } from '../source/contentKey';
import type { CodeFacts } from './codeFacts';
import { CodeReading } from './codeThreads';

/** So many scripts are remembered. */
const MAX_KNOWN = 4000;

/** What is known of scripts, by their keys: of thousands, few change between two checks. */
const KNOWN = new RecentMap<string, CodeFacts>(MAX_KNOWN);

/** The facts of scripts, which are read once of those that are there twice, and not of those that are known. */
export class KnownReading {
  readonly #found = new Map<string, CodeFacts>();
  /** Where the facts of the others are in the answer, by their keys. */
  readonly #asked = new Map<string, number>();

  constructor(private readonly reading: Pick<CodeReading, 'add' | 'end'> = new CodeReading()) {}

  /** Adds a script, and returns its key in the answer. */
  add(text: string): string {
    const key = contentKey('code', text);
    const known = KNOWN.get(key);
    if (known) this.#found.set(key, known);
    else if (!this.#asked.has(key)) this.#asked.set(key, this.reading.add(text));
    return key;
  }

  /** The facts of all scripts, by their keys. */
  async end(): Promise<ReadonlyMap<string, CodeFacts>> {
    const facts = await this.reading.end();
    for (const [key, index] of this.#asked) {
      const fact = facts[index];
      if (fact) this.#found.set(key, fact);
    }
    for (const [key, fact] of this.#found) KNOWN.set(key, fact);
    return this.#found;
  }
}
