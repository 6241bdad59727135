// Covers: src/bridge, src/devtools/inPage/socketCalls.ts
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { withSocketShim } from '../../src/bridge/socketShim';
import { eventually } from '../support/eventually';
import { BridgeStage, SOON_MS } from './bridgeStage';

/** How long a connection may stay at the server after its page has gone, in milliseconds. */
const GONE_MS = 3000;

/** The same where the browser has to be asked, in milliseconds: less than a request is held. */
const ASKED_GONE_MS = 20_000;

/** The script of a page or worker with an event source: it records each event in a list. */
const SCRIPT = `globalThis.said = [];
  globalThis.listen = (url) => {
    const source = (globalThis.source = new EventSource(url));
    const say = (text) => globalThis.said.push(text);
    source.onopen = () => say('open ' + source.readyState + ' ' + (source instanceof EventSource));
    source.onmessage = ({ data, lastEventId, origin }) => say('message ' + data + ' ' + lastEventId + ' ' + origin);
    source.addEventListener('built', ({ data, type }) => say(type + ' ' + data));
    source.onerror = () => say('error ' + source.readyState);
    return 'listens';
  };`;

describe('server-sent events over a bridge', function () {
  this.timeout(120_000);
  let stage: BridgeStage;
  /** Those that were asked for and are not answered yet. */
  const unanswered: ServerResponse[] = [];
  /** The streams that are open, the newest last. */
  const streams = new Set<ServerResponse>();
  const asked: { lastId: string | undefined; cookie: string | undefined }[] = [];

  before(async () => {
    stage = await BridgeStage.start(({ path, headers }, response) => {
      if (path === '/events') {
        asked.push({ lastId: headers['last-event-id'] as string | undefined, cookie: headers.cookie });
        response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': 'seen=1' }).flushHeaders();
        streams.add(response);
        response.on('close', () => streams.delete(response));
      } else if (path === '/late') unanswered.push(response);
      else if (path === '/none') response.writeHead(204).end();
      else if (path === '/page') {
        const page = `<title>Events</title><script>document.cookie = 'own=1'; ${SCRIPT}</script>`;
        response.setHeader('content-type', 'text/html').end(page);
      } else if (path === '/worker.js') {
        response.setHeader('content-type', 'text/javascript').end(`${SCRIPT}
          globalThis.onmessage = ({ data }) => postMessage(data === 'said' ? globalThis.said : globalThis.listen(data));`);
      } else return false;
      return true;
    });
    await stage.load();
  });

  after(() => stage.end());

  beforeEach(() => {
    asked.length = 0;
    unanswered.length = 0;
    streams.clear();
  });

  afterEach(() => stage.stop());

  const newest = async (): Promise<ServerResponse> => {
    await eventually('the server is asked for events', () => streams.size > 0, SOON_MS);
    return [...streams].at(-1) ?? assert.fail('there is a stream');
  };
  const listen = `globalThis.listen('/events')`;

  it('come to a page in their order, with names and ids, and go on after the server has ended the stream', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    await page.evaluate(listen);
    const first = await newest();
    first.write('retry: 20\n\n');
    const texts = Array.from({ length: 20 }, (_, at) => `id: ${at}\ndata: ${at}\n\n`);
    for (const text of texts) first.write(text);
    first.write('event: built\ndata: {"hash":1}\n\n');
    first.end();
    await eventually('it is asked again', () => asked.length === 2, SOON_MS);
    assert.deepEqual(
      asked.map(({ lastId }) => lastId),
      [undefined, '19'],
    );
    (await newest()).write('data: again\n\n');
    const { origin } = stage.server;
    const expected = [
      'open 1 true',
      ...texts.map((_, at) => `message ${at} ${at} ${origin}`),
      'built {"hash":1}',
      'error 0',
      'open 1 true',
      `message again 19 ${origin}`,
    ];
    const said = async (): Promise<unknown> => page.evaluate('globalThis.said');
    await eventually(said, async () => ((await said()) as unknown[]).length === expected.length, SOON_MS);
    assert.deepEqual(await said(), expected);
    assert.match(String(asked[0]?.cookie), /own=1/);
    await stage.devtools.closePage(targetId);
    await eventually('the server has no stream', () => streams.size === 0, GONE_MS);
  });

  it('end with the event source, and with a page that is loaded again', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    await page.evaluate(listen);
    await newest();
    await page.evaluate('globalThis.source.close()');
    await eventually('the server has no stream', () => streams.size === 0, GONE_MS);
    assert.equal(await page.evaluate('globalThis.source.readyState'), 2);
    await page.evaluate(listen);
    await newest();
    await eventually(
      'the page has it',
      async () => (await page.evaluate('globalThis.source.readyState')) === 1,
      SOON_MS,
    );
    await page.evaluate('location.reload()');
    await eventually('the server has no stream', () => streams.size === 0, GONE_MS);
    assert.equal(stage.bridge?.socketCount, 0);
    await stage.devtools.closePage(targetId);
  });

  it('end with an event source, and a page that is loaded again, which the server has not answered at all', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    for (const how of ['globalThis.source.close()', 'location.reload()']) {
      await page.evaluate(`globalThis.listen('/late')`);
      await eventually('the server is asked for events', () => unanswered.length === 1, SOON_MS);
      const gone = once(unanswered.pop() ?? assert.fail('it is asked'), 'close', {
        signal: AbortSignal.timeout(GONE_MS),
      });
      await page.evaluate(how);
      await gone;
    }
    assert.equal(stage.bridge?.socketCount, 0);
    await stage.devtools.closePage(targetId);
  });

  it('are given up after an answer that is none, and asked for again while the server is down', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    const said = async (): Promise<unknown> => page.evaluate('globalThis.said');
    await page.evaluate(`globalThis.listen('/none')`);
    await eventually(said, async () => ((await said()) as unknown[]).includes('error 2'), SOON_MS);
    await page.evaluate('globalThis.said = []');
    await page.evaluate(listen);
    const stream = await newest();
    stream.write('retry: 50\n\ndata: one\n\n');
    await eventually(said, async () => ((await said()) as unknown[]).length === 2, SOON_MS);
    await stage.server.close();
    await eventually(said, async () => ((await said()) as unknown[]).length > 4, SOON_MS);
    await stage.server.listen();
    (await newest()).write('data: two\n\n');
    await eventually(said, async () => String(await said()).includes('message two'), SOON_MS);
    await stage.devtools.closePage(targetId);
  });

  /** Has a page take the event sources of another realm, in which nothing is carried. */
  const takeReal = `(() => { const frame = document.createElement('iframe'); document.body.append(frame); globalThis.EventSource = frame.contentWindow.EventSource; })()`;

  it('end with a source of the browser itself, and with a worker that its page has ended', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    await page.evaluate(`(globalThis.worker = new Worker('/worker.js')).postMessage('/events')`);
    await newest();
    await page.evaluate('globalThis.worker.terminate()');
    await eventually('the server has no stream', () => streams.size === 0, ASKED_GONE_MS);
    await page.evaluate(takeReal);
    await page.evaluate(listen);
    await newest();
    await page.evaluate('globalThis.source.close()');
    await eventually('the server has no stream', () => streams.size === 0, ASKED_GONE_MS);
    assert.equal(stage.bridge?.socketCount, 0);
    await stage.devtools.closePage(targetId);
  });

  it('come to a source of the browser itself, with nothing lost between two answers', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    await page.evaluate(takeReal);
    await page.evaluate(listen);
    const stream = await newest();
    const told = 'event: built\nid: 1\ndata: two\ndata: lines\n\n';
    for (let at = 0; at < 10; at++) {
      stream.write(`id: ${at}\ndata: ${at}\n\n`);
      await delay(at * 10);
    }
    stream.write(told);
    const events = async (): Promise<string[]> =>
      ((await page.evaluate('globalThis.said')) as string[]).filter((text) => /^(?:message|built)/.test(text));
    await eventually(events, async () => (await events()).length === 11, SOON_MS);
    const { origin } = stage.server;
    assert.deepEqual(await events(), [
      ...Array.from({ length: 10 }, (_, at) => `message ${at} ${at} ${origin}`),
      'built two\nlines',
    ]);
    assert.equal(asked.length, 1, 'The stream of the server goes on.');
    await stage.devtools.closePage(targetId);
    await eventually('the server has no stream', () => streams.size === 0, GONE_MS);
  });

  it('come to workers', async () => {
    const started = await stage.startBridge();
    const { page, targetId } = await stage.open(`${stage.server.origin}/page`);
    const inWorker = (message: string): Promise<unknown> =>
      page.evaluate(
        `new Promise((resolve) => { (globalThis.worker ??= new Worker('/worker.js')).onmessage = ({ data }) => resolve(data); globalThis.worker.postMessage('${message}'); })`,
      );
    await inWorker('/events');
    (await newest()).write('data: worker\n\n');
    await eventually('it has come', async () => String(await inWorker('said')).includes('message worker'), SOON_MS);
    await page.evaluate('globalThis.worker.terminate()');
    await stage.devtools.closePage(targetId);
    const id = await stage.load({}, withSocketShim(SCRIPT, started.shim));
    await started.update({ extensionIds: [id] });
    await stage.extensions.untilDefined(id, 'listen');
    assert.equal(await stage.extensions.inWorker(id, `globalThis.listen('${stage.server.origin}/events')`), 'listens');
    await eventually('its stream is open', () => asked.length === 2, SOON_MS);
    (await newest()).write('data: service\n\n');
    const said = (): Promise<unknown> => stage.extensions.inWorker(id, 'globalThis.said');
    await eventually(said, async () => String(await said()).includes('message service'), SOON_MS);
  });
});
