import type { Report, Rule } from '../rule';

/**
 * R-SERVICE-JSON: Sideload's own. The cloud service reads the manifest with a strict JSON parser before Chromium ever sees it, and
 * refuses comments, a byte order mark and the like, which Chromium accepts. One warning at the first place says it all.
 */
export const strictJsonRule: Rule = {
  id: 'R-SERVICE-JSON',
  stage: 'delivery',
  check({ document, leniencies }): Report[] {
    const [first] = leniencies;
    const what = document.text.hasByteOrderMark ? 'a byte order mark' : first && `a ${first.what}`;
    if (!what) return [];
    const span = document.text.hasByteOrderMark || !first ? { start: 0, end: 1 } : first;
    return [
      {
        severity: 'warning',
        message: `Chromium accepts ${what} in a manifest, but the cloud service may refuse it as invalid JSON. Remove it.`,
        path: [],
        span,
      },
    ];
  },
};
