// Covers: src
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { realClock } from '../../src/base/clock';
import { Relay } from '../../src/debugger/relay';
import { listenForDebugger } from '../../src/debugger/relayServer';
import { relayTo } from '../../src/programs/execRelay';
import { devToolsAddress } from '../../src/service/devToolsAddress';
import { SourceLocations } from '../../src/console/sourceLocations';
import { TestService } from '../contract/service';
import { sourceFiles } from '../support/importGraph';
import { ROOT } from '../support/paths';
import { ID, MemoryBrowser } from '../unit/debugger/relayStage';
import { asStranger, canBeStranger } from './strangers';
import { IN_MEMORY } from '../support/devToolsAddress';

/** What listens while a test tries its doors. */
interface Open {
  port: number;
  /** What lets its own client in, and must be in no answer. */
  secret: string;
  /** The path and the headers with which its own client comes. */
  own: { path: string; headers: Record<string, string>; isSocket: boolean };
  close: () => Promise<void>;
}

/** Everything of Sideload that listens, with the files in which it does so. Whatever is new belongs here, with its secret and its doors. */
const LISTENERS: Record<string, { files: readonly string[]; open: () => Promise<Open>; isOnce?: true }> = {
  'the local service: a random token in a header': {
    files: ['src/local/localService.ts', 'src/local/http/server.ts'],
    open: async () => {
      const service = await TestService.start();
      const headers = { authorization: `Bearer ${service.token}` };
      return {
        port: Number(new URL(service.baseUrl).port),
        secret: service.token,
        own: { path: '/browsers', headers, isSocket: false },
        close: () => service.stop(),
      };
    },
  },
  'DevTools of a local browser: a random token of the browser in the address': {
    files: ['src/local/devtools/cdpProxy.ts'],
    open: async () => {
      const service = await TestService.start();
      const { cdp_ws_url } = await service.client.browsers.create({ headless: true });
      const { port, pathname, search, searchParams } = new URL(cdp_ws_url);
      return {
        port: Number(port),
        secret: searchParams.get('token') ?? '',
        own: { path: `${pathname}${search}`, headers: {}, isSocket: true },
        close: () => service.stop(),
      };
    },
  },
  "the debugger's relay: a random path in the debug configuration": {
    files: ['src/debugger/relayServer.ts', 'src/base/secretSocket.ts'],
    isOnce: true,
    open: async () => {
      const relay = await Relay.start(
        {
          extensionId: ID,
          name: 'Sample',
          matches: () => true,
          address: () => Promise.resolve(IN_MEMORY),
          locations: new SourceLocations(ID, undefined),
          log: { debug: () => undefined },
        },
        { open: new MemoryBrowser().open, clock: realClock, listen: listenForDebugger },
      );
      const { port, pathname } = new URL(relay.socketAddress);
      return {
        port: Number(port),
        secret: pathname,
        own: { path: pathname, headers: {}, isSocket: true },
        close: () => {
          relay.close();
          return Promise.resolve();
        },
      };
    },
  },
  'DevTools for the command of --exec: a random path in its environment': {
    files: ['src/programs/execRelay.ts', 'src/programs/execCommand.ts'],
    open: async () => {
      const service = await TestService.start();
      const { cdp_ws_url } = await service.client.browsers.create({ headless: true });
      const relay = await relayTo(devToolsAddress(cdp_ws_url, new URL(service.baseUrl)));
      const { port, pathname } = new URL(relay.address);
      return {
        port: Number(port),
        secret: pathname,
        own: { path: pathname, headers: {}, isSocket: true },
        close: async () => {
          relay.close();
          await service.stop();
        },
      };
    },
  },
};

