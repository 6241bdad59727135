import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { Clock, Timer } from '../base/clock';
import type { Answer } from './forward';
import type { PausedRequest } from './pausedRequest';
import { endBytes, KIND, messageBytes, messagesIn, newFolder } from './socketMessages';

/** How long a request that waits for messages is held, in milliseconds: less than one of a worker may last (C-WORKER-REQUEST). */
const POLL_MS = 20_000;

/** How long after an answer the next such request may take to come, in milliseconds, until its page is taken for gone. */
const SILENCE_MS = 2000;

/** How many sockets a browser may have open. */
const MAX_SOCKETS = 64;

/** The longest message, in bytes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Codes of ends. Source: RFC 6455 §7.4.1. */
const NO_STATUS = 1005;
const ABNORMAL = 1006;

interface Carried {
  readonly socket: WebSocket;
  /** The frame or worker that has opened it. */
  readonly frameId: string;
  /** What has come and was not fetched yet. */
  waiting: Buffer[];
  hasEnded: boolean;
  /** Answers the request that waits. */
  poll: (() => void) | undefined;
  silence: Timer | undefined;
}

export interface CarriedSocketsOptions {
  clock: Clock;
  /** The hosts that sockets may lead to, as `localhost:5173`. */
  hosts: () => ReadonlySet<string>;
  /** The folder of their requests; by itself a new one. */
  folder?: string | undefined;
  /** Awaited before a message of a server is handed over: what it speaks of must have arrived. */
  beforeMessage?: (() => Promise<void>) | undefined;
  /** The host that is connected to, in place of the one in the address; `localhost` by itself. */
  host?: string | undefined;
}

/**
 * Websockets of pages and workers to servers of this machine, over requests that the browser holds: `carrySockets` in `devtools/inPage/` is the
 * other end. Their folder has a secret, which only code has that this process has changed.
 */
export class CarriedSockets {
  /** The folder of their requests, on the host of each server. */
  readonly folder: string;
  readonly #all = new Map<string, Carried>();

  constructor(private readonly options: CarriedSocketsOptions) {
    this.folder = options.folder ?? newFolder();
  }

  /** How many are open, or are being opened. */
  get count(): number {
    return this.#all.size;
  }

  /** Whether a request is one of theirs. */
  takes({ url }: PausedRequest): boolean {
    return url.pathname.startsWith(`${this.folder}/`);
  }

