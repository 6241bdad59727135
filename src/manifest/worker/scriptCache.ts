import { RecentMap } from '../../base/recentMap';
import { contentKey } from '../source/contentKey';
import { readScript, type ScriptFacts } from './script';

/** The number of scripts in the cache; the least recently used one is dropped. */
const MAX_SCRIPTS = 500;

/** Caches the facts about scripts by their content. */
export class ScriptCache {
  readonly #facts = new RecentMap<string, ScriptFacts>(MAX_SCRIPTS);

  /** As `readScript`. */
  read(text: string, type: 'classic' | 'module'): ScriptFacts {
    return this.#facts.latest(contentKey(type, text), () => readScript(text, type));
  }
}
