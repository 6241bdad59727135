import { createHash, webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import type { ZipEntry } from './zip';

/** A file ready for a zip, and the SHA-256 in hex of its content. */
export interface PackedFile {
  entry: ZipEntry;
  digest: string;
}

/** Stores files as they are. */
export const STORE_LEVEL = 0;

/** zlib's own balance between time and size. */
export const DEFAULT_LEVEL = 6;

/** Content of these kinds is compressed already; deflating it again takes time and saves nothing. */
const COMPRESSED = /\.(?:avif|br|gif|gz|jpe?g|m4a|mp[34]|og[gv]|png|web[mp]|woff2?|xz|zip|zst)$/i;

/** Below this many bytes a digest is made at once: handing it to another thread would take longer. */
const DIGEST_AT_ONCE_BYTES = 128 * 1024;

/** Output is taken from zlib in pieces of at most this many bytes; each piece costs a turn of the event loop. */
const MAX_CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 1024;

const deflate = promisify<Buffer | Uint8Array, { level: number; chunkSize: number }, Buffer>(deflateRaw);

/**
 * Makes a zip entry of a file's content: deflated at `level` (1 fast to 9 small) where that makes it smaller, else as it is. Large
 * content is deflated and digested on other threads, so that the event loop goes on.
 */
export async function compressFile(path: string, content: Uint8Array, level: number): Promise<PackedFile> {
  const [deflated, digest] = await Promise.all([
    level === STORE_LEVEL || COMPRESSED.test(path)
      ? undefined
      : deflate(content, { level, chunkSize: chunkSize(content) }),
    digestOf(content),
  ]);
  const isSmaller = deflated !== undefined && deflated.length < content.length;
  return {
    entry: {
      path,
      method: isSmaller ? 'deflate' : 'store',
      crc32: crc32(content),
      size: content.length,
      data: isSmaller ? trimmed(deflated) : content,
    },
    digest,
  };
}

/** Makes a zip entry of a small content as it is. */
export function storeFile(path: string, content: Uint8Array): PackedFile {
  const entry: ZipEntry = { path, method: 'store', crc32: crc32(content), size: content.length, data: content };
  return { entry, digest: createHash('sha256').update(content).digest('hex') };
}

/** SHA-256 in hex. */
export async function digestOf(content: Uint8Array): Promise<string> {
  if (content.length < DIGEST_AT_ONCE_BYTES) return createHash('sha256').update(content).digest('hex');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex');
}

function chunkSize(content: Uint8Array): number {
  return Math.min(Math.max(content.length, MIN_CHUNK_BYTES), MAX_CHUNK_BYTES);
}

/** zlib gives a view of the memory it asked for, which is kept as a whole as long as the view is. */
function trimmed(deflated: Buffer): Uint8Array {
  return deflated.buffer.byteLength > deflated.length ? Uint8Array.from(deflated) : deflated;
}
