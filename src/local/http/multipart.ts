import type {} from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { isDiskFault } from '../archive/archiveError';
import { ApiError, badRequest, invalidInput, messageOf } from '../httpErrors';
import { randomId } from '../randomId';
import { removeFolder } from '../removeFolder';
import type { Receive } from './receiving';
import { UploadMemory, type MemoryShare } from './uploadMemory';

/** A part of a multipart body: its name, and either its text or a file, which is a path or the bytes. */
export type FormPart<F = string> =
  | { name: string; text: string; file?: never }
  | { name: string; file: F; text?: never };

/** The limit of other files; the service has none. */
export const MAX_FILE_BYTES = 2 * 1024 ** 3;

const MAX_PARTS = 1000;
/** Longer text is cut. A path has 4 KiB at most, so the text of one upload has less than 8 MiB. */
const MAX_TEXT_BYTES = 8 * 1024;
const MIB = 1024 * 1024;
/** Files beyond these limits are written to disk. */
const MEMORY = new UploadMemory({ upload: 16 * MIB, all: 64 * MIB });

/** How the files of a body are received. */
export interface ReceiveOptions<F> {
  /** The folder for files on disk. */
  spoolFolder: string;
  maxFileBytes: number;
  receive: Receive<F>;
}

/**
 * Receives a multipart body and passes its parts to `work` in order. Spooled files are removed when `work` has ended. After an invalid part
 * the body is still read to its end, so that the client gets the response instead of a closed connection. 400 for another content type,
 * a broken body, or a file of more than `maxFileBytes`. The files of all running uploads together hold at most 64 MiB in memory.
 */
export async function withParts<T, F>(
  request: FastifyRequest,
  { spoolFolder, maxFileBytes, receive }: ReceiveOptions<F>,
  work: (parts: readonly FormPart<F>[]) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw badRequest('The request body must be multipart/form-data.');
  const spool = path.join(spoolFolder, randomId());
  const memory = MEMORY.share();
  try {
    return await work(await readParts(request, { spoolFolder: spool, maxFileBytes, receive }, memory));
  } finally {
    memory.release();
    await removeFolder(spool);
  }
}

async function readParts<F>(
  request: FastifyRequest,
  { spoolFolder, maxFileBytes, receive }: ReceiveOptions<F>,
  memory: MemoryShare,
): Promise<FormPart<F>[]> {
  const clientGone = clientGoneSignal(request.raw);
  const parts: FormPart<F>[] = [];
  let refused: ApiError | undefined;
  try {
    const limits = { fileSize: maxFileBytes, fieldSize: MAX_TEXT_BYTES, parts: MAX_PARTS, files: MAX_PARTS };
    for await (const part of until(request.parts({ limits }), clientGone)) {
      if (part.type === 'field') {
        if (typeof part.value !== 'string') throw invalidInput(`The part "${part.fieldname}" must be text.`);
        parts.push({ name: part.fieldname, text: part.value });
      } else if (refused) {
        part.file.resume();
      } else {
        const file = await receive(part.file, path.join(spoolFolder, String(parts.length)), clientGone, memory);
        if (part.file.truncated) {
          refused = invalidInput(`The file in "${part.fieldname}" is larger than ${maxFileBytes} bytes.`);
        }
        parts.push({ name: part.fieldname, file });
      }
    }
  } catch (error) {
    if (error instanceof ApiError || isDiskFault(error)) throw error;
    throw badRequest(`The multipart body cannot be read: ${messageOf(error)}`);
  }
  if (refused) throw refused;
  return parts;
}

/**
 * Aborts when the connection closes before the end of the body. The parser of the parts misses that event between two parts, and would then
 * wait for ever.
 */
function clientGoneSignal(request: IncomingMessage): AbortSignal {
  const abort = new AbortController();
  const check = (): void => {
    if (!request.readableEnded) abort.abort(new Error('the connection closed before the end of the body'));
  };
  if (request.destroyed) check();
  else request.once('close', check);
  return abort.signal;
}

/** The items of `source`; rejects with the reason of `signal` when it aborts. */
async function* until<T>(source: AsyncIterableIterator<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  for (;;) {
    signal.throwIfAborted();
    const next = await Promise.race([source.next(), aborted]);
    if (next.done) return;
    yield next.value;
  }
}

/** The text part of that name, or `undefined`; 400 when it is a file or a duplicate. */
export function textPart(parts: readonly FormPart<unknown>[], name: string): string | undefined {
  const [part, second] = parts.filter((candidate) => candidate.name === name);
  if (second || part?.file !== undefined) throw invalidInput(`"${name}" must be one text part.`);
  return part?.text;
}

/** The file part of that name; 400 when it is missing, text, or a duplicate. */
export function filePart<F>(parts: readonly FormPart<F>[], name: string): F {
  const [part, second] = parts.filter((candidate) => candidate.name === name);
  if (second || part?.file === undefined) throw invalidInput(`"${name}" must be one file part.`);
  return part.file;
}
