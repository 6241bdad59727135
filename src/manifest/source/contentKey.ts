import { createHash } from 'node:crypto';

/** What a text that is read in a certain way is known by, in caches: the same for the same content. */
export function contentKey(way: string, content: string | Uint8Array): string {
  return `${way} ${createHash('sha1').update(content).digest('base64')}`;
}
