import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Receives one file of a request. `file`: its path if it is written to disk; `signal`: aborts when the client is gone. */
export type Receive<F> = (content: Readable, file: string, signal: AbortSignal) => Promise<F>;

/** The largest file in memory; archives of extensions in development are smaller. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/** Writes a file to disk while it is received; resolves to its path. */
export const toDisk: Receive<string> = async (content, file, signal) => {
  await mkdir(path.dirname(file), { recursive: true });
  await pipeline(content, createWriteStream(file), { signal });
  return file;
};

/** Keeps a small file in memory, and writes a larger one to disk; resolves to its bytes or its path. */
export const toMemory: Receive<string | Buffer> = async (content, file, signal) => {
  const buffered: Buffer[] = [];
  let bytes = 0;
  const chunks = addAbortSignal(signal, content).iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BUFFERED_BYTES) {
      content.unshift(Buffer.concat(buffered));
      return toDisk(content, file, signal);
    }
  }
  return Buffer.concat(buffered);
};
