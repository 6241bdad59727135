import { setMaxListeners } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { realClock } from '../base/clock';
import { fieldOf } from '../base/fields';
import { streamBytes } from '../base/streamBytes';
import type { PausedRequest } from './pausedRequest';

/** The most that is sent to the browser for one request, in bytes. */
export const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** How long a server may take to answer, in milliseconds. */
export const ANSWER_LIMIT_MS = 30_000;

/**
 * Connections that are kept for a second for the next request: a page may load hundreds of modules, and to connect takes longer than most answers. To
 * one server there are at most about ten times as many as a browser opens.
 */
const KEPT = new Agent({ keepAlive: true, timeout: 1000, maxSockets: 64 });

/** Headers that concern one connection and not the message. Source: RFC 9110 §7.6.1. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of a request that are made here: a compressed answer would only be decompressed again, as the browser takes bytes as they are. */
const OWN = new Set(['accept-encoding', 'content-length', 'host']);

/**
 * What decompresses an answer, by the name of its encoding: servers send files compressed that they have so, whatever is asked for, and the browser
 * takes the bytes of a bridge as they are (C-FETCH-ENCODING).
 */
const DECOMPRESS = new Map([
  ['gzip', promisify<Buffer, { maxOutputLength: number }, Buffer>(unzip)],
  ['deflate', promisify<Buffer, { maxOutputLength: number }, Buffer>(unzip)],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);

/** What a server has answered. */
export interface Answer {
  readonly status: number;
  /** As the values of headers; empty when the server has sent none. */
  readonly statusText: string;
  /** In their order, also with several of one name; values as node has them, with a character for each byte. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Buffer;
}

/**
 * Why a request has no answer. `refused`: nothing listens there. `tooLarge`, `timeout`: beyond the limits. `fileUpload`: the browser does not
 * send the bytes of a file on its machine. `broken`: the server has ended the connection in the middle.
 */
export type ForwardFault = 'refused' | 'tooLarge' | 'timeout' | 'fileUpload' | 'broken';

/** A request to a server of the developer that has no answer. */
export class ForwardError extends Error {
  override readonly name = 'ForwardError';
  constructor(readonly fault: ForwardFault) {
    super(fault);
  }
}

/** What tests change. */
export interface ForwardOptions {
  /** The host that is connected to, in place of the one in the address, whose header stays: `localhost`, by IPv6 and IPv4. */
  host?: string | undefined;
  answerLimitMs?: number | undefined;
  maxBytes?: number | undefined;
}

/**
 * Asks a server on the loopback interface of this machine, whatever the name in the address means elsewhere. Redirects are answers as others:
 * the browser follows them, and asks again. Bodies come whole.
 * @throws ForwardError; the reason of `signal` when that aborts
 */
export async function forward(
  request: PausedRequest,
  signal: AbortSignal,
  { host, answerLimitMs = ANSWER_LIMIT_MS, maxBytes = MAX_ANSWER_BYTES }: ForwardOptions = {},
): Promise<Answer> {
  if (request.hasFile) throw new ForwardError('fileUpload');
  signal.throwIfAborted();
  // Many requests listen to a signal that lasts for days, which would remember each one that depends on it (`AbortSignal.any`).
  setMaxListeners(0, signal);
  const end = new AbortController();
  const limit = realClock.after(answerLimitMs, () => {
    end.abort(new ForwardError('timeout'));
  });
  const stop = (): void => {
    end.abort(signal.reason);
  };
  signal.addEventListener('abort', stop);
  try {
    const message = await openRequest(request, end.signal, { host, isShort: true });
    const received = await streamBytes(message, maxBytes);
    if (!received) throw new ForwardError('tooLarge');
    const body = await decompressed(message, received, maxBytes);
    // The length of what is decompressed is not that of the server.
    const headers = headersIn(message).filter(
      ({ name }) => body === received || name.toLowerCase() !== 'content-length',
    );
    return { status: message.statusCode ?? 502, statusText: message.statusMessage ?? '', headers, body };
  } catch (error) {
    end.signal.throwIfAborted();
    throw error instanceof ForwardError ? error : new ForwardError(isRefused(error) ? 'refused' : 'broken');
  } finally {
    limit.clear();
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The head of the answer, before its body has come; the connection ends with `signal`. `isShort`: the answer is no stream that stays open. Then a
 * request that changes nothing at the server may go over a kept connection, and is sent again over a new one when that has ended meanwhile.
 * @throws Error of node when there is none
 */
export async function openRequest(
  request: PausedRequest,
  signal: AbortSignal,
  { host, isShort = false }: { host?: string | undefined; isShort?: boolean },
): Promise<IncomingMessage> {
  const { method, body } = request;
  if (!isShort || method !== 'GET' || body) return await ask(request, signal, host, false).answer;
  const { asked, answer } = ask(request, signal, host, KEPT);
  try {
    return await answer;
  } catch (error) {
    if (!asked.reusedSocket || signal.aborted) throw error;
    return await ask(request, signal, host, false).answer;
  }
}

/** The port of an address by plain HTTP, which names 80 by none. */
export function portOf({ port }: URL): number {
  return port === '' ? 80 : Number(port);
}

function ask(
  { method, url, headers, body }: PausedRequest,
  signal: AbortSignal,
  host = 'localhost',
  agent: Agent | false,
): { asked: ClientRequest; answer: Promise<IncomingMessage> } {
  const asked = httpRequest({
    host,
    port: portOf(url),
    method,
    path: `${url.pathname}${url.search}`,
    headers: headersOf(headers, url, body),
    signal,
    agent,
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
  });
  asked.end(body);
  return { asked, answer };
}

function headersOf(headers: ReadonlyMap<string, string>, url: URL, body: Buffer | undefined): Record<string, string> {
  const kept = [...headers].filter(([name]) => !HOP_BY_HOP.has(name) && !OWN.has(name));
  const length = body && { 'content-length': String(body.length) };
  return { ...Object.fromEntries(kept), ...length, host: url.host, 'accept-encoding': 'identity' };
}

/** The body of an answer as pages have it; the same buffer where it was not compressed. */
async function decompressed(message: IncomingMessage, body: Buffer, maxBytes: number): Promise<Buffer> {
  const decompress = DECOMPRESS.get(message.headers['content-encoding'] ?? '');
  // A part of a compressed file is for who has asked for it.
  if (!decompress || body.length === 0 || message.statusCode === 206) return body;
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (error) {
    throw fieldOf(error, 'code') === 'ERR_BUFFER_TOO_LARGE' ? new ForwardError('tooLarge') : error;
  }
}

/** Node gives them as names and values by turns. */
function headersIn({ rawHeaders }: IncomingMessage): Answer['headers'] {
  return rawHeaders.flatMap((name, index) => {
    const value = rawHeaders[index + 1];
    return index % 2 === 1 || value === undefined || HOP_BY_HOP.has(name.toLowerCase()) ? [] : [{ name, value }];
  });
}

/** Whether a request or a websocket has failed because nothing listens: neither by IPv6 nor by IPv4, of which node makes one error. */
export function isRefused(error: unknown): boolean {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.some((one) => one instanceof Error && 'code' in one && one.code === 'ECONNREFUSED');
}
