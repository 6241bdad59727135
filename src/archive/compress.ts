import { createHash, webcrypto } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

/** Stores files as they are. */
export const STORE_LEVEL = 0;

/**
 * The deflate level of archives that are sent over a network. Compared with level 6, JSZip needs a bit more than half the time, and
 * the archive is 5 to 8 % larger (measured with scripts and their source maps).
 */
export const DEFLATE_LEVEL = 4;

/** How a zip holds a file, in the terms of JSZip. */
export type ZipMethod = 'STORE' | 'DEFLATE';

/** Files of these kinds are compressed already; deflating them again takes time and saves nothing. */
const COMPRESSED = /\.(?:avif|br|gif|gz|jpe?g|m4a|mp[34]|og[gv]|png|web[mp]|woff2?|xz|zip|zst)$/i;

/** Smaller content is digested synchronously: passing it to the thread pool would take longer. */
const SYNC_DIGEST_BYTES = 512 * 1024;

/** Takes about a millisecond. */
const PIECE_BYTES = 1024 * 1024;

/** Whether an archive of this level deflates a file. */
export function isDeflated(path: string, level: number): boolean {
  return level !== STORE_LEVEL && !COMPRESSED.test(path);
}

/** Content of this size is neither copied nor digested in one piece. */
export const LARGE_BYTES = 8 * 1024 * 1024;

/** SHA-256 in hex. Larger content is digested in the thread pool, and large content, which would be copied for it, piece by piece. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  if (content.length < SYNC_DIGEST_BYTES) return hash.update(content).digest('hex');
  if (content.length >= LARGE_BYTES) {
    await inPieces(content, (piece) => hash.update(piece));
    return hash.digest('hex');
  }
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
}

/** The CRC-32 of a zip entry. That of large content is computed piece by piece. */
export async function checksumOf(content: Uint8Array): Promise<number> {
  if (content.length < LARGE_BYTES) return crc32(content);
  let checksum = 0;
  await inPieces(content, (piece) => (checksum = crc32(piece, checksum)));
  return checksum;
}

/** Passes content to `work` in pieces, with a turn of the event loop after each. */
async function inPieces(content: Uint8Array, work: (piece: Uint8Array) => void): Promise<void> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    work(content.subarray(at, at + PIECE_BYTES));
    await setImmediate();
  }
}
