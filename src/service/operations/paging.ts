import { jsonOf } from '../decode/answer';
import { listOf } from '../decode/fields';
import { ServiceError } from '../errors';
import { get, type Operation, type Query } from './operation';

/** Items asked for per page of a list. */
const PAGE_SIZE = 100;

/** A list longer than this many pages is taken for a server that never ends its paging. */
const MOST_PAGES = 1000;

/** A list of the interface: a bare array per page, `X-Has-More` and `X-Next-Offset` beside it. */
export interface List<T> {
  name: string;
  path: readonly string[];
  query: Query;
  item: (value: unknown, where: string) => T;
  /** What tells two items apart. */
  idOf: (item: T) => string;
}

interface Page<T> {
  items: T[];
  hasMore: boolean;
  nextOffset: number;
}

/**
 * The items of a list, page by page as they are asked for, each id once: also when the list changes meanwhile, and when the
 * service gives a wrong next offset or the same page again. Rejects as `run` does.
 */
export async function* pages<T>(
  list: List<T>,
  run: (operation: Operation<Page<T>>) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let offset = 0;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, hasMore, nextOffset } = await run(pageOf(list, offset));
    const fresh = items.filter((item) => !seen.has(list.idOf(item)));
    for (const item of fresh) {
      seen.add(list.idOf(item));
      yield item;
    }
    if (!hasMore || fresh.length === 0) return;
    // The header is absolute. One that does not lead on, or leads over more than a page, is replaced by counting.
    const isNext = nextOffset > offset && nextOffset <= offset + PAGE_SIZE;
    offset = isNext ? nextOffset : offset + items.length;
  }
  throw new ServiceError({
    kind: 'invalidAnswer',
    operation: list.name,
    message: `The service did not end its list after ${MOST_PAGES} pages.`,
    mayHaveHappened: false,
  });
}

function pageOf<T>({ name, path, query, item }: List<T>, offset: number): Operation<Page<T>> {
  return get(
    name,
    path,
    (response) => ({
      items: listOf(jsonOf(response), name, item),
      hasMore: response.headers['x-has-more']?.toLowerCase() === 'true',
      nextOffset: Number(response.headers['x-next-offset']),
    }),
    { ...query, limit: PAGE_SIZE, offset },
  );
}
