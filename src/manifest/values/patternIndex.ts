import { covers, type MatchPattern } from './matchPattern';

/**
 * Patterns by their host, to ask whether one of them covers another: with 100,000 on each side, comparing each with each would take
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

  /** True when everything the pattern stands for is also meant by one of those in the index. */
  covers(pattern: MatchPattern): boolean {
    for (const host of parents(withoutDot(pattern.host))) {
      for (const wide of this.#byHost.get(host)?.values() ?? []) if (covers(wide, pattern)) return true;
    }
    return false;
  }
}

/** A dot at the end names the same host. */
function withoutDot(host: string): string {
  return host.replace(/\.$/, '');
}

/** Any host, the host itself, and those it is part of. */
function* parents(host: string): Generator<string> {
  yield '';
  for (let at = host === '' ? -1 : 0; at >= 0; at = nextLabel(host, at)) yield host.slice(at);
}

function nextLabel(host: string, at: number): number {
  const dot = host.indexOf('.', at);
  return dot < 0 ? -1 : dot + 1;
}
