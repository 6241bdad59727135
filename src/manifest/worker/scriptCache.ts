import { ContentCache } from '../source/contentCache';
import { readScript, type ScriptFacts } from './script';

const MAX_SCRIPTS = 500;

/** Caches the facts about scripts by their content. */
export class ScriptCache {
  readonly #facts = new ContentCache<ScriptFacts>(MAX_SCRIPTS);

  /** As `readScript`. */
  read(text: string, type: 'classic' | 'module'): ScriptFacts {
    return this.#facts.get(type, text, () => readScript(text, type));
  }
}
