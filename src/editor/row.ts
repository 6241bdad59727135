import type { BrowserSession, Profile, StoredExtension } from '../service/model';
import { ROWS } from '../ids';
import type { Node } from './nodes';

/** What each kind of row stands for. */
interface Items {
  browser: BrowserSession;
  profile: Profile;
  extension: StoredExtension;
}

/** The item of a row of kind `kind`; undefined when a command was run without a row, or with something else. */
export function itemOf<K extends keyof Items>(argument: unknown, kind: K): Items[K] | undefined {
  return isNode(argument, kind) ? argument.item : undefined;
}

/** Rows come back from VS Code as the objects they were, so their kind tells their item. */
function isNode<K extends keyof Items>(value: unknown, kind: K): value is Node<Items[K]> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'contextValue' in value &&
    value.contextValue === ROWS[kind] &&
    'item' in value
  );
}
