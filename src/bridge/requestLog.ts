import { EventEmitter } from 'node:events';
import type { Clock } from '../base/clock';
import type { Refusal } from './askers';
import { type ForwardFault, portOf } from './forward';
import type { PausedRequest } from './pausedRequest';

/** How many of the latest requests are remembered. */
const MAX_KEPT = 200;

/** One request of the browser to a server of the developer. */
export interface BridgedRequest {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** Without the query, which may hold a secret. */
  readonly address: string;
  /** The address of the page or worker that has asked, where that is known. */
  readonly asker: string | undefined;
  /** Of the answer, or why there is none. */
  readonly outcome: number | Refusal | ForwardFault;
  /** From the request to the answer, in milliseconds. */
  readonly ms: number;
  /** Of the answer's body. */
  readonly bytes: number;
}

/** Counts since the bridge has started. */
export interface BridgeCounts {
  readonly requests: number;
  readonly refused: number;
  readonly bytes: number;
}

interface RequestLogEvents {
  /** A request was answered or refused. */
  request: [BridgedRequest];
  /** A server listens, or no longer does. */
  servers: [];
}

/** The requests of one bridge: the latest, how many, and which servers have answered. */
export class RequestLog {
  readonly events = new EventEmitter<RequestLogEvents>();
  readonly #listening = new Map<number, boolean>();
  readonly #latest: BridgedRequest[] = [];
  #requests = 0;
  #refused = 0;
  #bytes = 0;

  constructor(private readonly clock: Clock) {}

  get counts(): BridgeCounts {
    return { requests: this.#requests, refused: this.#refused, bytes: this.#bytes };
  }

  /** The latest requests, the newest first. */
  get latest(): readonly BridgedRequest[] {
    return this.#latest;
  }

  /** The ports where nothing has listened when they were asked last. */
  get silent(): number[] {
    return [...this.#listening].flatMap(([port, isListening]) => (isListening ? [] : [port]));
  }

  /** Whether a server has answered at this port when it was asked last; undefined when none was asked. */
  isListening(port: number): boolean | undefined {
    return this.#listening.get(port);
  }

  /**
   * Begins with a request of a page or worker with this address; call the result once, with what has become of it: the status and size of an
   * answer, or why there is none.
   */
  begin(
    { method, url }: PausedRequest,
    asker: string | undefined,
  ): (outcome: BridgedRequest['outcome'], bytes?: number) => void {
    const [started, at] = [this.clock.now(), Date.now()];
    const address = `${url.origin}${url.pathname}`;
    return (outcome, bytes = 0) => {
      this.#requests += 1;
      this.#bytes += bytes;
      if (typeof outcome === 'string') this.#refused += 1;
      if (typeof outcome === 'number' || outcome === 'refused') this.hear(portOf(url), outcome !== 'refused');
      const request = { at, method, address, asker, outcome, ms: this.clock.now() - started, bytes };
      this.#latest.unshift(request);
      this.#latest.length = Math.min(this.#latest.length, MAX_KEPT);
      this.events.emit('request', request);
    };
  }

  /** Notes whether a server listens at a port. */
  hear(port: number, isListening: boolean): void {
    if (this.#listening.get(port) === isListening) return;
    this.#listening.set(port, isListening);
    this.events.emit('servers');
  }
}
