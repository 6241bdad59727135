import * as l10n from '@vscode/l10n';
import type { JsonPath } from '../finding';
import { ruleOf, type Context, type Report } from '../rule';
import { CONTENT_SCRIPT_SCHEMES, parseMatchPattern, type MatchPattern } from '../values/matchPattern';
import { PatternIndex } from '../values/patternIndex';

/** R-MATCHES-NOTHING: a content script that cannot run anywhere, or a pattern that matches no URL. Sideload's own. */
export const matchesNothingRule = ruleOf('R-MATCHES-NOTHING', 'delivery', (context) => {
  return context.manifest.itemsAt('content_scripts').flatMap((_, index): Report[] => {
    const path = ['content_scripts', index];
    const matches = patterns(context, [...path, 'matches']);
    const excluded = patterns(context, [...path, 'exclude_matches']);
    const reports = matches.flatMap(({ pattern, written, path: place }): Report | Report[] => {
      const why = whyNothing(pattern);
      return why === undefined
        ? []
        : { severity: 'warning', message: `${l10n.t('"{0}" matches no page.', written)} ${why}`, path: place };
    });
    if (matches.length === 0 || excluded.length === 0) return reports;
    const shut = new PatternIndex(excluded.map(({ pattern }) => pattern));
    if (!matches.every(({ pattern }) => shut.covers(pattern))) return reports;
    const message = l10n.t('The content script runs nowhere: "exclude_matches" excludes every page of "matches".');
    return [...reports, { severity: 'warning', message, path: [...path, 'exclude_matches'] }];
  });
});

interface Found {
  pattern: MatchPattern;
  written: string;
  path: JsonPath;
}

function patterns({ manifest }: Context, path: JsonPath): Found[] {
  return manifest.itemsAt(...path).flatMap((item, index): Found[] => {
    const result = item.kind === 'string' ? parseMatchPattern(item.value, CONTENT_SCRIPT_SCHEMES) : undefined;
    if (item.kind !== 'string' || !result || 'fault' in result) return [];
    return [{ pattern: result.pattern, written: item.value, path: [...path, index] }];
  });
}

function whyNothing({ scheme, host, path }: MatchPattern): string | undefined {
  if (scheme === 'ftp') return l10n.t('Browsers no longer open ftp addresses.');
  if (path.includes('#')) return l10n.t('Browsers compare addresses without the part from # on.');
  if (/[ %]/.test(host)) return l10n.t('No host has such a name.');
  return undefined;
}
