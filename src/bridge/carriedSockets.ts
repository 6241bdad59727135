import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../base/clock';
import { urlOf } from '../base/url';
import type { BridgeOptions } from './bridgeOptions';
import type { Channel, ChannelEnd } from './channel';
import { openEventSource } from './eventChannel';
import { type Answer, MAX_ANSWER_BYTES, portOf } from './forward';
import { heldAnswer, retryIn } from './heldEvents';
import { headerText, type PausedRequest } from './pausedRequest';
import { END, endBytes, KIND, messageBytes, messagesIn, newFolder, type SocketMessage } from './socketMessages';
import { openWebSocket } from './webSocketChannel';

/** How long a request that waits for messages is held, in milliseconds: less than one of a worker may last (C-WORKER-REQUEST). */
const POLL_MS = 20_000;

/**
 * How long after an answer the next such request may take to come, in milliseconds, until its page is taken for gone: longer than a machine is held
 * up that builds, or a lost connection takes to come back, since the tool's client reloads the page when its socket is lost. `carrySockets` asks
 * as long.
 */
const SILENCE_MS = 10_000;

/** What the folder of each program looks like. */
const OTHER = /^\/\.sideload\/[\da-f-]{36}\//;

/** An id that a page may give a channel. */
const NAME = /^[\d.e-]{1,64}$/;

/** How many channels a browser may have open. */
const MAX_CHANNELS = 64;

interface Carried {
  readonly id: string;
  channel: Channel | undefined;
  /** The frame or worker that has opened it. */
  readonly frameId: string;
  /** Who asks for it, by frame and address, when the browser itself does and not code of this bridge. */
  readonly source: string | undefined;
  /** What has come and may not have arrived: an answer is lost with the connection. */
  waiting: Buffer[];
  /** How many messages have arrived before those, and how many have come from the page. */
  arrived: number;
  received: number;
  hasEnded: boolean;
  /** Answers the request that waits. */
  poll: (() => void) | undefined;
  silence: Timer | undefined;
}

export interface CarriedSocketsOptions extends Pick<
  BridgeOptions,
  'folder' | 'beforeMessage' | 'forward' | 'isDebugged'
> {
  clock: Clock;
  /** The hosts that channels may lead to, as `localhost:5173`. */
  hosts: () => ReadonlySet<string>;
  /** Gets whether something listens at a port that a channel was to lead to. */
  onServer?: (port: number, isListening: boolean) => void;
}

/**
 * Websockets and event sources of pages and workers to servers of this machine, over requests that the browser holds: `carrySockets` in `devtools/inPage/` is the
 * other end. Their folder has a secret, which only code has that this process has changed.
 */
export class CarriedSockets {
  /** The folder of their requests, on the host of each server. */
  readonly folder: string;
  readonly #all = new Map<string, Carried>();
  /** The pauses that servers have asked for, in milliseconds, by the sources that the browser itself asks for. They outlast a lost stream. */
  readonly #retries = new Map<string, number>();

  constructor(private readonly options: CarriedSocketsOptions) {
    this.folder = options.folder ?? newFolder();
  }

