import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocketServer } from 'ws';
import { fieldOf } from '../../../../src/base/fields';
import { ConsoleSession } from '../../../../src/editor/console/consoleSession';
import type { Browser } from '../../../../src/service/model';
import { SERVICE_HERE } from '../../../support/devToolsAddress';
import { eventually } from '../../../support/eventually';
import { BROWSER } from '../lists/sampleBrowser';

/** How long what goes over real sockets of this machine may take, in milliseconds. */
const SOON_MS = 5000;

const STOPPED = 'stopped by the test';

describe('the console of a browser', () => {
  let server: WebSocketServer;
  let session: ConsoleSession;
  /** What the console has said of itself. */
  let notes: string[];
  /** How often it has ended. */
  let ends: number;
  /** The service, as the window reaches it. */
  let client: () => Promise<{ baseUrl: URL; findBrowser: () => Promise<Browser | undefined> }>;
  /** Called when the console attaches itself. */
  let onAttach: () => void;

  beforeEach(async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    onAttach = () => undefined;
    server.on('connection', (socket) => {
      socket.on('message', (data) => {
        const command: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString() : '');
        if (fieldOf(command, 'method') === 'Target.setAutoAttach') onAttach();
        socket.send(JSON.stringify({ id: fieldOf(command, 'id'), result: {} }));
      });
    });
    const browser = { ...BROWSER, devToolsUrl: `ws://127.0.0.1:${String(fieldOf(server.address(), 'port'))}` };
    notes = [];
    ends = 0;
    client = () => Promise.resolve({ baseUrl: SERVICE_HERE, findBrowser: () => Promise.resolve(browser) });
    session = new ConsoleSession(
      { connection: { client: () => client() }, log: { debug: () => undefined } },
      { note: (_, _level, text) => notes.push(text), setAttached: () => undefined, write: () => undefined },
      { browser, folder: '/nowhere', root: '/nowhere', extensionId: 'a'.repeat(32) },
      () => (ends += 1),
    );
  });

  afterEach(() => {
    session.stop(STOPPED);
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  it('says that it is started, and that it is stopped', async () => {
    await session.start();
    session.stop(STOPPED);
    assert.match(notes[0] ?? '', /^The console is started/);
    assert.deepEqual(notes.slice(1), [STOPPED]);
    assert.equal(ends, 1);
  });

  it('is stopped without an error while it waits for the service', async () => {
    const answer = client;
    client = async () => {
      session.stop(STOPPED);
      return await answer();
    };
    await session.start();
    assert.deepEqual(notes, [STOPPED]);
    assert.equal(ends, 1);
    assert.equal(server.clients.size, 0);
  });

  it('does not say that it is started when it was stopped while it attached itself', async () => {
    onAttach = () => session.stop(STOPPED);
    await session.start();
    assert.deepEqual(notes, [STOPPED]);
    assert.equal(ends, 1);
    await eventually('the connection is closed', () => server.clients.size === 0, SOON_MS);
  });
});
