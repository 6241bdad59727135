import { createHash } from 'node:crypto';
import type { Text } from '../source/text';
import { parseJson, type ParseResult } from './parse';

/** The number of texts in the cache; the least recently used one is dropped. */
const MAX_TEXTS = 200;

/** Larger texts are not cached: one of them would take more memory than all catalogues together. */
const MAX_BYTES = 256 * 1024;

const parsed = new Map<string, ParseResult>();

/**
 * As `parseJson`, with a cache: catalogues and rulesets do not change while a manifest is typed. The nodes are shared and must not be
 * modified.
 */
export function parseJsonOnce(text: Text): ParseResult {
  if (text.bytes.length > MAX_BYTES) return parseJson(text);
  const key = createHash('sha1').update(text.bytes).digest('base64');
  const result = parsed.get(key) ?? parseJson(text);
  parsed.delete(key);
  parsed.set(key, result);
  if (parsed.size > MAX_TEXTS) for (const [oldest] of [...parsed].slice(0, 1)) parsed.delete(oldest);
  return result;
}