  /** How many are open, or are being opened. */
  get count(): number {
    return [...this.#all.values()].filter(({ hasEnded }) => !hasEnded).length;
  }

  /** Whether a request is one of theirs. */
  takes({ url }: PausedRequest): boolean {
    return url.pathname.startsWith(`${this.folder}/`);
  }

  /**
   * Whether a request is one of the sockets of another program, which has changed the code that asks and may have ended since. Such a request has
   * not the secret of this one: it may only be answered when who asks may ask for the servers themselves.
   */
  isOfOther(request: PausedRequest): boolean {
    return OTHER.test(request.url.pathname) && !this.takes(request);
  }

  /** The address of the server to which a request of theirs has opened a channel, by its answer; undefined for all others. */
  openedBy({ url }: PausedRequest, { body }: Answer): URL | undefined {
    return messagesIn(body)[0]?.kind === KIND.begin ? urlOf(url.searchParams.get('url') ?? '') : undefined;
  }

  /** Closes the channel that was opened by an answer which has not arrived: its page has gone, and never asks for what comes. */
  forgetOpened({ body }: Answer): void {
    this.#drop(idIn(messagesIn(body)[0]));
  }

  /** The answer to a request that is one of theirs, and of a socket that has ended. */
  refusal(request: PausedRequest): Answer {
    return answerOf(undefined, headOf(request));
  }

  /**
   * Answers a request that is one of theirs; 404 for a socket that has ended, or never was. Once nobody waits for the answer, which `signal` says,
   * what is not open yet is given up.
   */
  async answer(request: PausedRequest, signal: AbortSignal): Promise<Answer> {
    const { url, frameId, body = Buffer.alloc(0) } = request;
    const query = url.searchParams;
    const act = url.pathname.split('/').at(-1);
    const head = headOf(request);
    const id = query.get('id') ?? '';
    if (act === 'open' || act === 'events') {
      const server = this.#addressIn(request, act === 'open' ? 'ws:' : 'http:');
      const connect = (to: URL, end: ChannelEnd): Channel =>
        act === 'open'
          ? this.#openSocket(request, to, end)
          : this.#openEvents(request, to, query.get('last') ?? '', end);
      return answerOf(await this.#open({ server, frameId, id }, signal, connect), head);
    }
    const carried = this.#all.get(id);
    if (!carried) return answerOf(undefined, head);
    const after = Number(query.get('after'));
    if (act === 'poll') return answerOf(await this.#poll(carried, signal, after), head);
    if (act === 'gone') this.#drop(id);
    else if (act !== 'send') return answerOf(undefined, head);
    else this.#receive(carried, after, messagesIn(body));
    return answerOf(Buffer.alloc(0), head);
  }

  /**
   * Answers an event source that no code of this bridge carries, and that has no end: with the events that have come, after which the browser asks
   * again and gets those since. Such a source has an `error` and an `open` between two answers, and has ended when nobody waits for one any more.
   * `deliver` sends the answer; what it rejects is in the next one.
   */
  async answerSource(
    request: PausedRequest,
    signal: AbortSignal,
    deliver: (answer: Answer) => Promise<unknown>,
  ): Promise<void> {
    const { url, frameId, headers } = request;
    const source = `${frameId} ${url.href}`;
    let carried = [...this.#all.values()].find((one) => one.source === source && !one.poll);
    let first: Buffer = Buffer.alloc(0);
    if (!carried) {
      const lastId = headerText(headers.get('last-event-id') ?? '');
      const connect = (to: URL, end: ChannelEnd): Channel => this.#openEvents(request, to, lastId, end);
      first = await this.#open({ server: url, frameId, source }, signal, connect);
      carried = this.#all.get(idIn(messagesIn(first)[0]));
    }
    if (!carried) {
      await deliver(heldAnswer(messagesIn(first), originHeaders(request), this.#retries.get(source)));
      return;
    }
    const more = messagesIn(await this.#poll(carried, signal, carried.arrived));
    if (signal.aborted) this.#drop(carried.id);
    const pauseMs = retryIn(more);
    if (pauseMs !== undefined) this.#retries.set(source, pauseMs);
    const answered = carried.waiting.slice(0, more.length);
    // Before it is delivered: the browser does not say what has arrived, and asks again at once.
    acknowledge(carried, carried.arrived + more.length);
    try {
      await deliver(heldAnswer([...messagesIn(first), ...more], originHeaders(request), this.#retries.get(source)));
    } catch (error) {
      // The connection is lost, and the browser asks by another one.
      carried.waiting.unshift(...answered);
      carried.arrived -= answered.length;
      throw error;
    }
    if (carried.hasEnded && carried.waiting.length === 0) this.#drop(carried.id);
  }

  /** Closes the event sources of the browser itself whose page another one takes the place of, which would get what is meant for them. */
  closeSourcesOf(frameId: string): void {
    for (const source of this.#retries.keys()) if (source.startsWith(`${frameId} `)) this.#retries.delete(source);
    for (const [id, carried] of this.#all) {
      if (carried.frameId === frameId && carried.source !== undefined) this.#drop(id);
    }
  }

  /** Closes those of a page or worker that has gone. */
  closeOf(frameId: string): void {
    this.closeSourcesOf(frameId);
    for (const [id, carried] of this.#all) if (carried.frameId === frameId) this.#drop(id);
  }

  /** The connection to the browser is lost: those who wait ask again by another one, within the time for which they may be silent. */
  release(): void {
    for (const carried of this.#all.values()) carried.poll?.();
  }

  /** Closes all: those who wait have the end in their answers. */
  close(): void {
    for (const id of [...this.#all.keys()]) this.#drop(id);
  }

  /** The address that a page wants to connect to; undefined for one that it may not. */
  #addressIn({ url: { searchParams } }: PausedRequest, protocol: 'ws:' | 'http:'): URL | undefined {
    const url = urlOf(searchParams.get('url') ?? '');
    return url?.protocol === protocol && this.options.hosts().has(url.host) ? url : undefined;
  }

  #openSocket(request: PausedRequest, url: URL, end: ChannelEnd): Channel {
    const { host = 'localhost' } = this.options.forward ?? {};
    const [protocols, cookie] = [request.url.searchParams.getAll('protocol'), request.headers.get('cookie')];
    return openWebSocket(url, { protocols, host, cookie }, end);
  }

  #openEvents(request: PausedRequest, url: URL, lastId: string, end: ChannelEnd): Channel {
    const { clock, hosts, forward } = this.options;
    return openEventSource(url, { request, lastId }, { clock, hosts, ...forward }, end);
  }

  /**
   * What a server has said first, as messages: that it is open, or has ended, as where there is none to ask. `id`: what its page has named it, for
   * when it is closed before.
   */
  async #open(
    {
      server,
      frameId,
      source,
      id: name = '',
    }: { server: URL | undefined; frameId: string; source?: string; id?: string },
    signal: AbortSignal,
    connect: (server: URL, end: ChannelEnd) => Channel,
  ): Promise<Buffer> {
    if (this.count >= MAX_CHANNELS) return endBytes(END.lost);
    const id = NAME.test(name) && !this.#all.has(name) ? name : randomUUID();
    const carried: Carried = {
      id,
      channel: undefined,
      frameId,
      source,
      waiting: [],
      arrived: 0,
      received: 0,
      hasEnded: false,
      poll: undefined,
      silence: undefined,
    };
    this.#all.set(id, carried);
    const hear = (isListening: boolean): void => {
      if (server) this.options.onServer?.(portOf(server), isListening);
    };
    const first = new Promise<Buffer>((resolve) => {
      const end: ChannelEnd = {
        begin: (protocol) => {
          hear(true);
          resolve(messageBytes(KIND.begin, `${id}\n${protocol}`));
        },
        refuse: () => {
          hear(false);
        },
        hand: (message) => {
          this.#hand(carried, message);
        },
        end: (message) => {
          resolve(message);
          this.#end(id, carried, message);
        },
      };
      try {
        carried.channel = server && connect(server, end);
      } catch {
        // Node makes no request of what the page has asked for, which fails as if no server was there.
      }
      if (!carried.channel) end.end(endBytes(END.lost));
    });
    const giveUp = (): void => {
      this.#drop(id);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    const message = await first;
    signal.removeEventListener('abort', giveUp);
    if (messagesIn(message)[0]?.kind === KIND.end) this.#drop(id);
    else if (this.#all.has(id)) this.#awaitPoll(id, carried);
    return message;
  }

  /** What has come after so many messages, or comes within the time for which a request may be held. */
  async #poll(carried: Carried, signal: AbortSignal, after: number): Promise<Buffer> {
    carried.silence?.clear();
    carried.poll?.();
    acknowledge(carried, after);
    if (carried.waiting.length === 0 && !carried.hasEnded) {
      await this.#untilMore(carried, signal);
    }
    // A longer answer ends the connection to the browser.
    const ready = firstOf(carried.waiting, this.options.forward?.maxBytes ?? MAX_ANSWER_BYTES);
    // Its end alone speaks of no files.
    if (ready.some(([kind]) => kind !== KIND.end)) await this.options.beforeMessage?.();
    // Its end is among what waits, and no other request gets it.
    if (!this.#all.has(carried.id)) return Buffer.concat(carried.waiting);
    this.#awaitPoll(carried.id, carried);
    // What has come meanwhile may speak of other files, and is for the next request.
    return Buffer.concat(ready);
  }

  /** Passes on the messages of a page, of which it had sent so many before, but for those that have come already. */
  #receive(carried: Carried, after: number, messages: readonly SocketMessage[]): void {
    const had = Math.max(0, carried.received - after);
    for (const message of messages.slice(had)) {
      carried.received += 1;
      carried.channel?.receive(message);
    }
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
      if (carried.poll) return;
      // The code of a page that stands at a breakpoint cannot ask.
      if (this.options.isDebugged?.()) this.#awaitPoll(id, carried);
      else this.#drop(id);
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
    if (!carried.hasEnded) carried.waiting.push(endBytes(END.lost));
    carried.hasEnded = true;
    carried.silence?.clear();
    carried.poll?.();
    carried.channel?.terminate();
  }
}

/** Forgets the messages that have arrived, of which there are so many since the beginning. */
function acknowledge(carried: Carried, count: number): void {
  const more = Math.min(Math.max(0, count - carried.arrived), carried.waiting.length);
  carried.waiting.splice(0, more);
  carried.arrived += more;
}

/** The messages that go with one answer of so many bytes at most: the first, however long it is, and those after it that have room. */
function firstOf(waiting: readonly Buffer[], maxBytes: number): Buffer[] {
  let bytes = 0;
  const end = waiting.findIndex(({ length }, at) => (bytes += length) > maxBytes && at > 0);
  return waiting.slice(0, end < 0 ? undefined : end);
}

/** The id of the channel that a message begins; empty for none. */
function idIn(message: SocketMessage | undefined): string {
  return message?.kind === KIND.begin ? (message.content.toString().split('\n')[0] ?? '') : '';
}

/** The page of a content script is of another origin, and may send its cookies. */
function originHeaders({ headers }: PausedRequest): Answer['headers'] {
  return [
    { name: 'access-control-allow-origin', value: headers.get('origin') ?? '*' },
    { name: 'access-control-allow-credentials', value: 'true' },
    { name: 'cache-control', value: 'no-store' },
  ];
}

function headOf(request: PausedRequest): Answer['headers'] {
  return [...originHeaders(request), { name: 'content-type', value: 'application/octet-stream' }];
}

function answerOf(body: Buffer | undefined, headers: Answer['headers']): Answer {
  return { status: body ? 200 : 404, statusText: '', headers, body: body ?? Buffer.alloc(0) };
}
