import { RecentMap } from '../base/recentMap';
import type { PausedRequest } from './pausedRequest';

/** How many of the latest pages are remembered. */
const MAX_PAGES = 1000;

/** Where a page names the digest of something that it loads: an attribute of an element or a property, or a part of an import map. */
const NAMED = /\bintegrity["']?\s{0,9}[:=]/i;

/**
 * Which pages of servers name digests, by which the browser compares what it loads: it refuses a script that was changed on its way. A request
 * does not say whether its answer is compared, so all scripts and styles of such a page stay as they are. Its sockets are carried nevertheless, by
 * what the page itself begins with.
 */
export class DigestPages {
  readonly #pages = new RecentMap<string, boolean>(MAX_PAGES);

  /** Reads a page at an address. */
  note({ origin, pathname, search }: URL, page: string): void {
    this.#pages.set(`${origin}${pathname}${search}`, NAMED.test(page));
  }

  /** Whether an answer may be compared with a digest. That of a worker's first script, which has another type, never is. */
  mayCompare({ resourceType, headers }: PausedRequest): boolean {
    const isLoadedByPage = resourceType !== 'Document' && resourceType !== 'Other';
    return isLoadedByPage && this.#pages.get(headers.get('referer') ?? '') === true;
  }
}
