import * as l10n from '@vscode/l10n';
import { sizeText } from '../../base/units';
import { jsonOf } from '../decode/answer';
import { listOf } from '../decode/decodeFields';
import { ServiceError } from '../serviceErrors';
import type { HttpResponse } from '../wire/http';
import { get, MEBIBYTE, type Operation, type Query } from './operation';

/** Items per page of a list. */
const PAGE_SIZE = 100;

/** The longest page, in bytes. */
const PAGE_BYTES = 16 * MEBIBYTE;

/** The longest list, in bytes: its items take a multiple of that in memory. */
const LIST_BYTES = 64 * MEBIBYTE;

/** More pages than that are an error of the server, whose list does not end. */
const MAX_PAGES = 1000;

/** An item of a list, with its unique id. */
export interface Identified {
  id: string;
}

/** Filters of a list of things with names: `name` exactly, `query` as a part of id or name. */
export interface NameQuery {
  name?: string;
  query?: string;
}

/** A list of the interface: each page is a bare array with the headers `X-Has-More` and `X-Next-Offset`. */
export interface List<T extends Identified> {
  name: string;
  path: readonly string[];
  query: Query;
  item: (value: unknown, where: string) => T;
}

/** One page of a list, and the offset of the next one; undefined after the last. */
export interface ListPage<T> {
  items: readonly T[];
  next: number | undefined;
}

/** One page of a list as it was answered. */
export interface AnsweredPage<T> {
  items: T[];
  /** Its length as it was sent. */
  bytes: number;
  hasMore: boolean;
  nextOffset: number;
}

/**
 * The items of a list. Pages are requested as items are read, and each id occurs once, even when the list changes meanwhile, or the service
 * returns a wrong next offset or the same page again. Rejects as `run` does.
 */
export async function* pages<T extends Identified>(
  list: List<T>,
  run: (operation: Operation<AnsweredPage<T>>) => Promise<AnsweredPage<T>>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let offset = 0;
  let length = 0;
  for (let page = 0; page < MAX_PAGES && length <= LIST_BYTES; page++) {
    const answer = await run(pageOf(list, offset));
    const { items, bytes, hasMore } = answer;
    const known = seen.size;
    for (const item of items) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    if (!hasMore || seen.size === known) return;
    length += bytes;
    offset = offsetAfter(answer, offset);
  }
  throw new ServiceError({
    kind: 'invalidAnswer',
    operation: list.name,
    message:
      length > LIST_BYTES
        ? l10n.t('The list of the service did not end after {0}.', sizeText(length))
        : l10n.t('The list of the service did not end after {0} pages.', MAX_PAGES),
    mayHaveHappened: false,
  });
}

/** Reads the page of a list that begins at `offset`; an empty page is the last one. Rejects as `run` does. */
export async function readPage<T extends Identified>(
  list: List<T>,
  offset: number,
  run: (operation: Operation<AnsweredPage<T>>) => Promise<AnsweredPage<T>>,
): Promise<ListPage<T>> {
  const answer = await run(pageOf(list, offset));
  const { items, hasMore } = answer;
  return { items, next: hasMore && items.length > 0 ? offsetAfter(answer, offset) : undefined };
}

/** The header is an absolute offset. If it does not advance, or skips more than a page, the items are counted instead. */
function offsetAfter({ items, nextOffset }: AnsweredPage<unknown>, offset: number): number {
  const isNext = nextOffset > offset && nextOffset <= offset + PAGE_SIZE;
  return isNext ? nextOffset : offset + items.length;
}

function pageOf<T extends Identified>(
  { name, path, query, item }: List<T>,
  offset: number,
): Operation<AnsweredPage<T>> {
  const read = (response: HttpResponse): AnsweredPage<T> => ({
    items: listOf(jsonOf(response), name, item),
    bytes: response.bytes.length,
    hasMore: response.headers['x-has-more']?.toLowerCase() === 'true',
    nextOffset: Number(response.headers['x-next-offset']),
  });
  const operation = get(name, path, read, { ...query, limit: PAGE_SIZE, offset });
  return { ...operation, maxBytes: PAGE_BYTES, notFoundIsMissing: true };
}
