import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { Bridge } from '../../../src/bridge/bridge';
import { fieldOf, listField } from '../../../src/base/fields';
import { ScriptedBrowser } from '../../standins/scriptedBrowser';
import { IN_MEMORY } from '../../support/devToolsAddress';
import { eventually } from '../../support/eventually';
import { TestClock } from '../../support/testClock';

/** How long what goes over real sockets of this machine may take, in milliseconds. */
const SOON_MS = 5000;

describe('a bridge', () => {
  let clock: TestClock;
  let browser: ScriptedBrowser;
  let bridge: Bridge;

  beforeEach(async () => {
    clock = new TestClock();
    browser = new ScriptedBrowser();
    bridge = await Bridge.start(
      {
        address: () => Promise.resolve(IN_MEMORY),
        ports: [5173],
        extensionIds: [],
        log: { debug: () => undefined },
        forward: { host: '127.0.0.1' },
      },
      { open: () => Promise.resolve(browser), clock },
    );
  });

  afterEach(() => {
    bridge.close();
  });

  /** The addresses that the browser asks for, as it was told last. */
  const asked = (): unknown => {
    const enabled = browser.received.findLast(
      ({ method, target }) => method === 'Fetch.enable' && target === undefined,
    );
    return listField(enabled?.params, 'patterns').map((pattern) => fieldOf(pattern, 'urlPattern'));
  };

  it('answers other ports at once', async () => {
    assert.deepEqual(asked(), ['http://localhost:5173/*', 'http://127.0.0.1:5173/*', 'http://[::1]:5173/*']);
    await bridge.update({ ports: [80] });
    assert.deepEqual(asked(), ['http://localhost/*', 'http://127.0.0.1/*', 'http://[::1]/*']);
  });

  it('answers ports that were set while it connected again', async () => {
    let answer = (): void => assert.fail('the browser is asked');
    browser.on('Fetch.enable', () => new Promise((resolve) => (answer = () => resolve({}))));
    browser.lose();
    await clock.advance(300);
    assert.equal(bridge.isConnected, false);
    await bridge.update({ ports: [8080] });
    browser.on('Fetch.enable', () => ({}));
    answer();
    await clock.idle();
    assert.equal(bridge.isConnected, true);
    assert.deepEqual(asked(), ['http://localhost:8080/*', 'http://127.0.0.1:8080/*', 'http://[::1]:8080/*']);
  });

  describe('that carries event sources', () => {
    let server: Server;
    let origin: string;
    /** What the server was asked, and has not ended. */
    let open: Set<ServerResponse>;

    beforeEach(async () => {
      open = new Set();
      server = createServer(({ url }, response) => {
        open.add(response);
        response.once('close', () => open.delete(response));
        if (url === '/events')
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n');
        else if (url === '/page') response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const port = Number(fieldOf(server.address(), 'port'));
      origin = `http://localhost:${port}`;
      await bridge.update({ ports: [port] });
      browser.show('page', `${origin}/`);
    });

    afterEach(() => {
      server.closeAllConnections();
      server.close();
    });

    const ask = (path: string, resourceType = 'XHR'): void => {
      const headers = resourceType === 'XHR' ? { accept: 'text/event-stream' } : {};
      const request = { url: `${origin}${path}`, method: 'GET', headers };
      browser.event('Fetch.requestPaused', { requestId: path, frameId: 'page', resourceType, request });
    };
    /** How often the browser was answered. */
    const answers = (): number => browser.received.filter(({ method }) => method === 'Fetch.fulfillRequest').length;

    it('leaves the server once the browser waits no longer, for a stream that is open or is asked for', async () => {
      ask('/late');
      ask(`${bridge.shim.folder}/events?url=${encodeURIComponent(`${origin}/late`)}`);
      ask('/events');
      await eventually('the first events have come', () => answers() === 1, SOON_MS);
      ask('/events');
      browser.on('Fetch.getResponseBody', () => new Error('Can only get response body of an answer.'));
      await clock.advance(5000);
      assert.equal(open.size, 3);
      browser.on('Fetch.getResponseBody', () => new Error('Invalid InterceptionId.'));
      await clock.advance(2000);
      await eventually('the server has none', () => open.size === 0 && bridge.socketCount === 0, SOON_MS);
    });

    it('asks the server again for a page that takes the place of one, and leaves the stream of that', async () => {
      ask('/events');
      await eventually('the first events have come', () => answers() === 1, SOON_MS);
      const [first] = open;
      ask('/page', 'Document');
      await eventually('the page is answered', () => answers() === 2, SOON_MS);
      ask('/events');
      await eventually('the events come again', () => answers() === 3, SOON_MS);
      assert.ok(first && !open.has(first));
    });
  });
});
