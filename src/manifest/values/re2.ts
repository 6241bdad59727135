import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Looking around is what RE2 leaves out; the implementation used here knows some of it. */
const LOOKAROUND = /\(\?<?[=!]/;

/** An escape or a class, in which brackets mean nothing. */
const LITERAL = /\\[^]|\[\^?\]?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]/gu;

/** RE2 also knows a single byte, which is taken for a character here. */
const BYTE = /(?<=(?:^|[^\\])(?:\\\\)*)\\C/g;

/** A literal part, or the opening of a group with a name. */
const NAMED = new RegExp(`${LITERAL.source}|\\(\\?P?<[\\p{L}\\p{M}\\p{N}_]+>`, 'gu');

/** Chromium's RE2 takes two groups of one name, and letters of all kinds in it; the names mean nothing to either. */
function withoutNames(pattern: string): string {
  return pattern.replace(NAMED, (part) => (part.startsWith('(') ? '(' : part));
}

/** What the implementation used here says, in the words of RE2 itself. */
const WORDS: Readonly<Record<string, string>> = {
  'missing closing )': 'missing )',
  'missing closing ]': 'missing ]',
  'missing argument to repetition operator': 'no argument for repetition operator',
  'invalid nested repetition operator': 'bad repetition operator',
  'invalid repeat count': 'invalid repetition size',
  'invalid or unsupported Perl syntax': 'invalid perl operator',
  'invalid named capture': 'invalid named capture group',
};

/** A pattern as RE2 reads it. Throws RegexFault for one that it does not accept. */
export function compileRegex(pattern: string): RE2JS {
  const lookaround = LOOKAROUND.exec(pattern.replace(LITERAL, ''));
  if (lookaround) throw new RegexFault(`invalid perl operator: ${lookaround[0]}`);
  const plain = pattern.replace(BYTE, '.');
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

/** Why RE2 does not accept a pattern, in its own words. */
export class RegexFault extends Error {}

/** Chromium's reason why a pattern is none; undefined for one that it accepts. */
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
