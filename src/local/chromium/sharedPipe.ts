import { deferred } from '../deferred';
import { isJsonObject, type JsonObject } from '../requestFields';
import type { BrowserPipe } from './browserPipe';
import { envelopeOf, parsedFrame, serialized, withId, withoutSession } from './envelope';

/** What a client of the pipe gets. */
export interface PipeListener {
  /** A message for this client, as a connection of its own to the browser would deliver it. */
  onMessage: (message: Buffer) => void;
  /** The client's session has ended, or the browser: nothing comes any more. */
  onClosed: () => void;
}

/** Changes the response to a command before the client gets it. */
export type Translate = (response: JsonObject) => JsonObject;

/** One of the clients that share a pipe. */
export interface PipeClient {
  /**
   * Sends a command, given as parsed JSON. What the browser could not assign to this client is answered with the browser's own errors: no
   * object, no integer `id`, a session of somebody else. Throws a RangeError for a value that is nested too deep to be written.
   */
  send: (command: unknown, translate?: Translate) => void;
  /** Answers to a text that is not JSON. */
  refuseText: (reason: string) => void;
  /** Ends the client: nothing is delivered to it any more. */
  leave: () => void;
}

interface Client {
  /** Its session with the browser target; the service itself has none. */
  readonly session: string | undefined;
  readonly listener: PipeListener;
}

interface Pending {
  readonly client: Client;
  /** The client's own id of the command. */
  readonly id: number;
  readonly translate: Translate | undefined;
  /** Whether the end of the browser is what it asks for. */
  readonly isClose: boolean;
}

/** The ids of commands are 32-bit integers (C-COMMAND-IDS). */
const MAX_ID = 0x7fff_ffff;
/** Codes of JSON-RPC 2.0 (section 5.1), and the one for an unknown session (C-COMMAND-IDS). */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const SESSION_NOT_FOUND = -32_001;

const ATTACHED = 'Target.attachedToTarget';
const DETACHED = 'Target.detachedFromTarget';
const CLOSE = 'Browser.close';

/**
 * Shares the one DevTools pipe of a browser among several clients, so that the browser needs no port, which every user of the machine
 * could open. Each client has numbers of its own for its commands, and can use only the sessions that were opened for it.
 *
 * One client, the service, uses the pipe without a session. Each other one has a session with the browser target, whose id is removed
 * from its messages, so that it looks like a connection of its own.
 */
export class SharedPipe {
  readonly #pending = new Map<number, Pending>();
  readonly #clientOf = new Map<string | undefined, Client>();
  #lastId = 0;
  /** Resolves when the browser has closed its end, and all clients have got what it has said. */
  readonly ended: Promise<void>;

  constructor(private readonly pipe: BrowserPipe) {
    const { promise, resolve } = deferred<void>();
    this.ended = promise;
    pipe.onFrame = (frame) => {
      try {
        this.#receive(frame);
      } catch {
        // A frame that cannot be read is for nobody. The frames after it are not to be lost, nor the browsers of the other clients.
      }
    };
    pipe.onEnd = () => {
      for (const client of new Set(this.#clientOf.values())) this.#end(client);
      resolve();
    };
  }

  /** Adds the client with that session; `undefined` is the service itself, which has opened the sessions of the others. */
  join(session: string | undefined, listener: PipeListener): PipeClient {
    const client: Client = { session, listener };
    this.#clientOf.set(session, client);
    return {
      send: (command, translate) => this.#send(client, command, translate),
      refuseText: (reason) => refuse(client, PARSE_ERROR, `JSON: ${reason}`),
      leave: () => this.#leave(client),
    };
  }

  /** Whether more is sent to the browser than it takes. */
  get isFull(): boolean {
    return this.pipe.isFull;
  }

  /** Calls `listener` once, when the browser has taken what was sent. */
  onceDrained(listener: () => void): void {
    this.pipe.onceDrained(listener);
  }

  #send(client: Client, command: unknown, translate: Translate | undefined): void {
    if (!isJsonObject(command)) return refuse(client, INVALID_REQUEST, 'Message must be an object');
    const { id, sessionId = client.session } = command;
    if (typeof id !== 'number' || !Number.isInteger(id) || Math.abs(id) > MAX_ID) {
      return refuse(client, INVALID_REQUEST, "Message must have integer 'id' property");
    }
    if (sessionId !== undefined && typeof sessionId !== 'string') {
      return refuse(client, INVALID_REQUEST, "Message may have string 'sessionId' property", id);
    }
    if (this.#clientOf.get(sessionId) !== client) {
      return refuse(client, SESSION_NOT_FOUND, 'Session with given id not found.', id);
    }
    const sentAs = this.#nextId();
    // First, because a value that is nested too deep cannot be written.
    const text = JSON.stringify({ ...command, id: sentAs, ...(sessionId === undefined ? {} : { sessionId }) });
    this.#pending.set(sentAs, { client, id, translate, isClose: command['method'] === CLOSE });
    this.pipe.send(text);
  }

  #nextId(): number {
    do this.#lastId = this.#lastId === MAX_ID ? 1 : this.#lastId + 1;
    while (this.#pending.has(this.#lastId));
    return this.#lastId;
  }

  #leave(client: Client): void {
    for (const [session, owner] of this.#clientOf) if (owner === client) this.#clientOf.delete(session);
    for (const [id, pending] of this.#pending) if (pending.client === client) this.#pending.delete(id);
  }

  #receive(frame: Buffer): void {
    const { id, method, sessionId } = envelopeOf(frame);
    if (id !== undefined) return this.#respond(frame, id, sessionId);
    const client = this.#clientOf.get(sessionId);
    if (!client) return;
    if (method === ATTACHED || method === DETACHED) this.#follow(client, method, frame);
    deliver(client, frame, sessionId);
  }

  #respond(frame: Buffer, sentAs: number, sessionId: string | undefined): void {
    const pending = this.#pending.get(sentAs);
    if (!pending) return;
    this.#pending.delete(sentAs);
    const { client, id, translate } = pending;
    const response = withId(frame, sentAs, id);
    deliver(client, translate ? serialized(translate(parsedFrame(response))) : response, sessionId);
  }

  /** A session that is opened over one of a client's sessions is the client's, too. */
  #follow(client: Client, method: string, frame: Buffer): void {
    const { params } = parsedFrame(frame);
    const session = isJsonObject(params) ? params['sessionId'] : undefined;
    if (typeof session !== 'string') return;
    if (method === ATTACHED) {
      this.#clientOf.set(session, client);
      return;
    }
    const owner = this.#clientOf.get(session);
    this.#clientOf.delete(session);
    if (owner?.session === session) this.#end(owner);
  }

  #end(client: Client): void {
    for (const { client: asked, id, isClose } of this.#pending.values()) {
      // The end of the pipe may come instead of the answer to what has ended the browser (C-END-ANSWER).
      if (asked === client && isClose) client.listener.onMessage(serialized({ id, result: {} }));
    }
    this.#leave(client);
    client.listener.onClosed();
  }
}

function deliver({ session, listener }: Client, frame: Buffer, sessionId: string | undefined): void {
  const isOwn = sessionId !== undefined && sessionId === session;
  listener.onMessage(isOwn ? withoutSession(frame, sessionId) : frame);
}

function refuse(client: Client, code: number, message: string, id?: number): void {
  client.listener.onMessage(serialized({ ...(id === undefined ? {} : { id }), error: { code, message } }));
}
