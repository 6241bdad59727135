import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Takes in the bytes of one file of a request. `file`: where it may be written; `signal`: aborts when the client leaves. */
export type Receive<F> = (content: Readable, file: string, signal: AbortSignal) => Promise<F>;

/** Most bytes of one file that are held in memory: archives of extensions that people edit are smaller. */
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** Writes a file as it comes and gives its path. */
export const toDisk: Receive<string> = async (content, file, signal) => {
  await mkdir(path.dirname(file), { recursive: true });
  await pipeline(content, createWriteStream(file), { signal });
  return file;
};

/** Gives the bytes of a small file, which then never sees the disk, and the path of a larger one, written as it comes. */
export const toMemory: Receive<string | Buffer> = async (content, file, signal) => {
  const held: Buffer[] = [];
  let bytes = 0;
  const chunks = addAbortSignal(signal, content).iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_HELD_BYTES) {
      // What has been read goes first; the rest follows when there is room for it.
      content.unshift(Buffer.concat(held));
      return toDisk(content, file, signal);
    }
  }
  return Buffer.concat(held);
};
