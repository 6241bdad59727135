import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import type { Dictionary, JsonNode } from '../json/node';
import { patternProposal, removing, type Proposal } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { BOOLEAN, choice, dictionary, listOf, STRING } from '../shape/shape';
import { CONTENT_SCRIPT_SCHEMES, parseMatchPattern, showPattern } from '../values/matchPattern';
import { shapeRule } from './shapeRule';

/** The shape of `content_scripts`. */
export const CONTENT_SCRIPTS = listOf(
  dictionary({
    matches: listOf(STRING),
    'exclude_matches?': listOf(STRING),
    'css?': listOf(STRING),
    'js?': listOf(STRING),
    'all_frames?': BOOLEAN,
    'match_origin_as_fallback?': BOOLEAN,
    'match_about_blank?': BOOLEAN,
    'include_globs?': listOf(STRING),
    'exclude_globs?': listOf(STRING),
    'run_at?': choice('RunAt', 'document_start', 'document_end', 'document_idle'),
    'world?': choice('ExecutionWorld', 'ISOLATED', 'MAIN', 'USER_SCRIPT'),
  }),
);

/** R-CS-TYPE and R-CS-ENUM: what a content script may consist of. Measured on Chromium 156. */
export const contentScriptShapeRule = shapeRule('R-CS-TYPE', 'content_scripts', CONTENT_SCRIPTS);

function entries({ manifest }: Context): [number, Dictionary][] {
  return [...manifest.itemsAt('content_scripts').entries()].flatMap(([index, item]) =>
    item.kind === 'dictionary' ? [[index, item]] : [],
  );
}

function strings(node: JsonNode | undefined): [number, string][] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item, index): [number, string][] => (item.kind === 'string' ? [[index, item.value]] : []));
}

/** R-CS-MATCHES and R-CS-PATTERN: at least one pattern, and none that is malformed. Measured on Chromium 156. */
export const contentScriptMatchRule = ruleOf('R-CS-PATTERN', 'keys', function* (context) {
  for (const [index, entry] of entries(context)) {
    const matches = entry.members.get('matches')?.value;
    if (matches?.kind === 'list' && matches.items.length === 0) {
      const path = ['content_scripts', index, 'matches'];
      const text = `Invalid value for 'content_scripts[${index}].matches'. There must be at least one match specified.`;
      const message = l10n.t('The content script matches no page. Add a pattern such as "https://example.com/*".');
      const fix: Proposal = { do: 'add', at: [...path, 0], value: 'https://example.com/*', isGuess: true };
      yield refusal(text, message, path, { fix, rule: 'R-CS-MATCHES' });
    }
    for (const key of ['matches', 'exclude_matches']) {
      for (const [at, written] of strings(entry.members.get(key)?.value)) {
        const result = parseMatchPattern(written, CONTENT_SCRIPT_SCHEMES);
        if ('fault' in result) yield malformed(written, result.fault, ['content_scripts', index, key, at]);
      }
    }
  }
});

function malformed(written: string, fault: string, path: JsonPath): Report {
  const [, index, key, at] = path;
  const text = `Invalid value for 'content_scripts[${index ?? 0}].${key ?? ''}[${at ?? 0}]': ${fault}`;
  const message = l10n.t('"{0}" is not a match pattern. Write one such as https://*.example.com/*.', written);
  return refusal(text, message, path, { fix: patternProposal(written, CONTENT_SCRIPT_SCHEMES) });
}

/** R-CS-FILES: a content script needs at least one file. Measured on Chromium 156. */
export const emptyContentScriptRule = ruleOf('R-CS-FILES', 'keys', function* (context) {
  for (const [index, entry] of entries(context)) {
    const lists = ['js', 'css'].map((key) => entry.members.get(key)?.value);
    if (lists.some((list) => list && (list.kind !== 'list' || list.items.length > 0))) continue;
    const text = `At least one js or css file is required for 'content_scripts[${index}]'.`;
    yield refusal(text, l10n.t('The content script has no files. Add "js" or "css".'), ['content_scripts', index]);
  }
});

/** R-CS-WORLD: Chromium ignores `world` in packages of version 2, which only apps may still have. Measured on Chromium 156. */
export const contentScriptWorldRule = ruleOf('R-CS-WORLD', 'keys', (context) => {
  if (context.manifestVersion > 2) return [];
  const [first] = entries(context).find(([, { members }]) => members.has('world')) ?? [];
  if (first === undefined) return [];
  const text = "The 'world' property is restricted to extensions with 'manifest_version' set to 3 or higher.";
  const message = l10n.t('Chromium ignores "world" below "manifest_version" 3. Remove it, or raise the version.');
  return removing(caution(text, message, ['content_scripts', first, 'world']));
});

/** R-CS-ORIGIN: frames without a URL of their own have no path to match. Measured on Chromium 156. */
export const originFallbackRule = ruleOf('R-CS-ORIGIN', 'keys', function* (context) {
  for (const [index, entry] of entries(context)) {
    const fallback = entry.members.get('match_origin_as_fallback')?.value;
    if (fallback?.kind !== 'boolean' || !fallback.value) continue;
    for (const [at, written] of strings(entry.members.get('matches')?.value)) {
      const result = parseMatchPattern(written, CONTENT_SCRIPT_SCHEMES);
      if ('fault' in result || result.pattern.path === '/*') continue;
      const text = "The path component for scripts with 'match_origin_as_fallback' must be '*'.";
      const message = l10n.t(
        'With "match_origin_as_fallback" a pattern has to end in /*, which "{0}" does not.',
        written,
      );
      const fix: Proposal = { do: 'replace', by: showPattern({ ...result.pattern, path: '/*' }) };
      yield refusal(text, message, ['content_scripts', index, 'matches', at], { fix });
    }
  }
});
