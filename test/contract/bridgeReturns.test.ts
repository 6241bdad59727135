// Covers: src/bridge, src/devtools/inPage
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { BridgeStage, SOON_MS } from './bridgeStage';

/** How often the server restarts: a few times, or twenty in the full dose. */
const RESTARTS = process.env['SIDELOAD_TEST_FULL'] === '1' ? 20 : 3;

/** The pause before each restart, in milliseconds: nine loads in ten seconds are none too many. */
const LOAD_PAUSE_MS = 1150;

/**
 * As the client of Vite 7 and 8 waits for the return of its server: a shared worker made of a blob opens sockets until one is accepted, and the
 * page is loaded again.
 */
const CLIENT = `const ping = (url) => new Promise((resolve) => {
    const socket = new WebSocket(url, 'vite-ping');
    socket.addEventListener('open', () => { resolve(true); socket.close(); });
    socket.addEventListener('error', () => resolve(false));
  });
  const waitForReturn = async (ping, url) => {
    while (!(await ping(url))) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const connect = (url) => {
    const socket = new WebSocket(url, 'vite-hmr');
    socket.addEventListener('open', () => { globalThis.isConnected = true; });
    socket.addEventListener('close', async () => {
      globalThis.isConnected = false;
      const code = '"use strict";onconnect = async ({ ports: [port] }) => { await (' + waitForReturn + ')(' + ping + ', ' + JSON.stringify(url) + '); port.postMessage({ type: "success" }); };';
      const address = URL.createObjectURL(new Blob([code], { type: 'application/javascript' }));
      const worker = new SharedWorker(address);
      worker.port.addEventListener('message', () => location.reload());
      worker.port.start();
    });
  };
  connect('ws://' + location.host + '/');`;

describe('a development server over a bridge', function () {
  this.timeout(120_000 + RESTARTS * 10_000);
  let stage: BridgeStage;

  before(async () => {
    stage = await BridgeStage.start(({ path }, response) => {
      if (path === '/loop') {
        response
          .setHeader('content-type', 'text/html')
          .end('<title>Loop</title><script>setTimeout(() => location.reload(), 100)</script>');
        return true;
      }
      if (path !== '/@vite/client.js' && path !== '/page') return false;
      const page = `<title>Page</title><script type="module" src="/@vite/client.js"></script>`;
      const type = path === '/page' ? 'text/html' : 'text/javascript';
      response.setHeader('content-type', type).end(path === '/page' ? page : CLIENT);
      return true;
    });
    await stage.load();
  });

  after(() => stage.end());

  afterEach(() => stage.stop());

  it(`has its pages come back by themselves when it returns, ${RESTARTS} times`, async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    const isConnected = async (): Promise<boolean> => {
      const connected = await page.evaluate('globalThis.isConnected').catch(() => false);
      return connected === true && stage.server.sockets.size === 1;
    };
    await eventually('the page is connected', isConnected, SOON_MS);
    for (let time = 1; time <= RESTARTS; time++) {
      // More loads than this are a storm, the first of the page among them.
      if (RESTARTS > 8) await delay(LOAD_PAUSE_MS);
      await stage.server.close();
      await eventually('the page has lost it', async () => !(await isConnected()), SOON_MS);
      await stage.server.listen();
      await eventually(`the page has come back, time ${time}`, isConnected, SOON_MS);
      assert.equal(stage.server.paths.filter((path) => path === '/page').length, 1 + time);
    }
    await stage.devtools.closePage(targetId);
    await eventually('no socket is left', () => stage.bridge?.socketCount === 0, SOON_MS);
  });

  it('answers a page no longer that loads itself again and again, and again after a change or a push', async () => {
    const started = await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/loop`);
    const count = (): number => stage.server.paths.filter((path) => path === '/loop').length;
    await eventually('it has begun', () => started.requests.latest.some(({ outcome }) => outcome === 'storm'), SOON_MS);
    const storms = started.requests.latest.filter(({ outcome }) => outcome === 'storm');
    assert.deepEqual(
      storms.map(({ address }) => address),
      [`${stage.server.origin}/loop`],
    );
    assert.equal(count(), 9);
    await started.update({});
    await page.evaluate(`location.href = '${stage.server.origin}/page'`);
    await eventually('it is answered', () => stage.server.paths.includes('/page'), SOON_MS);
    await stage.devtools.closePage(targetId);
    const other = await stage.open(`${stage.server.origin}/page`);
    const load = async (path: string): Promise<unknown> =>
      other.page.evaluate(`location.href = '${stage.server.origin}${path}'`);
    const stormCount = (): number => started.requests.latest.filter(({ outcome }) => outcome === 'storm').length;
    await load('/loop');
    await eventually('it has begun again', () => stormCount() === 2, SOON_MS);
    started.expect('/pushed');
    const before = stage.server.paths.filter((path) => path === '/page').length;
    await load('/page');
    const after = (): number => stage.server.paths.filter((path) => path === '/page').length;
    await eventually('it is answered after a push', () => after() > before, SOON_MS);
    await stage.devtools.closePage(other.targetId);
  });

  it('answers a page no longer that opens sockets again and again', async () => {
    const started = await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/plain`);
    const address = `ws://localhost:${stage.server.port}/storm`;
    const sockets = `new Promise((resolve) => {
      let opened = 0;
      const again = () => {
        const socket = new WebSocket('${address}');
        socket.onopen = () => { opened++; socket.close(); };
        socket.onclose = ({ code }) => (code === 1006 || opened > 100 ? resolve(opened) : again());
      };
      again();
    })`;
    const opened = Number(await page.evaluate(sockets));
    assert.ok(opened >= 18 && opened <= 21, `${opened} were opened`);
    const [storm] = started.requests.latest.filter(({ outcome }) => outcome === 'storm');
    assert.deepEqual(
      [storm?.address, storm?.asker],
      [`ws://localhost:${stage.server.port}/storm`, `${stage.server.origin}/plain`],
    );
    await stage.devtools.closePage(targetId);
  });

  it('has the sockets of dedicated workers made of blobs carried', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    const code = `const socket = new WebSocket('ws://localhost:${stage.server.port}/'); socket.onopen = () => socket.send('echo'); socket.onmessage = ({ data }) => { socket.close(); postMessage(data); }; socket.onerror = () => postMessage('error');`;
    const inWorker = `new Promise((resolve) => {
      const address = URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' }));
      const worker = new Worker(address, OPTIONS);
      URL.revokeObjectURL(address);
      worker.onmessage = ({ data }) => resolve(data);
    })`;
    for (const options of ['{}', `{ type: 'module' }`]) {
      assert.equal(await page.evaluate(inWorker.replace('OPTIONS', options)), 'echo', options);
    }
    await stage.devtools.closePage(targetId);
  });
});
