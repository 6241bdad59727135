import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium as playwright } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { WebSocket } from 'ws';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { startBareChromium, type BareChromium } from '../support/bareChromium';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';
import { residentMib } from './processes';
import { TestService } from './service';

const CLIENTS = 100;
const EVENTS = 150;
/** How long what is certain to happen may take, in milliseconds. */
const SOON_MS = 30_000;
const EVENT_BYTES = 2 * 1024 * 1024;
/** How long the page may take to say all of it on a busy machine, in milliseconds. */
const SAID_LIMIT_MS = 150_000;
/** The pause between two looks at the memory of the service, in milliseconds. */
const POLL_MS = 20;
/** What a client that does not read may take: what may be unsent, and what arrives meanwhile. Said is 300 MiB. */
const SLOW_LIMIT_MIB = 230;
const PAGE = 'data:text/html,<title>shown</title><button onclick="this.textContent=21*2">press</button>';

type Fields = Record<string, unknown>;

/** Sends texts one after the other, and gives the message that answers each. */
async function transcript(url: string, texts: readonly string[]): Promise<Fields[]> {
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  const answers: Fields[] = [];
  for (const text of texts) {
    const answered = new Promise<Fields>((resolve) => {
      const look = (data: Buffer): void => {
        const message = JSON.parse(data.toString('utf8')) as Fields;
        if ('method' in message) return;
        socket.off('message', look);
        resolve(message);
      };
      socket.on('message', look);
    });
    socket.send(text);
    answers.push(await answered);
  }
  socket.close();
  return answers;
}

/** A text without what differs between two browsers: ids of targets and sessions. */
function withoutIds(answers: readonly Fields[]): unknown {
  return JSON.parse(JSON.stringify(answers).replace(/"(?:[0-9A-F]{32}|[0-9a-f-]{36})"/g, '"id"'));
}

