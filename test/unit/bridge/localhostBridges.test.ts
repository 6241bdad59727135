import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { WebSocketServer } from 'ws';
import { fieldOf } from '../../../src/base/fields';
import { LocalhostBridges } from '../../../src/bridge/localhostBridges';
import { BROWSER } from '../editor/lists/sampleBrowser';

describe('the bridges of a process', () => {
  let server: Server;
  let sockets: WebSocketServer;
  /** Lets the browser answer. */
  let answer: () => void;
  let asked: Promise<void>;

  beforeEach(async () => {
    server = createServer();
    sockets = new WebSocketServer({ server });
    const answering = new Promise<void>((resolve) => (answer = resolve));
    asked = new Promise((resolve) => {
      sockets.on('connection', (socket) => {
        socket.on('message', (message: Buffer) => {
          const { id } = JSON.parse(message.toString()) as { id: number };
          resolve();
          void answering.then(() => socket.send(JSON.stringify({ id, result: {} })));
        });
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
    server.close();
  });

  it('are all closed, also one that is being started', async () => {
    const host = `127.0.0.1:${String(fieldOf(server.address(), 'port'))}`;
    const browser = { ...BROWSER, devToolsUrl: `ws://${host}/` };
    const service = { baseUrl: new URL(`http://${host}/`), getBrowser: () => Promise.resolve(browser) };
    const bridges = new LocalhostBridges({ folder: '/.sideload/x', log: { debug: () => undefined } });
    const opening = bridges.open(service, browser, [5173]);
    await asked;
    bridges.closeAll();
    answer();
    assert.equal((await opening).isClosed, true);
    assert.deepEqual(bridges.all, []);
  });
});
