import * as l10n from '@vscode/l10n';
import { shortened } from '../base/units';

/** Longest id or name, in characters: the interface document's limit for names. The format of ids is not shown. */
const MOST_CHARACTERS = 255;

/** Characters that would change the path of a request, or that no id or name has. */
const FORBIDDEN = /[\s\p{Cc}/\\?#]/u;

/** Longest excerpt of a text that is not an id, in characters. */
const EXCERPT_LENGTH = 40;

/** Whether a text is the id or the name of a browser, a profile or an extension. */
export function isNamed(one: { id?: string; name?: string | null }, idOrName: string): boolean {
  return one.id === idOrName || one.name === idOrName;
}

/**
 * Why a text cannot be the id or the name of a browser, a profile or a stored extension, as sentences that state the rule; undefined when it
 * can be one. Whether it exists is for the service to say.
 */
export function identifierProblem(text: string): string | undefined {
  if (text === '') return l10n.t('Enter an id or a name.');
  // URLs drop such segments, so the request would be for another resource.
  const isLegal = text.length <= MOST_CHARACTERS && !FORBIDDEN.test(text) && text !== '.' && text !== '..';
  return isLegal
    ? undefined
    : l10n.t(
        '"{0}" is not an id or a name: those have at most {1} characters, without spaces, control characters, "/", "\\", "?" and "#".',
        shortened(text, EXCERPT_LENGTH),
        MOST_CHARACTERS,
      );
}
