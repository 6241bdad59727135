import { repeat, type Timer } from '../base/clock';
import type { ConnectionWiring } from '../devtools/protocol/connect';
import type { DevToolsAddress } from '../service/devToolsAddress';
import type { MessageTransport } from '../devtools/protocol/webSocket';
import { fieldOf } from '../base/fields';
import { messageText, readMessage, type RelayMessage } from './relayMessage';

/** The numbers of the relay's own commands begin here; the debugger counts from 1. */
const FIRST_OWN_ID = 1_000_000_000;

/** How often the browser is asked for a sign of life, in milliseconds: proxies close connections without traffic. */
const PING_MS = 20_000;

/** What a connection to the browser reports. */
export interface UpstreamEvents {
  /** An event, or the answer to a command of the debugger. */
  onMessage: (message: RelayMessage) => void;
  /** The browser has ended or restarted, or the connection broke; not called after `close`. */
  onLost: () => void;
}

/** A relay's connection to the browser, which carries the debugger's commands beside its own. */
export class RelayUpstream {
  #lastId = FIRST_OWN_ID;
  readonly #waiting = new Map<number, (message: unknown) => void>();
  readonly #pings: Pick<Timer, 'clear'>;
  #isClosed = false;

  private constructor(
    private readonly socket: MessageTransport,
    private readonly events: UpstreamEvents,
    clock: ConnectionWiring['clock'],
  ) {
    socket.onmessage = (text) => this.#onMessage(text);
    socket.onclose = () => {
      if (this.#isClosed) return;
      this.#end();
      events.onLost();
    };
    this.#pings = repeat(clock, PING_MS, () => socket.ping());
  }

  /** @throws DevToolsError, which does not say the address */
  static async open(
    address: DevToolsAddress,
    events: UpstreamEvents,
    signal: AbortSignal,
    { open, clock }: ConnectionWiring,
  ): Promise<RelayUpstream> {
    return new RelayUpstream(await open(address, signal), events, clock);
  }

  /** Sends a command of the relay itself; resolves to its result, undefined when it fails or the connection ends. */
  async ask(method: string, params: object, sessionId = ''): Promise<unknown> {
    if (this.#isClosed) return undefined;
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.socket.send(messageText({ id, method, params, sessionId }));
    return fieldOf(await answer, 'result');
  }

  /** Sends a command of the debugger as it is. */
  forward(text: string): void {
    if (!this.#isClosed) this.socket.send(text);
  }

  /** Closes the connection: the browser detaches from everything, and lets run what is paused. */
  close(): void {
    if (this.#isClosed) return;
    this.#end();
    this.socket.close();
  }

  #end(): void {
    this.#isClosed = true;
    this.#pings.clear();
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
  }

  #onMessage(text: string): void {
    if (this.#isClosed) return;
    const message = readMessage(text);
    if (!message) return;
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (message.id === undefined || !waiting) {
      if (message.id === undefined || message.id < FIRST_OWN_ID) this.events.onMessage(message);
      return;
    }
    this.#waiting.delete(message.id);
    waiting(JSON.parse(text));
  }
}
