import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import type { Chromium } from '../chromium/chromium';
import type { PipeClient } from '../chromium/sharedPipe';
import { messageOf } from '../httpErrors';
import type { Jail } from '../files/jail';
import { hostOrOriginFault, sameSecret } from '../http/guard';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import { commandFault } from './commandLimits';
import { translatePaths, type TranslatedCommand } from './cdpPaths';

/** How long a new connection waits for a restarting browser, as with the service's newest proxy, before 503. */
const RESTART_WAIT_MS = 5_000;
/** The longest command of a client: one with a file of 32 MiB in base64, such as the answer to a request that it has intercepted. */
const MAX_FRAME_BYTES = 48 * 1024 * 1024;
/** With more unsent bytes than this, no more of the client's commands are read. */
const HIGH_WATER_BYTES = 16 * 1024 * 1024;
/** A client that has so much to read gets no more: the pipe cannot wait for one of its clients. */
const MAX_UNSENT_BYTES = 128 * 1024 * 1024;
/** Status codes of a websocket's end (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;
const INVALID_DATA = 1007;
const CDP_PATH = /^\/browsers\/([^/]+)\/cdp$/;

/**
 * Serves `cdp_ws_url`: gives each client a DevTools session with the browser of its URL. The URL is the same after a restart, but a restart
 * closes open sockets. Returns a function that closes all sockets.
 */
export function serveDevTools(server: Server, sessions: Sessions): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    accept(request, sessions).then(
      (found) => {
        if (typeof found === 'number') return refuse(socket, found);
        let isConnected = false;
        sockets.handleUpgrade(request, socket, head, (client) => {
          isConnected = true;
          connect(client, found);
        });
        // Otherwise the client is gone, or its handshake was invalid.
        if (!isConnected) found.end();
      },
      () => refuse(socket, 500),
    );
  });
  return () => {
    for (const client of sockets.clients) client.terminate();
  };
}

interface Accepted {
  session: Session;
  chromium: Chromium;
  /** The id of the DevTools session. */
  devtools: string;
  /** Ends the DevTools session and the use of the browser. */
  end: () => void;
}

/** The session for a client, or the status of a refusal. */
async function accept(request: IncomingMessage, sessions: Sessions): Promise<Accepted | number> {
  if (hostOrOriginFault(request) !== undefined) return 403;
  const url = new URL(request.url ?? '/', 'ws://127.0.0.1');
  const session = sessionOf(url.pathname, sessions);
  if (!session?.active) return 404;
  if (!sameSecret(url.searchParams.get('token') ?? '', session.token)) return 401;
  const release = session.activity.beginUse();
  try {
    const chromium = await session.browser.waitFor(RESTART_WAIT_MS);
    const devtools = await chromium?.openSession();
    if (chromium && devtools !== undefined) {
      const end = (): void => {
        chromium.closeSession(devtools);
        release();
      };
      return { session, chromium, devtools, end };
    }
  } catch {
    // The browser has just ended.
  }
  release();
  return 503;
}

function sessionOf(path: string, sessions: Sessions): Session | undefined {
  const id = CDP_PATH.exec(path)?.[1];
  try {
    return id === undefined ? undefined : sessions.find(decodeURIComponent(id));
  } catch {
    // A stray percent sign.
    return undefined;
  }
}

function connect(socket: WebSocket, { session, chromium, devtools, end }: Accepted): void {
  let isWaiting = false;
  /** Reads on when both ways have room. */
  const resume = (): void => {
    if (!socket.isPaused || isWaiting || socket.bufferedAmount >= HIGH_WATER_BYTES) return;
    if (!chromium.pipe.isFull) return socket.resume();
    // Commands of other clients may have filled it meanwhile.
    isWaiting = true;
    chromium.pipe.onceDrained(() => {
      isWaiting = false;
      resume();
    });
  };
  const deliver = (message: Buffer): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    // A close frame would wait behind what is not read.
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate();
    socket.send(message, { binary: false }, resume);
    if (socket.bufferedAmount >= HIGH_WATER_BYTES) socket.pause();
  };
  const client = chromium.pipe.join(devtools, { onMessage: deliver, onClosed: () => socket.close(GOING_AWAY) });
  const unsubscribe = session.browser.onceDetached(() => socket.close(GOING_AWAY, 'the browser restarts or has ended'));
  socket.once('close', () => {
    unsubscribe();
    client.leave();
    end();
  });
  socket.on('error', () => socket.close(GOING_AWAY));
  socket.on('message', (data: RawData) => {
    pass(data, client, session.jail, socket);
    if (!chromium.pipe.isFull) return;
    socket.pause();
    resume();
  });
}

/** Passes a client's command on. One that cannot be passed on is answered; whatever is in it, the browsers of all clients go on. */
function pass(data: RawData, client: PipeClient, jail: Jail, socket: WebSocket): void {
  // With the default binaryType a message is one buffer; the type also includes other settings.
  const text = Buffer.isBuffer(data) ? data : Buffer.alloc(0);
  const fault = commandFault(text);
  if (fault !== undefined) return client.refuseText(fault);
  let command: unknown;
  try {
    command = JSON.parse(text.toString('utf8'));
  } catch (error) {
    return client.refuseText(messageOf(error));
  }
  let translated: TranslatedCommand;
  try {
    translated = translatePaths(command, jail);
  } catch {
    // A path with a null character, which the browser would not accept either.
    return socket.close(INVALID_DATA, 'illegal path');
  }
  try {
    client.send(translated.command, translated.translate);
  } catch {
    socket.close(INVALID_DATA, 'a command that cannot be passed on');
  }
}

function refuse(socket: Duplex, status: number): void {
  const reason = REASONS[status] ?? 'Internal Server Error';
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
};
