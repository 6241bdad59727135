import type { FastifyReply } from 'fastify';
import { invalidInput } from '../httpErrors';
import { optionalText, type JsonObject } from '../requestFields';

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1000;

/**
 * One page of a list, by `limit` and `offset` of the query. Sets the headers `X-Has-More` and `X-Next-Offset` (absolute, 0 on the last page).
 * The body of the response is the bare array.
 */
export function page<T>(items: readonly T[], query: JsonObject, reply: FastifyReply): T[] {
  const limit = Math.min(wholeNumber(query, 'limit', 1) ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const offset = wholeNumber(query, 'offset', 0) ?? 0;
  const end = offset + limit;
  const hasMore = end < items.length;
  void reply.header('X-Has-More', String(hasMore));
  void reply.header('X-Next-Offset', String(hasMore ? end : 0));
  return items.slice(offset, end);
}

/** Of records those that a query asks for: `name` exactly, `query` as a part of id or name, in any case. */
export function matching<T extends { id: string; name?: string | null }>(
  records: readonly T[],
  query: JsonObject,
): T[] {
  const name = optionalText(query, 'name');
  const text = optionalText(query, 'query')?.toLowerCase() ?? '';
  return records.filter(
    (record) =>
      (name === undefined || record.name === name) && `${record.id} ${record.name ?? ''}`.toLowerCase().includes(text),
  );
}

function wholeNumber(query: JsonObject, name: string, least: number): number | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least)) throw invalidInput(`"${name}" must be an integer of at least ${least}.`);
  return value;
}
