import { createHash } from 'node:crypto';
import { readScript, type ScriptFacts } from './script';

/** The number of scripts in the cache; the least recently used one is dropped. */
const MAX_SCRIPTS = 500;

/** Caches the facts about scripts by their content. */
export class ScriptCache {
  readonly #facts = new Map<string, ScriptFacts>();

  /** As `readScript`. */
  read(text: string, type: 'classic' | 'module'): ScriptFacts {
    const key = `${type} ${createHash('sha1').update(text).digest('base64')}`;
    const facts = this.#facts.get(key) ?? readScript(text, type);
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    if (this.#facts.size > MAX_SCRIPTS) for (const [oldest] of [...this.#facts].slice(0, 1)) this.#facts.delete(oldest);
    return facts;
  }
}