/** What makes a program listen. */
const LISTENING = /\.listen\(|new WebSocketServer\(|\bcreateServer\(|\bcreateSocket\(/;

/** Paths that a program tries that knows none. */
const GUESSES = [
  '/',
  '/json',
  '/json/list',
  '/json/version',
  '/json/protocol',
  '/devtools/browser',
  '/browsers',
  '/cdp',
];

/** What only one's own client may get: an answer with content, or a websocket. */
const isInside = (status: number): boolean => status === 101;

describe('a hostile local program or page', function () {
  this.timeout(60_000);

  it('finds no other listener than those of this table', () => {
    const listed = Object.values(LISTENERS).flatMap(({ files }) => files);
    const found = sourceFiles('src')
      .filter((file) => LISTENING.test(readFileSync(join(ROOT, file), 'utf8')))
      // It passes the listening on.
      .filter((file) => file !== 'src/debugger/relay.ts');
    assert.deepEqual(
      found.filter((file) => !listed.includes(file)),
      [],
    );
  });

  for (const [name, { open, isOnce }] of Object.entries(LISTENERS)) {
    describe(`at ${name}`, () => {
      let opened: Open;

      before(async () => {
        opened = await open();
      });
      after(() => opened.close());

      it('gets in nowhere without the secret, and reads it nowhere', async () => {
        await tryGuesses(opened);
      });

      it('gets in nowhere as a web page, or by a name of its own for this machine, even with the secret', async () => {
        for (const headers of [
          { origin: 'https://evil.test' },
          { origin: 'null' },
          { origin: 'vscode-webview://x' },
          { host: `evil.test:${opened.port}` },
          { host: `127.0.0.1.evil.test:${opened.port}` },
          { host: 'evil.test' },
        ]) {
          const { status, text } = await ask(opened, opened.own.path, { ...opened.own.headers, ...headers }, true);
          assert.equal(status, 403, JSON.stringify(headers));
          const plain = await ask(opened, opened.own.path, { ...opened.own.headers, ...headers }, false);
          assert.equal(plain.status, 403, JSON.stringify(headers));
          assert.doesNotMatch(text + plain.text, new RegExp(opened.secret.replaceAll('/', '')));
          const version = await ask(opened, '/json/version', headers, false);
          assert.equal(version.status, 403, JSON.stringify(headers));
        }
      });

      it('does not reach it from another machine', async () => {
        const own = Object.values(networkInterfaces()).flatMap((of) => of ?? []);
        for (const { address, internal, family } of own) {
          if (internal || family !== 'IPv4') continue;
          const socket = connect({ host: address, port: opened.port });
          const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
          assert.equal(error.code, 'ECONNREFUSED');
        }
      });

      it('gets in nowhere as another user', async function () {
        if (!canBeStranger) this.skip();
        const { seen, stdout } = await asStranger([`http://127.0.0.1:${opened.port}`, '/nowhere']);
        const here = seen.devTools.filter(({ port }) => port === opened.port);
        assert.deepEqual(
          here.filter(({ statuses }) => statuses.some(isInside)),
          [],
        );
        assert(!stdout.includes(opened.secret));
      });

      it('gets in nowhere beside its client', async () => {
        const { own, port } = opened;
        if (!own.isSocket) {
          assert.equal((await ask(opened, own.path, own.headers, false)).status, 200);
          await tryGuesses(opened);
          return;
        }
        const client = new WebSocket(`ws://127.0.0.1:${port}${own.path}`, {
          headers: { host: 'localhost' + (isOnce ? '' : `:${port}`) },
        });
        await once(client, 'open');
        try {
          await tryGuesses(opened);
          // The relay has one client, and listens no more.
          if (isOnce) assert.equal((await ask(opened, own.path, {}, true)).status, 0);
        } finally {
          const closed = once(client, 'close');
          client.close();
          await closed;
        }
        if (isOnce) assert.equal((await ask(opened, own.path, {}, true)).status, 0);
      });
    });
  }
});

async function tryGuesses(opened: Open): Promise<void> {
  const { own, secret } = opened;
  const half = own.path.slice(0, own.path.length / 2);
  for (const path of [...GUESSES, half, `${own.path.split('?')[0] ?? ''}?token=`, `${own.path}x`]) {
    if (path.startsWith(own.path) && path !== `${own.path}x`) continue;
    for (const isSocket of [true, false]) {
      const { status, text } = await ask(opened, path, {}, isSocket);
      assert(!isInside(status), `${path} lets in`);
      assert(!text.includes(secret), `${path} tells the secret`);
    }
  }
}

/** Asks a listener, for a websocket or not; the status is 0 when nothing listens. */
function ask(
  { port }: Open,
  path: string,
  headers: Record<string, string>,
  isSocket: boolean,
): Promise<{ status: number; text: string }> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'c3RyYW5nZXJzdHJhbmdlcg==',
  };
  return new Promise((resolve) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, headers: { ...headers, ...(isSocket && upgrade) } });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, text: '' });
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', () => resolve({ status: 0, text: '' }));
    request.end();
  });
}
