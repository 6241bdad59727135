import * as l10n from '@vscode/l10n';
import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import { CDPSessionEvent } from 'puppeteer-core/internal/api/CDPSession.js';
import { Connection as PuppeteerConnection } from 'puppeteer-core/internal/cdp/Connection.js';
import { fieldOf, optionalText } from '../../base/fields';
import { realClock, type Clock } from '../../base/clock';
import type { DevToolsAddress } from '../../service/devToolsAddress';
import { WebSocketTransport, type MessageFilter, type MessageTransport, type SocketOptions } from './webSocket';

export type { Protocol };

type Commands = ProtocolMapping.Commands;

type Events = { [E in keyof ProtocolMapping.Events]: ProtocolMapping.Events[E][0] };

/** What commands are sent to and events come from, as far as Sideload uses it: puppeteer's classes are such, and others can be. */
interface Peer {
  /** Rejects with the browser's text when it refuses the command, and after `timeout` milliseconds. */
  send<C extends keyof Commands>(
    command: C,
    params?: Commands[C]['paramsType'][0],
    options?: { timeout: number },
  ): Promise<Commands[C]['returnType']>;
  on<E extends keyof Events>(event: E, listener: (event: Events[E]) => void): unknown;
  /** See {@link onDisconnected}. */
  on(event: typeof CDPSessionEvent.Disconnected, listener: () => void): unknown;
  /** It cannot be taken back: `off` does not know the listener, which puppeteer wraps. */
  once<E extends keyof Events>(event: E, listener: (event: Events[E]) => void): unknown;
  off<E extends keyof Events>(event: E, listener: (event: Events[E]) => void): unknown;
  off(event: typeof CDPSessionEvent.Disconnected, listener: () => void): unknown;
}

/** A connection to a browser, at the level of the browser. */
export interface Connection extends Peer {
  /** The session of this id, while there is one. */
  session(id: string): CDPSession | null;
  /** Closes the connection. */
  dispose(): void;
}

/** A session with one target. */
export interface CDPSession extends Peer {
  id(): string;
  /** Undefined once the session has ended. */
  connection(): Connection | undefined;
  detach(): Promise<void>;
}

/** Opens what carries the messages of a connection; see {@link openSocket}. */
export type OpenSocket = (
  address: DevToolsAddress,
  signal?: AbortSignal,
  filter?: MessageFilter,
  options?: SocketOptions,
) => Promise<MessageTransport>;

/** What connections to browsers are made of. */
export interface ConnectionWiring {
  open: OpenSocket;
  clock: Clock;
}

/** How long the browser may take to accept the connection, in milliseconds. */
const CONNECT_LIMIT_MS = 10_000;

/** How long one DevTools command may take, in milliseconds. */
const COMMAND_LIMIT_MS = 30_000;

/** DevTools could not be reached, or went away. Says nothing of the address, which is a credential. */
export class DevToolsError extends Error {
  override readonly name = 'DevToolsError';
}

/** The error of what was under way on a connection that has ended. */
export function connectionLost(): DevToolsError {
  return new DevToolsError(l10n.t('the connection was lost, because the browser has ended or restarted'));
}

/**
 * A connection to a browser's DevTools, at the level of the browser: nothing is attached to and nothing kept awake unless a
 * caller asks for it. Redirects are not followed. `filter` decides about messages before they are parsed.
 * @throws DevToolsError when the browser does not accept the connection in time.
 */
export async function connectDevTools(
  address: DevToolsAddress,
  signal?: AbortSignal,
  filter?: MessageFilter,
  open: OpenSocket = openSocket,
): Promise<Connection> {
  return new PuppeteerConnection('', await open(address, signal, filter), 0, COMMAND_LIMIT_MS);
}

/**
 * The same as a bare websocket.
 * @throws DevToolsError when the browser does not accept the connection in time.
 */
export async function openSocket(
  address: DevToolsAddress,
  signal?: AbortSignal,
  filter?: MessageFilter,
  options?: SocketOptions,
): Promise<WebSocketTransport> {
  signal?.throwIfAborted();
  const opening = WebSocketTransport.open(address, filter, options);
  const limit = AbortSignal.timeout(CONNECT_LIMIT_MS);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  let onAbort = (): void => undefined;
  const cut = new Promise<never>((_resolve, reject) => {
    onAbort = (): void => {
      reject(new DevToolsError(l10n.t('the browser did not answer within {0} s', CONNECT_LIMIT_MS / 1000)));
    };
    either.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([opening, cut]);
  } catch (cause) {
    // A connection that comes too late is closed again.
    void opening.then(
      (late) => late.close(),
      () => undefined,
    );
    signal?.throwIfAborted();
    throw cause instanceof DevToolsError ? cause : new DevToolsError(reasonOf(cause));
  } finally {
    either.removeEventListener('abort', onAbort);
  }
}

/** Websockets, and the time of this machine. */
export const realWiring: ConnectionWiring = { open: openSocket, clock: realClock };

/** Calls `listener` once when the connection, or a session on it, has ended, whoever ended it; the returned function takes that back. */
export function onDisconnected(connection: Connection | CDPSession, listener: () => void): () => void {
  const takeBack = (): void => void connection.off(CDPSessionEvent.Disconnected, onEnd);
  const onEnd = (): void => {
    takeBack();
    listener();
  };
  connection.on(CDPSessionEvent.Disconnected, onEnd);
  return takeBack;
}

/** Whether a command failed because its target or the whole connection is gone. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && /^(TargetCloseError|ConnectionClosedError)$/.test(error.name);
}

function reasonOf(cause: unknown): string {
  const code = optionalText(fieldOf(cause, 'error'), 'code');
  return code === undefined ? l10n.t('the connection was refused') : l10n.t('the connection was refused ({0})', code);
}
