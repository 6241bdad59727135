import { covers, type MatchPattern } from './matchPattern';

/**
 * An index of patterns by host, to find one that covers a given pattern. With 100,000 patterns on each side, comparing all pairs would take
 * minutes.
 */
export class PatternIndex {
  readonly #byHost = new Map<string, Map<string, MatchPattern>>();

  constructor(patterns: Iterable<MatchPattern>) {
    for (const pattern of patterns) {
      const host = withoutDot(pattern.host);
      const { isAllUrls, scheme, matchesSubdomains, port, path } = pattern;
      const same = this.#byHost.get(host) ?? new Map<string, MatchPattern>();
      same.set([isAllUrls, scheme, matchesSubdomains, port, path].join(' '), pattern);
      this.#byHost.set(host, same);
    }
  }

  /** True when one pattern of the index matches every URL that the given pattern matches. */
  covers(pattern: MatchPattern): boolean {
    for (const host of parents(withoutDot(pattern.host))) {
      for (const wide of this.#byHost.get(host)?.values() ?? []) if (covers(wide, pattern)) return true;
    }
    return false;
  }
}

/** A trailing dot does not change the host. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '');
}

/** The empty host (any host), the host itself, and its parent domains. */
function* parents(host: string): Generator<string> {
  yield '';
  for (let at = host === '' ? -1 : 0; at >= 0; at = nextLabel(host, at)) yield host.slice(at);
}

function nextLabel(host: string, at: number): number {
  const dot = host.indexOf('.', at);
  return dot < 0 ? -1 : dot + 1;
}
