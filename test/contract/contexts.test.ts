import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { withExtensionPage } from '../../src/devtools/protocol/extensionPage';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { type ExtensionContexts, listContexts } from '../../src/devtools/extensions/contexts';
import { BrowserLink } from '../../src/devtools/connection/link';
import { openSurface } from '../../src/devtools/extensions/surfaces';
import { closeTab, reloadTabs } from '../../src/devtools/pages/tabs';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { TestService } from './service';
import { surfaceExtension } from './surfaceExtension';
import { addressOf } from '../support/devToolsAddress';

/** How long a change may take until the event of it was followed by a reading, in milliseconds. */
const SOON_MS = 30_000;

/** How long nothing must happen to count as the end of what was going on, in milliseconds. */
const QUIET_MS = 3000;

/** How long reloaded pages may take, in milliseconds. */
const RELOAD_MS = 2500;

/** How long Chromium lets a worker live without an event, at most, in milliseconds (measured: 29 to 31 s). */
const SLEEP_LIMIT_MS = 45_000;

describe('where the code of an extension runs', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: ServiceClient;
  let link: BrowserLink;
  let web: Server;
  let remove: () => Promise<void>;
  let id: string;
  /** What was read last: at each event of the browser, as the rows are, and at no other time. */
  let seen: ExtensionContexts = { worker: undefined, pages: [], contentScriptTabs: [] };
  let readings = 0;

  before(async () => {
    service = await TestService.start();
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
    const browser = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const read = (): void => {
      readings += 1;
      listContexts(link, id).then(
        (contexts) => (seen = contexts),
        () => undefined,
      );
    };
    link = await BrowserLink.open(addressOf(browser), { onPages: read, onWorker: read });
    await link.prepare();
    const extension = await surfaceExtension();
    ({ remove } = extension);
    id = await loadUnpacked(link.connection, extension.folder);
    web = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<title>A web page</title><iframe src="chrome-extension://${id}/frame.html"></iframe>`);
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
  });

  after(async () => {
    link.close();
    web.close();
    await client.close();
    await service.stop();
    await remove();
  });

  /** The rows in short: the state of the worker, the kind and title of each page, and the titles of tabs with content scripts. */
  const shown = ({ worker, pages, contentScriptTabs }: ExtensionContexts): string[] => [
    `worker ${worker?.status ?? 'none'}`,
    ...pages.map(({ kind, title, url }) => `${kind} ${title === url ? new URL(url).pathname : title}`),
    ...contentScriptTabs.map(({ title }) => `content script ${title}`),
  ];

  async function shows(...expected: readonly string[]): Promise<void> {
    await eventually(
      () => `${expected.join(', ')} instead of ${shown(seen).join(', ')}`,
      () => shown(seen).join() === expected.join(),
      SOON_MS,
    );
  }

  const call = (expression: string): Promise<unknown> =>
    withExtensionPage(link.connection, id, (page) => evaluate(page, expression));

  /** Closes the pages of these kinds, all at once: one may close another with it. The caller looks at what is left. */
  async function close(...kinds: readonly string[]): Promise<void> {
    const { pages } = await listContexts(link, id);
    const closed = pages.filter(({ kind }) => kinds.includes(kind));
    assert.equal(closed.length, kinds.length);
    await Promise.allSettled(closed.map((page) => closeTab(link.connection, page)));
  }

  it('is its worker, and its hidden pages in Sideload are not shown', async () => {
    await shows('worker running');
    await call('1');
    assert.deepEqual(shown(await listContexts(link, id)), ['worker running']);
  });

  it('are popup, side panel, options and offscreen document, as they come and go', async () => {
    assert.equal((await openSurface(link, id, 'popup')).as, 'itself');
    await shows('worker running', 'popup The popup');
    await close('popup');
    await shows('worker running');
    assert.equal((await openSurface(link, id, 'sidePanel')).as, 'itself');
    assert.equal((await openSurface(link, id, 'options')).as, 'itself');
    const offscreen = JSON.stringify({ url: 'offscreen.html', reasons: ['BLOBS'], justification: 'a test' });
    await call(`chrome.offscreen.createDocument(${offscreen})`);
    const all = ['options The options', 'sidePanel The panel', 'offscreen Offscreen'];
    await shows('worker running', ...all);
    await reloadTabs(link.connection, seen.pages);
    // While they are loaded, the pages come and go.
    await delay(RELOAD_MS);
    await shows('worker running', ...all);
    await close('sidePanel', 'offscreen', 'options');
    await shows('worker running');
  });

  it('are pages in tabs and frames, and the tabs that run its content scripts', async () => {
    const address = web.address();
    assert(typeof address === 'object' && address);
    const { targetId } = await link.connection.send('Target.createTarget', {
      url: `http://127.0.0.1:${address.port}/`,
    });
    await shows('worker running', 'frame /frame.html', 'content script A web page');
    await link.connection.send('Target.createTarget', { url: `chrome-extension://${id}/other.html#part` });
    await shows('worker running', 'tab Another page', 'frame /frame.html', 'content script A web page');
    const [, frame] = seen.pages;
    assert(frame);
    await reloadTabs(link.connection, [frame]);
    await shows('worker running', 'tab Another page', 'frame /frame.html', 'content script A web page');
    await closeTab(link.connection, { targetId, url: '' });
    await shows('worker running', 'tab Another page');
    await close('tab');
    await shows('worker running');
  });

  it('is a worker that was stopped, and wakes', async () => {
    const workers = await link.workers();
    assert(workers);
    assert(await workers.stop(id));
    await shows('worker stopped');
    assert(seen.worker?.since !== undefined && Date.now() - seen.worker.since < SOON_MS);
    assert(await workers.start(id));
    await shows('worker running');
  });

  it('is none where its script fails', async () => {
    const broken = await surfaceExtension({ 'worker.js': 'throw new Error("at the start");' });
    try {
      const failed = await loadUnpacked(link.connection, broken.folder);
      const status = async (): Promise<string | undefined> => (await listContexts(link, failed)).worker?.status;
      await eventually('the worker has failed', async () => (await status()) === 'failed', SOON_MS);
      await link.connection.send('Extensions.uninstall', { id: failed });
    } finally {
      await broken.remove();
    }
  });

  it('costs no reading by itself: a page whose title changes all the time is read as often as the browser reports it', async () => {
    const clock = 'data:text/html,<script>let n = 0; setInterval(() => { document.title = `at ${n++}`; }, 20)</script>';
    const { targetId } = await link.connection.send('Target.createTarget', { url: clock });
    // What opening the page has caused is over, also on a busy machine.
    let before = -1;
    const isQuiet = async (): Promise<boolean> => {
      before = readings;
      await delay(QUIET_MS);
      return readings === before;
    };
    await eventually('nothing is read any more', isQuiet, SOON_MS);
    await listContexts(link, id);
    await delay(QUIET_MS);
    assert.equal(readings, before);
    await closeTab(link.connection, { targetId, url: clock });
  });

  it('is a worker that falls asleep while it is looked at', async () => {
    const workers = await link.workers();
    assert(workers);
    await workers.stop(id);
    await workers.start(id);
    const began = performance.now();
    const look = setInterval(() => {
      listContexts(link, id).then(
        (contexts) => (seen = contexts),
        () => undefined,
      );
    }, 2000);
    try {
      await eventually('the worker is asleep', () => seen.worker?.status === 'asleep', SLEEP_LIMIT_MS);
      assert(performance.now() - began > 20_000, 'it has ended too soon to have been idle');
    } finally {
      clearInterval(look);
    }
  });
});
