import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { hostOrOriginFault, sameSecret } from '../http/guard';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import { CdpPaths } from './cdpPaths';

/** How long a new connection waits for a restarting browser, as with the service's newest proxy, before 503. */
const RESTART_WAIT_MS = 5_000;
const CONNECT_LIMIT_MS = 5_000;
const MAX_FRAME_BYTES = 256 * 1024 * 1024;
/** With more unsent bytes than this, reading from the other side is paused. */
const HIGH_WATER_BYTES = 16 * 1024 * 1024;
const GOING_AWAY = 1001;
const CDP_PATH = /^\/browsers\/([^/]+)\/cdp$/;

/**
 * Serves `cdp_ws_url`: connects each client to the browser target of the session's current browser. The URL is the same after a restart, but
 * a restart closes open sockets. Returns a function that closes all sockets.
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
          connect(client, found.browser, found.session, found.release);
        });
        if (isConnected) return;
        // The client is gone, or its handshake was invalid.
        found.browser.terminate();
        found.release();
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
  browser: WebSocket;
  release: () => void;
}

/** The connection to the browser, or the status of a refusal. */
async function accept(request: IncomingMessage, sessions: Sessions): Promise<Accepted | number> {
  if (hostOrOriginFault(request) !== undefined) return 403;
  const url = new URL(request.url ?? '/', 'ws://127.0.0.1');
  const id = CDP_PATH.exec(url.pathname)?.[1];
  const session = id === undefined ? undefined : sessions.find(decodeURIComponent(id));
  if (!session?.active) return 404;
  if (!sameSecret(url.searchParams.get('token') ?? '', session.token)) return 401;
  const release = session.beginUse();
  const chromium = await session.browser.waitFor(RESTART_WAIT_MS);
  const browser = chromium ? await openWebSocket(chromium.debuggerUrl) : undefined;
  if (!browser) {
    release();
    return 503;
  }
  return { session, browser, release };
}

/** An open connection to the browser, paused until its messages are relayed; `undefined` when it fails. */
function openWebSocket(url: string): Promise<WebSocket | undefined> {
  return new Promise((resolve) => {
    const browser = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MAX_FRAME_BYTES,
      handshakeTimeout: CONNECT_LIMIT_MS,
    });
    browser.once('open', () => {
      browser.pause();
      resolve(browser);
    });
    browser.on('error', () => resolve(undefined));
  });
}

function connect(client: WebSocket, browser: WebSocket, session: Session, release: () => void): void {
  const paths = new CdpPaths(session.jail);
  const unsubscribe = session.browser.onceDetached(() => client.close(GOING_AWAY, 'the browser restarts or has ended'));
  const end = () => {
    unsubscribe();
    release();
    client.close(GOING_AWAY);
    browser.close();
  };
  for (const side of [client, browser]) {
    side.on('close', end);
    side.on('error', end);
  }
  relay(client, browser, (frame) => paths.toBrowser(frame));
  relay(browser, client, (frame) => paths.toClient(frame));
  browser.resume();
}

function relay(from: WebSocket, to: WebSocket, translate: (frame: string) => string): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    if (to.readyState !== WebSocket.OPEN) return;
    const frame = isBinary ? data : translated(data, translate, from);
    if (frame === undefined) return;
    to.send(frame, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < HIGH_WATER_BYTES) from.resume();
    });
    if (to.bufferedAmount >= HIGH_WATER_BYTES) from.pause();
  });
}

function translated(data: RawData, translate: (frame: string) => string, from: WebSocket): string | undefined {
  // With the default binaryType a message is one buffer; the type also includes other settings.
  const text = Buffer.isBuffer(data) ? data.toString('utf8') : '';
  try {
    return translate(text);
  } catch {
    // An invalid path (with a null character), which the browser would not accept either.
    from.close(1007, 'illegal path');
    return undefined;
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