  /** Answers a request that is one of theirs; 404 for a socket that has ended, or never was. */
  async answer(request: PausedRequest, signal: AbortSignal): Promise<Answer> {
    const { url, frameId, body = Buffer.alloc(0) } = request;
    const act = url.pathname.slice(this.folder.length + 1);
    if (act === 'open') return answerOf(await this.#open(url.searchParams, frameId));
    const carried = this.#all.get(url.searchParams.get('id') ?? '');
    if (!carried) return answerOf(undefined);
    if (act === 'poll') return answerOf(await this.#poll(carried, signal));
    if (act !== 'send') return answerOf(undefined);
    for (const { kind, content } of messagesIn(body)) {
      if (kind === KIND.end) close(carried.socket, content);
      else if (carried.socket.readyState === WebSocket.OPEN)
        carried.socket.send(content, { binary: kind === KIND.bytes });
    }
    return answerOf(Buffer.alloc(0));
  }

  /** Closes those of a page or worker that has gone. */
  closeOf(frameId: string): void {
    for (const [id, carried] of this.#all) if (carried.frameId === frameId) this.#drop(id);
  }

  /** Closes all. */
  close(): void {
    for (const id of [...this.#all.keys()]) this.#drop(id);
  }

  async #open(query: URLSearchParams, frameId: string): Promise<Buffer> {
    const address = query.get('url') ?? '';
    const url = URL.canParse(address) ? new URL(address) : undefined;
    const { hosts, host } = this.options;
    if (url?.protocol !== 'ws:' || !hosts().has(url.host) || this.count >= MAX_SOCKETS) return endBytes(ABNORMAL);
    const headers = { host: url.host };
    const target = `ws://${host ?? 'localhost'}:${url.port === '' ? '80' : url.port}${url.pathname}${url.search}`;
    const socket = new WebSocket(target, query.getAll('protocol'), {
      headers,
      origin: `http://${url.host}`,
      maxPayload: MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
    });
    const id = randomUUID();
    const carried: Carried = { socket, frameId, waiting: [], hasEnded: false, poll: undefined, silence: undefined };
    this.#all.set(id, carried);
    socket.on('message', (data: Buffer | ArrayBuffer | Buffer[], isBinary) => {
      this.#hand(carried, messageBytes(isBinary ? KIND.bytes : KIND.text, bufferOf(data)));
    });
    const end = new Promise<Buffer>((resolve) => {
      socket.once('close', (code, reason) => {
        const bytes = endBytes(code, reason);
        resolve(bytes);
        this.#end(id, carried, bytes);
      });
    });
    // It is followed by the end.
    socket.on('error', () => undefined);
    const begun = new Promise<Buffer>((resolve) => {
      socket.once('open', () => {
        resolve(messageBytes(KIND.begin, Buffer.from(`${id}\n${socket.protocol}`, 'utf8')));
      });
    });
    const first = await Promise.race([begun, end]);
    if (carried.hasEnded) this.#all.delete(id);
    else this.#awaitPoll(id, carried);
    return first;
  }

  /** What has come, or comes within the time for which a request may be held. */
  async #poll(carried: Carried, signal: AbortSignal): Promise<Buffer> {
    carried.silence?.clear();
    carried.poll?.();
    if (carried.waiting.length === 0 && !carried.hasEnded) {
      await this.#untilMore(carried, signal);
    }
    if (carried.waiting.length > 0) await this.options.beforeMessage?.();
    const bytes = Buffer.concat(carried.waiting.splice(0));
    const [id] = [...this.#all].find(([, one]) => one === carried) ?? [];
    if (id !== undefined && carried.hasEnded) this.#all.delete(id);
    else if (id !== undefined) this.#awaitPoll(id, carried);
    return bytes;
  }

  /** Resolves when something has come, or the time is over for which a request may be held. */
  async #untilMore(carried: Carried, signal: AbortSignal): Promise<void> {
    let onMore = (): void => undefined;
    const more = new Promise<void>((resolve) => (onMore = resolve));
    const limit = this.options.clock.after(POLL_MS, onMore).unref();
    carried.poll = onMore;
    signal.addEventListener('abort', onMore, { once: true });
    await more;
    limit.clear();
    signal.removeEventListener('abort', onMore);
    // Another request may wait by now.
    if (carried.poll === onMore) carried.poll = undefined;
  }

  #awaitPoll(id: string, carried: Carried): void {
    carried.silence?.clear();
    carried.silence = this.options.clock.after(SILENCE_MS, () => {
      if (!carried.poll) this.#drop(id);
    });
    carried.silence.unref();
  }

  #hand(carried: Carried, bytes: Buffer): void {
    carried.waiting.push(bytes);
    carried.poll?.();
  }

  #end(id: string, carried: Carried, bytes: Buffer): void {
    if (carried.hasEnded) return;
    carried.hasEnded = true;
    this.#hand(carried, bytes);
    // The page may have gone, and never ask.
    carried.silence?.clear();
    carried.silence = this.options.clock.after(SILENCE_MS, () => this.#all.delete(id)).unref();
  }

  #drop(id: string): void {
    const carried = this.#all.get(id);
    this.#all.delete(id);
    if (!carried) return;
    carried.hasEnded = true;
    carried.silence?.clear();
    carried.poll?.();
    carried.socket.terminate();
  }
}

function close(socket: WebSocket, content: Buffer): void {
  const code = content.length < 2 ? NO_STATUS : content.readUInt16BE();
  if (code === NO_STATUS) socket.close();
  else socket.close(code, content.subarray(2));
}

function bufferOf(data: Buffer | ArrayBuffer | Buffer[]): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function answerOf(body: Buffer | undefined): Answer {
  // The page of a content script is of another origin.
  const headers = [
    { name: 'access-control-allow-origin', value: '*' },
    { name: 'cache-control', value: 'no-store' },
    { name: 'content-type', value: 'application/octet-stream' },
  ];
  return { status: body ? 200 : 404, statusText: '', headers, body: body ?? Buffer.alloc(0) };
}