describe('a client of DevTools', function () {
  this.timeout(90_000);
  let service: TestService;
  let folder: string;
  let bare: BareChromium;
  let id: string;
  let url: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-bare-'));
    [service, bare] = await Promise.all([
      TestService.start(),
      startBareChromium(String(await findBrowser()), path.join(folder, 'profile')),
    ]);
    const session = await service.client.browsers.create({ timeout_seconds: 600 });
    id = session.session_id;
    url = session.cdp_ws_url;
  });
  after(async () => {
    await Promise.allSettled([service.stop(), bare.stop()]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('gets the same answers as from a Chromium with a port', async () => {
    const texts = [
      '{"id":1,"method":"Browser.getVersion"}',
      '{ "params": {}, "method":"Target.getTargetInfo", "id": 2147483647 }',
      '{"id":-3,"method":"Target.getBrowserContexts"}',
      '{"id":4,"method":"No.such"}',
      '{"id":5,"method":"Target.attachToTarget","params":{"targetId":"none","flatten":true}}',
      '{"id":6,"method":"Runtime.evaluate","params":{"expression":"1"}}',
      '{"id":7,"method":"Runtime.evaluate","sessionId":"0123456789ABCDEF0123456789ABCDEF"}',
      '{"id":8,"method":"Target.attachToBrowserTarget"}',
      '{"id":9,"method":"Target.setDiscoverTargets","params":{"discover":"yes"}}',
      '{"id":10,"method":"Target.detachFromTarget","params":{"sessionId":"0123456789ABCDEF0123456789ABCDEF"}}',
      '{"id":11,"method":"SystemInfo.getFeatureState","params":{"featureState":"x"}}',
    ];
    const [direct, shared] = await Promise.all([transcript(bare.url, texts), transcript(url, texts)]);
    assert.deepEqual(withoutIds(shared), withoutIds(direct));
  });

  it('gets an error for what is no command, as from a Chromium with a port', async () => {
    const texts = [
      '5',
      '[]',
      'null',
      '{"method":"Browser.getVersion"}',
      '{"id":"1","method":"Browser.getVersion"}',
      '{"id":1,"method":5}',
      '{"id":1,"method":"Browser.getVersion","more":1}',
      '{"id":1,"method":"Browser.getVersion","params":5}',
      '{"id":2147483648,"method":"Browser.getVersion"}',
      '{"id":1,"method":"Browser.getVersion","sessionId":5}',
    ];
    const [direct, shared] = await Promise.all([transcript(bare.url, texts), transcript(url, texts)]);
    assert.deepEqual(shared, direct);
    const codes = (answers: readonly Fields[]) => answers.map(({ error }) => (error as Fields)['code']);
    const broken = ['{', '', 'x\0'];
    assert.deepEqual(codes(await transcript(url, broken)), codes(await transcript(bare.url, broken)));
  });

  for (const which of ['a Chromium with a port', 'the local service']) {
    const endpoint = (): string => (which === 'the local service' ? url : bare.url);

    it(`can be puppeteer, with ${which}`, async () => {
      const browser = await puppeteer.connect({ browserWSEndpoint: endpoint() });
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        void (request.url() === 'https://example.test/'
          ? request.respond({ contentType: 'text/html', body: '<title>intercepted</title>' })
          : request.continue());
      });
      await page.goto('https://example.test/');
      assert.equal(await page.title(), 'intercepted');
      await page.exposeFunction('twice', (value: number) => value * 2);
      assert.equal(await page.evaluate('twice(21)'), 42);
      await page.goto(PAGE);
      await page.click('button');
      assert.equal(await page.evaluate("document.querySelector('button').textContent"), '42');
      assert((await page.screenshot()).byteLength > 1000);
      await context.close();
      await browser.disconnect();
    });

    it(`can be Playwright, with ${which}`, async () => {
      const browser = await playwright.connectOverCDP(endpoint());
      const context = await browser.newContext({ viewport: { width: 400, height: 300 } });
      const page = await context.newPage();
      await page.route('https://example.test/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<title>routed</title><iframe srcdoc="inner"></iframe>' }),
      );
      await page.goto('https://example.test/');
      assert.equal(await page.title(), 'routed');
      assert.equal(await page.frames()[1]?.evaluate('document.body.textContent'), 'inner');
      await page.goto(PAGE);
      await page.getByRole('button').click();
      assert.equal(await page.getByRole('button').textContent(), '42');
      const session = await browser.newBrowserCDPSession();
      assert.match((await session.send('Browser.getVersion')).product, /Chrome/);
      await context.close();
      await browser.close();
    });

    it(`can debug as js-debug does: by a second session with the browser, and a breakpoint, with ${which}`, async () => {
      const devtools = await DevTools.connect(endpoint());
      const { sessionId: root } = await devtools.result('Target.attachToBrowserTarget');
      await devtools.result('Target.setDiscoverTargets', { discover: true }, String(root));
      const { targetId } = await devtools.result('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await devtools.result('Target.attachToTarget', { targetId, flatten: true }, String(root));
      const page = String(sessionId);
      const autoAttach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
      await devtools.result('Target.setAutoAttach', autoAttach, page);
      await devtools.result('Debugger.enable', {}, page);
      const paused = devtools.event('Debugger.paused', page);
      const evaluated = devtools.result('Runtime.evaluate', { expression: 'debugger; 21 * 2' }, page);
      assert.equal(((await paused)['params'] as Fields)['reason'], 'other');
      await devtools.result('Debugger.resume', {}, page);
      assert.deepEqual(((await evaluated)['result'] as Fields)['value'], 42);
      const attached = devtools.event('Target.attachedToTarget', page);
      const expression = `new Worker('data:text/javascript,postMessage(1)').onmessage = () => { globalThis.said = 1 }`;
      await devtools.result('Runtime.evaluate', { expression }, page);
      const worker = String(((await attached)['params'] as Fields)['sessionId']);
      await devtools.result('Runtime.runIfWaitingForDebugger', {}, worker);
      await eventually(
        'the worker has run',
        async () => {
          const { result } = await devtools.result('Runtime.evaluate', { expression: 'globalThis.said' }, page);
          return (result as Fields)['value'] === 1;
        },
        SOON_MS,
      );
      await devtools.closePage(String(targetId));
      devtools.close();
    });
  }

  it(`is one of ${CLIENTS} at once, each with its own numbers, sessions and events`, async () => {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => DevTools.connect(url)));
    const [first, , third] = clients;
    assert(first && third);
    const events = clients.map((client) => {
      const seen: string[] = [];
      client.socket.on('message', (data: Buffer) => {
        const { method, params } = JSON.parse(data.toString('utf8')) as Fields;
        if (method === 'Runtime.consoleAPICalled') seen.push(JSON.stringify(params));
      });
      return seen;
    });
    const { targetId } = await first.result('Target.createTarget', { url: 'about:blank' });
    const values = await Promise.all(
      clients.map(async (client, at) => {
        const page = await client.attachTo(String(targetId));
        if (at === 1) await client.result('Runtime.enable', {}, page.sessionId);
        return page.evaluate(`${at} * 2`);
      }),
    );
    assert.deepEqual(
      values,
      clients.map((_client, at) => at * 2),
    );
    await (await third.attachTo(String(targetId))).evaluate('console.log("once")');
    await eventually('the second client has the line', () => Promise.resolve(events[1]?.length === 1), SOON_MS);
    assert.deepEqual(
      events.map((seen) => seen.length),
      clients.map((_client, at) => (at === 1 ? 1 : 0)),
    );
    await first.closePage(String(targetId));
    for (const client of clients) client.close();
  });

  it('receives a screencast while others work', async () => {
    const [viewer, worker] = await Promise.all([DevTools.connect(url), DevTools.connect(url)]);
    const { targetId } = await viewer.result('Target.createTarget', { url: 'about:blank' });
    const page = await viewer.attachTo(String(targetId));
    await page.show(PAGE);
    let frames = 0;
    viewer.socket.on('message', (data: Buffer) => {
      const { method, params, sessionId } = JSON.parse(data.toString('utf8')) as Fields;
      if (method !== 'Page.screencastFrame') return;
      assert.equal(sessionId, page.sessionId);
      frames += 1;
      const ack = { sessionId: (params as Fields)['sessionId'] };
      viewer.call('Page.screencastFrameAck', ack, page.sessionId).catch(() => undefined);
    });
    await page.evaluate(
      `let n = 0; setInterval(() => { document.body.style.background = 'hsl(' + (n += 9) + ',90%,50%)' }, 15)`,
    );
    await viewer.result('Page.startScreencast', { format: 'png' }, page.sessionId);
    let turns = 0;
    await eventually(
      '30 frames have come',
      async () => {
        await worker.result('Browser.getVersion');
        turns += 1;
        return frames >= 30;
      },
      SOON_MS,
    );
    assert(turns > 0);
    await viewer.closePage(String(targetId));
    viewer.close();
    worker.close();
  });

  it('leaves nothing behind: a page that it has paused runs on when it goes', async () => {
    const [pausing, other] = await Promise.all([DevTools.connect(url), DevTools.connect(url)]);
    const { targetId } = await other.result('Target.createTarget', { url: 'about:blank' });
    const page = await pausing.attachTo(String(targetId));
    await pausing.result(
      'Emulation.setDeviceMetricsOverride',
      { width: 111, height: 99, deviceScaleFactor: 1, mobile: false },
      page.sessionId,
    );
    await pausing.result('Debugger.enable', {}, page.sessionId);
    const paused = pausing.event('Debugger.paused', page.sessionId);
    const seen = await other.attachTo(String(targetId));
    const answer = seen.evaluate('debugger; 1');
    await paused;
    pausing.close();
    assert.equal(await answer, 1);
    await eventually('the emulation has ended', async () => (await seen.evaluate('innerWidth')) !== 111, SOON_MS);
    await other.closePage(String(targetId));
    other.close();
  });

  it('that does not read is cut off, and keeps nobody else waiting', async () => {
    const [slow, other] = await Promise.all([DevTools.connect(url), DevTools.connect(url)]);
    const page = await slow.attachToPage();
    await slow.result('Runtime.enable', {}, page.sessionId);
    await slow.result('Runtime.addBinding', { name: 'say' }, page.sessionId);
    const before = await residentMib(service.pid);
    slow.socket.pause();
    // Events, which the service cannot hold back at their source, as it does with further commands.
    const seen = await other.attachToPage();
    let isSaid = false;
    const all = `for (let at = 0; at < ${EVENTS}; at += 1) say('x'.repeat(${EVENT_BYTES}))`;
    const said = seen.evaluate(all, SAID_LIMIT_MS).then(() => {
      isSaid = true;
    });
    let peak = 0;
    // Rejects when the page cannot say it: otherwise this loop would go on until the limit of the test.
    said.catch(() => (isSaid = true));
    while (!isSaid) {
      await other.result('Browser.getVersion');
      peak = Math.max(peak, await residentMib(service.pid));
      // Without a pause, this loop would take the time that the page and the service need.
      await delay(POLL_MS);
    }
    await said;
    const grown = peak - before;
    assert(grown < SLOW_LIMIT_MIB, `the service grew by ${grown.toFixed(0)} MiB`);
    let isCutOff = false;
    void slow.closed.then(() => (isCutOff = true));
    slow.socket.resume();
    await eventually('the client that does not read is cut off', () => isCutOff, SOON_MS);
    other.close();
  }).timeout(SAID_LIMIT_MS + SOON_MS);

  it('ends the browser by Browser.close, and only that', async () => {
    const second = await service.client.browsers.create({ timeout_seconds: 600 });
    const [closing, other] = await Promise.all([DevTools.connect(second.cdp_ws_url), DevTools.connect(url)]);
    await closing.result('Browser.close');
    await closing.closed;
    await other.result('Browser.getVersion');
    await eventually(
      'the session has ended',
      async () => {
        const { status } = await service.request(`/browsers/${second.session_id}`);
        return status === 404;
      },
      SOON_MS,
    );
    assert.equal((await service.request(`/browsers/${id}`)).status, 200);
    other.close();
  });
});
