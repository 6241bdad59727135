import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { listTabs } from '../../src/devtools/tabs';
import { BrowserConnections } from '../../src/push/browsers';
import { parseBaseUrl } from '../../src/service/address';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/log';
import type { BrowserSession } from '../../src/service/model';
import { eventually } from '../support/eventually';
import { DevTools } from './devtools';
import { TestService } from './service';

/** How long a connection is kept without use, and between two looks, in milliseconds. */
const IDLE_MS = 1500;
const LOOK_MS = 300;

/** How long what a browser reports may take, in milliseconds. */
const SOON_MS = 5000;

describe('the connections to browsers', function () {
  this.timeout(30_000);
  let service: TestService;
  let client: ServiceClient;
  let session: BrowserSession;
  let browsers: BrowserConnections;
  /** How often changes of pages were told. */
  let told = 0;

  before(async () => {
    service = await TestService.start();
    client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
    session = await client.createBrowser({ headless: true, timeout_seconds: 600 });
  });

  beforeEach(() => {
    told = 0;
    browsers = new BrowserConnections(() => IDLE_MS, { onPages: () => (told += 1) });
  });

  afterEach(() => {
    browsers.dispose();
  });

  after(async () => {
    await client.close();
    await service.stop();
  });

  const titles = (): Promise<string[]> =>
    browsers.look(session, async ({ connection }) => (await listTabs(connection)).map(({ title }) => title));

  it('tell of a page that is opened, has another title or is closed, by whomever', async () => {
    await browsers.use(session, (link) => link.prepare());
    const others = await DevTools.connect(session.cdp_ws_url);
    try {
      const expectTold = async (title: string, isThere: boolean): Promise<void> => {
        await eventually(`told of "${title}"`, () => told > 0, SOON_MS);
        await eventually(title, async () => (await titles()).includes(title) === isThere, SOON_MS);
        told = 0;
      };
      const { targetId } = await others.result('Target.createTarget', { url: 'data:text/html,<title>first</title>' });
      await expectTold('first', true);
      const page = await others.attachTo(String(targetId));
      await page.evaluate('document.title = "second"');
      await expectTold('second', true);
      await others.result('Target.closeTarget', { targetId });
      await expectTold('second', false);
    } finally {
      others.close();
    }
  });

  it('are closed as soon as if nobody had looked, and opened for who looks then', async () => {
    await browsers.use(session, () => Promise.resolve());
    const end = performance.now() + 2 * IDLE_MS;
    let wasClosed = false;
    while (!wasClosed && performance.now() < end) {
      await titles();
      await delay(LOOK_MS);
      wasClosed = !browsers.isOpen(session.session_id);
    }
    assert.ok(wasClosed, 'the connection is kept by looks');
    await titles();
    assert.equal(browsers.isOpen(session.session_id), true);
  });
});
