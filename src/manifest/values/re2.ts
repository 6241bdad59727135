import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Lookaround, which RE2 does not support; re2js supports some of it. */
const LOOKAROUND = /\(\?<?[=!]/;

/** An escape or a class, in which brackets are literal. One that does not end goes to the end, so that no part is read twice. */
const LITERAL = /\\[^]|\[\^?\]?(?:\[:\^?\w*:\]|\\(?:[^]|$)|[^\]\\])*(?:\]|$)/gu;

const ESCAPE = /\\[^]/g;

/** RE2's escape for a single byte, which is read as any character here. */
const BYTE = '\\C';

/** A literal part, or the beginning of a named group. */
const NAMED = new RegExp(`${LITERAL.source}|\\(\\?P?<[\\p{L}\\p{M}\\p{N}_]+>`, 'gu');

/** Removes the names of groups: Chromium's RE2 accepts duplicate names and all kinds of letters in them, re2js does not. */
function withoutNames(pattern: string): string {
  return pattern.replace(NAMED, (token) => (token.startsWith('(') ? '(' : token));
}

/** Errors of re2js, with the texts of RE2. */
const WORDS: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
};

/** Compiles a pattern as RE2 does. Throws RegexFault for one that RE2 does not accept. */
export function compileRegex(pattern: string): RE2JS {
  const lookaround = LOOKAROUND.exec(pattern.replace(LITERAL, ''));
  if (lookaround) throw new RegexFault(`invalid perl operator: ${lookaround[0]}`);
  const plain = pattern.replace(ESCAPE, (escape) => (escape === BYTE ? '.' : escape));
  try {
    return RE2JS.compile(plain);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const other = withoutNames(plain);
    if (other !== plain && isPattern(other)) return RE2JS.compile(other);
    throw new RegexFault(translated(error.message));
  }
}

function isPattern(pattern: string): boolean {
  try {
    RE2JS.compile(pattern);
    return true;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return false;
  }
}

/** Why RE2 does not accept a pattern, with its text. */
export class RegexFault extends Error {}

/** Chromium's text about an invalid pattern; undefined for a valid one. */
export function regexFault(pattern: string): string | undefined {
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    return error.message;
  }
}

function translated(message: string): string {
  const [, reason = '', what] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(message) ?? [];
  if (reason.startsWith('trailing backslash')) return 'trailing \\';
  const words = WORDS[reason] ?? reason;
  return what === undefined ? words : `${words}: ${what}`;
}
