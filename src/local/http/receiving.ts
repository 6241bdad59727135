import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { ApiError, isFileError } from '../httpErrors';
import { writeStream } from '../writeStream';
import type { MemoryShare } from './uploadMemory';

/**
 * Receives one file of a request. `file`: its path if it is written to disk; `signal`: aborts when the client is gone; `memory`: what the
 * request may hold in memory. When it rejects, all writing has ended, so that the file can be removed.
 */
export type Receive<F> = (content: Readable, file: string, signal: AbortSignal, memory: MemoryShare) => Promise<F>;

/** The largest file in memory; archives of extensions in development are smaller. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Writes a file to disk while it is received; resolves to its path. Its folder is created, but not the folder of that, which is removed when a
 * session ends: then 404.
 */
export const toDisk: Receive<string> = async (content, file, signal) => {
  const received = addAbortSignal(signal, content);
  await mkdir(path.dirname(file)).catch((error: unknown) => {
    if (isFileError(error, 'ENOENT')) throw new ApiError(404, 'not_found', 'The browser has ended in the meantime.');
    if (!isFileError(error, 'EEXIST')) throw error;
  });
  await writeStream(file, received);
  return file;
};

/** Keeps a small file in memory, and writes a larger one, or one for which no memory is left, to disk; resolves to its bytes or its path. */
export const toMemory: Receive<string | Buffer> = async (content, file, signal, memory) => {
  const buffered: Buffer[] = [];
  let taken = 0;
  const chunks = addAbortSignal(signal, content).iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    if (taken + chunk.length > MAX_BUFFERED_BYTES || !memory.take(chunk.length)) {
      content.unshift(Buffer.concat(buffered));
      memory.give(taken);
      return toDisk(content, file, signal, memory);
    }
    taken += chunk.length;
  }
  return Buffer.concat(buffered);
};
