import { compileRegex, RegexFault } from '../values/re2';
import type { JsonView } from '../json/jsonView';
import type { RuleFault } from './view';

/** Chromium's verdict on a regular expression. */
export type RegexVerdict = 'accepted' | 'invalid' | 'too large';

/**
 * The largest compiled program, in instructions: what fits into Chromium's limit of 2 KB. Another implementation of RE2 counts them, so the
 * verdict on patterns close to the limit may be wrong. Source: 88 patterns, measured on Chromium 156.
 */
const MAX_INSTRUCTIONS = 116;

/** Checks a pattern as RE2 does, with Chromium's limit of memory. Source: R-DNR-LIMITS, measured on Chromium 156. */
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

/** Chromium compares the bytes of URLs, so larger characters are invalid. */
const LAST_CHARACTER = 0xff;

function hasWideCharacter(pattern: string): boolean {
  return [...pattern.matchAll(/\\x\{([0-9a-f]+)\}|\\[^]/giu)].some(
    ([, code]) => code !== undefined && Number.parseInt(code, 16) > LAST_CHARACTER,
  );
}

/** A pattern of three instructions, as many as a class of characters with several ranges takes in RE2. */
const CLASS_EQUIVALENT = '(?:ab?)';

/** Matches capturing groups, classes, escapes and all other characters, one by one; what does not end goes to the end. */
const TOKEN =
  /\(\?|\((?!\?)|\[\^?\]?(?:\[:\^?\w+:\]|\\(?:[^]|$)|[^\]\\])*(?:\]|$)|\\p(?:\{[^}]*(?:\}|$)|.)|\\.|\.|[^]/giu;

/** A pattern with as many instructions as this one has in RE2, which captures no groups and compiles classes byte by byte. */
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

/** A reference in a substitution: a backslash, and a digit or another backslash. */
const REFERENCE = /\\(.?)/gs;

/** Faults of a rule's regular expression, on which there is a verdict if it has one, and of its substitution. */
export function regexFault(rule: JsonView, verdict: RegexVerdict | undefined): RuleFault | undefined {
  const pattern = rule.stringAt('condition', 'regexFilter');
  const isRedirect = rule.stringAt('action', 'type') === 'redirect';
  const substitution =
    isRedirect && !hasStrongerRedirect(rule) ? rule.stringAt('action', 'redirect', 'regexSubstitution') : undefined;
  if (pattern === undefined) {
    if (substitution === undefined) return undefined;
    const text = 'can\'t specify the "regexSubstitution" key without specifying the "regexFilter" key.';
    return { text, path: ['action', 'redirect', 'regexSubstitution'] };
  }
  if (verdict === 'invalid') {
    return { text: 'specifies an incorrect value for the "regexFilter" key.', path: ['condition', 'regexFilter'] };
  }
  if (substitution === undefined || verdict === 'too large' || isSubstitution(substitution, pattern)) return undefined;
  const text = 'specifies an incorrect value for the "action.redirect.regexSubstitution" key.';
  return { text, path: ['action', 'redirect', 'regexSubstitution'] };
}

/** True when the redirect has another kind of target, which takes precedence. */
function hasStrongerRedirect(rule: JsonView): boolean {
  return ['url', 'extensionPath', 'transform'].some((name) => rule.at('action', 'redirect', name) !== undefined);
}

function isSubstitution(substitution: string, pattern: string): boolean {
  const groups = compileRegex(pattern).groupCount();
  return [...substitution.matchAll(REFERENCE)].every(
    ([, after = '']) => after === '\\' || (/^\d$/.test(after) && Number(after) <= groups),
  );
}
