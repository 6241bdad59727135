import type { JsonPath } from '../finding';
import type { Context, Report, Rule } from '../rule';
import { CONTENT_SCRIPT_SCHEMES, parseMatchPattern, type MatchPattern } from '../values/matchPattern';
import { PatternIndex } from '../values/patternIndex';

/** R-MATCHES-NOTHING: a content script that can run nowhere, or a pattern that no address fits. Sideload's own. */
export const matchesNothingRule: Rule = {
  id: 'R-MATCHES-NOTHING',
  stage: 'delivery',
  check(context) {
    const list = context.manifest.at('content_scripts');
    if (list?.kind !== 'list') return [];
    return list.items.flatMap((_, index): Report[] => {
      const path = ['content_scripts', index];
      const matches = patterns(context, [...path, 'matches']);
      const excluded = patterns(context, [...path, 'exclude_matches']);
      const reports = matches.flatMap(({ pattern, written, path: place }): Report[] => {
        const why = whyNothing(pattern);
        return why === undefined
          ? []
          : [{ severity: 'warning', message: `"${written}" can match no page: ${why}.`, path: place }];
      });
      if (matches.length === 0 || excluded.length === 0) return reports;
      const shut = new PatternIndex(excluded.map(({ pattern }) => pattern));
      if (!matches.every(({ pattern }) => shut.covers(pattern))) return reports;
      const message = 'The content script runs nowhere: "exclude_matches" takes away all that "matches" gives.';
      return [...reports, { severity: 'warning', message, path: [...path, 'exclude_matches'] }];
    });
  },
};

interface Found {
  pattern: MatchPattern;
  written: string;
  path: JsonPath;
}

function patterns({ manifest }: Context, path: JsonPath): Found[] {
  const list = manifest.at(...path);
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item, index): Found[] => {
    const result = item.kind === 'string' ? parseMatchPattern(item.value, CONTENT_SCRIPT_SCHEMES) : undefined;
    if (item.kind !== 'string' || !result || 'fault' in result) return [];
    return [{ pattern: result.pattern, written: item.value, path: [...path, index] }];
  });
}

function whyNothing({ scheme, host, path }: MatchPattern): string | undefined {
  if (scheme === 'ftp') return 'browsers open no ftp addresses any more';
  if (path.includes('#')) return 'what follows # is no part of the address that is compared';
  if (/[ %]/.test(host)) return 'no host has such a name';
  return undefined;
}
