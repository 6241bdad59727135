import { compileRegex, RegexFault } from '../values/re2';
import type { RuleFault, RuleView } from './view';

/** What Chromium does with a regular expression. */
export type RegexVerdict = 'accepted' | 'invalid' | 'too large';

/**
 * The largest program a pattern may become, in instructions: what fits into the 2 KB that Chromium allows. They are counted by another
 * implementation of RE2, so patterns close to the limit may go either way. Source: 88 patterns, measured on Chromium 156.
 */
const MAX_INSTRUCTIONS = 116;

/** Judges a pattern as RE2 does, with its limit of memory. Source: R-DNR-LIMITS, measured on Chromium 156. */
export function judgeRegex(pattern: string): RegexVerdict {
  try {
    compileRegex(pattern);
    if (hasWideCharacter(pattern)) return 'invalid';
    const size = compileRegex(sizeEquivalent(pattern)).programSize();
    return size > MAX_INSTRUCTIONS ? 'too large' : 'accepted';
  } catch (error) {
    if (!(error instanceof RegexFault)) throw error;
    return 'invalid';
  }
}

/** Chromium compares the bytes of addresses, so there is no character beyond one byte. */
const LAST_CHARACTER = 0xff;

function hasWideCharacter(pattern: string): boolean {
  return [...pattern.matchAll(/\\x\{([0-9a-f]+)\}|\\[^]/giu)].some(
    ([, code]) => code !== undefined && Number.parseInt(code, 16) > LAST_CHARACTER,
  );
}

/** Takes three instructions, which is what a class of characters with several ranges takes in RE2. */
const CLASS_EQUIVALENT = '(?:ab?)';

/** Groups that are kept, classes, escapes and all else, one by one. */
const TOKEN = /\(\?|\((?!\?)|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\\p(?:\{[^}]*\}|.)|\\.|\.|[^]/giu;

/** A pattern that takes as many instructions as this one does in RE2, which keeps no groups and spells out classes byte by byte. */
function sizeEquivalent(pattern: string): string {
  return pattern.replace(TOKEN, (token) => {
    if (token === '(') return '(?:';
    const isClass =
      token === '.' ||
      token.startsWith('[^') ||
      /^\\[wWDSpP]/.test(token) ||
      /-.*-/.test(token.length > 1 ? token : '');
    return isClass ? CLASS_EQUIVALENT : token;
  });
}

/** A reference in a substitution: a backslash and a digit, or another backslash. */
const REFERENCE = /\\(.?)/gs;

/** Faults of a rule's regular expression and of what it is replaced by. */
export function regexFault(rule: RuleView): RuleFault | undefined {
  const pattern = rule.string('condition', 'regexFilter');
  const isRedirect = rule.string('action', 'type') === 'redirect';
  const substitution =
    isRedirect && !hasStrongerRedirect(rule) ? rule.string('action', 'redirect', 'regexSubstitution') : undefined;
  if (pattern === undefined) {
    if (substitution === undefined) return undefined;
    const text = 'can\'t specify the "regexSubstitution" key without specifying the "regexFilter" key.';
    return { text, path: ['action', 'redirect', 'regexSubstitution'] };
  }
  const verdict = judgeRegex(pattern);
  if (verdict === 'invalid') {
    return { text: 'specifies an incorrect value for the "regexFilter" key.', path: ['condition', 'regexFilter'] };
  }
  if (substitution === undefined || verdict === 'too large' || isSubstitution(substitution, pattern)) return undefined;
  const text = 'specifies an incorrect value for the "action.redirect.regexSubstitution" key.';
  return { text, path: ['action', 'redirect', 'regexSubstitution'] };
}

/** True when another of the four ways of a redirect is there, which then counts. */
function hasStrongerRedirect(rule: RuleView): boolean {
  return ['url', 'extensionPath', 'transform'].some((name) => rule.at('action', 'redirect', name) !== undefined);
}

function isSubstitution(substitution: string, pattern: string): boolean {
  const groups = compileRegex(pattern).groupCount();
  return [...substitution.matchAll(REFERENCE)].every(
    ([, after = '']) => after === '\\' || (/^\d$/.test(after) && Number(after) <= groups),
  );
}
