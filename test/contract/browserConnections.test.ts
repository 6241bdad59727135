import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { listTabs } from '../../src/devtools/pages/tabs';
import { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { eventually } from '../support/eventually';
import { DevTools } from './devtools';
import { TestService } from './service';

/** Idle time of a connection that a test expects to be closed, and pause between two passive uses, in milliseconds. */
const IDLE_MS = 1500;
const LOOK_MS = 300;

/** Longer than the time from a page change to its last event, in milliseconds. */
const AFTER_EVENTS_MS = 2500;

/** Longer than any test, in milliseconds. */
const LONG_MS = 60_000;

/** How long what a browser reports may take, in milliseconds. */
const SOON_MS = 30_000;

describe('the connections to browsers', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: ServiceClient;
  let browser: Browser;
  let browsers: BrowserConnections;
  /** The titles of the tabs, read at each event of the connections and at no other time. */
  let seen: string[];
  /** How long a connection is kept without use, in milliseconds. */
  let idleMs: number;

  before(async () => {
    service = await TestService.start();
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
    browser = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
  });

  beforeEach(() => {
    seen = [];
    idleMs = LONG_MS;
    const read = async (): Promise<void> => {
      seen = await titles();
    };
    browsers = new BrowserConnections(client.baseUrl, () => idleMs, { onPages: () => void read() });
  });

  afterEach(() => {
    browsers.dispose();
  });

  after(async () => {
    await client.close();
    await service.stop();
  });

  const titles = (): Promise<string[]> =>
    browsers.usePassively(browser, async (link) => (await listTabs(link)).map(({ title }) => title));

  it('report pages that another client opens and closes, and again when they have their titles', async () => {
    await browsers.use(browser, (link) => link.prepare());
    const others = await DevTools.connect(browser.devToolsUrl);
    try {
      const open = async (text: string): Promise<unknown> =>
        (await others.result('Target.createTarget', { url: `data:text/html,${text}` }))['targetId'];
      const sees = (title: string, isThere: boolean): Promise<void> =>
        eventually(
          () => `${title} in ${seen.join(', ')}`,
          () => seen.includes(title) === isThere,
          SOON_MS,
        );
      await open('<title>first</title>');
      await sees('first', true);
      assert.deepEqual(seen, ['about:blank', 'first']);
      const targetId = await open('<script>setTimeout(() => { document.title = "late"; }, 900)</script>');
      await sees('late', true);
      await others.closePage(String(targetId));
      await sees('late', false);
    } finally {
      others.close();
    }
  });

  it('are closed on time although they are used passively and pages change, and opened by the next such use', async () => {
    idleMs = IDLE_MS;
    await browsers.use(browser, ({ connection }) => connection.send('Target.createTarget', { url: 'about:blank' }));
    const begun = performance.now();
    let last = begun;
    while (performance.now() < begun + IDLE_MS - 2 * LOOK_MS) {
      last = performance.now();
      await titles();
      await delay(LOOK_MS);
    }
    // Had the last passive use counted, the connection would still be open then.
    while (browsers.isOpen(browser.id) && performance.now() < last + IDLE_MS) await delay(LOOK_MS / 4);
    assert.ok(performance.now() < last + IDLE_MS, 'it is open for longer than without passive uses');
    await delay(AFTER_EVENTS_MS);
    assert.equal(browsers.isOpen(browser.id), false, 'an event has opened it');
    await titles();
    assert.equal(browsers.isOpen(browser.id), true);
  });
});
