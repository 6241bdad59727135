import assert from 'node:assert/strict';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { withExtensionPage } from '../../src/devtools/protocol/extensionPage';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { listContexts } from '../../src/devtools/extensions/contexts';
import { BrowserLink } from '../../src/devtools/connection/link';
import { type Opened, openSurface, showAddress, type Surface } from '../../src/devtools/extensions/surfaces';
import { closeTab, listTabs } from '../../src/devtools/pages/tabs';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { eventually } from '../support/eventually';
import { Display } from '../standins/display';
import { TestService } from './service';
import { surfaceExtension } from './surfaceExtension';
import { addressOf } from '../support/devToolsAddress';

/** A page that stays open in all tests but one. */
const STAYING = 'data:text/html,staying';

/** How long the browser may take for a change, in milliseconds. */
const SOON_MS = 30_000;

for (const headless of [true, false]) {
  describe(`surfaces of an extension in a ${headless ? 'headless' : 'headful'} browser`, function () {
    this.timeout(60_000);
    let display: Display | undefined;
    let service: TestService;
    let client: ServiceClient;
    let link: BrowserLink;
    let folder: string;
    let remove: () => Promise<void>;
    let id: string;

    before(async function () {
      // Elsewhere there is no screen without a monitor.
      if (!headless && process.platform !== 'linux') this.skip();
      if (!headless) display = await Display.start();
      const env = display && { ...process.env, DISPLAY: display.name };
      service = await TestService.start([], undefined, env);
      client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
      const browser = await client.createBrowser({ headless, timeoutSeconds: 600 });
      link = await BrowserLink.open(addressOf(browser));
      await link.prepare();
      ({ folder, remove } = await surfaceExtension());
      id = await loadUnpacked(link.connection, folder);
      // The options may take the blank tab, and a browser with a window ends with its last tab.
      await link.connection.send('Target.createTarget', { url: STAYING });
    });

    after(async () => {
      link.close();
      await client.close();
      await service.stop();
      await display?.stop();
      await remove();
    });

    const open = (surface: Surface): Promise<Opened> => openSurface(link, id, surface);

    const call = (expression: string): Promise<unknown> =>
      withExtensionPage(link.connection, id, (page) => evaluate(page, expression));

    /** The kinds of the open pages of the extension. */
    const kinds = async (): Promise<string> => (await listContexts(link, id)).pages.map(({ kind }) => kind).join();

    const addresses = async (): Promise<string[]> =>
      (await listTabs(link)).map(({ url }) => url.replace(`chrome-extension://${id}/`, ''));

    async function close(): Promise<void> {
      for (const page of (await listContexts(link, id)).pages) await closeTab(link.connection, page);
      await eventually('the pages are closed', async () => (await kinds()) === '', SOON_MS);
    }

    it('open in their places', async () => {
      assert.equal((await open('popup')).as, 'itself');
      assert.equal(await kinds(), 'popup');
      assert.equal((await open('popup')).as, 'itself');
      await eventually('there is one popup', async () => (await kinds()) === 'popup', SOON_MS);
      assert.equal((await open('sidePanel')).as, 'itself');
      assert.equal((await open('options')).as, 'itself');
      await eventually('both are open', async () => (await kinds()) === 'options,sidePanel', SOON_MS);
      assert.equal((await open('sidePanel')).as, 'itself');
      assert.equal((await open('options')).as, 'itself');
      assert.equal(await kinds(), 'options,sidePanel');
      await close();
    });

    it('of an action without a popup are the click itself', async () => {
      await link.workers().then((workers) => workers?.start(id));
      await call(`chrome.action.setPopup({ popup: '' })`);
      assert.equal((await open('action')).as, 'itself');
      const presses = `new Promise((resolve) => chrome.runtime.sendMessage('presses', resolve))`;
      await eventually('the listener has run', async () => (await call(presses)) === 1, SOON_MS);
      const popup = await open('popup');
      assert(popup.as === 'nothing');
      assert.match(popup.reason, /has no popup/);
      await call(`chrome.action.disable().then(() => chrome.action.setPopup({ popup: 'popup.html' }))`);
      const disabled = await open('action');
      assert(disabled.as === 'nothing');
      assert.match(disabled.reason, /is disabled/);
      await call('chrome.action.enable()');
    });

    it('open as tabs where no window has a toolbar, and the browser goes on', async () => {
      await call(`chrome.windows.create({ type: 'popup', url: 'other.html' }).then(() => 0)`);
      for (const tab of await listTabs(link))
        if (!tab.url.endsWith('/other.html')) await closeTab(link.connection, tab);
      await eventually('the other windows are closed', async () => (await listTabs(link)).length === 1, SOON_MS);
      const popup = await open('popup');
      assert(popup.as === 'tab');
      assert.match(popup.reason, /no window with a toolbar/);
      assert.deepEqual((await addresses()).sort(), ['other.html', 'popup.html']);
      // It has opened a window with a toolbar.
      assert.equal((await open('popup')).as, 'itself');
    });

    it('that an extension does not have are said so', async () => {
      const changes = { 'manifest.json': '{ "manifest_version": 3, "name": "Bare", "version": "1" }' };
      const bare = await surfaceExtension(changes);
      try {
        const other = await loadUnpacked(link.connection, bare.folder);
        const reason = async (surface: Surface): Promise<string> => {
          const opened = await openSurface(link, other, surface);
          return opened.as === 'nothing' ? opened.reason : opened.as;
        };
        assert.match(await reason('popup'), /"action"/);
        assert.match(await reason('action'), /"action"/);
        assert.match(await reason('options'), /options_ui/);
        assert.match(await reason('sidePanel'), /"sidePanel"/);
        await link.setEnabled(other, false);
        for (const surface of ['popup', 'action', 'options', 'sidePanel'] as const) {
          assert.match(await reason(surface), /not enabled/);
        }
        await link.connection.send('Extensions.uninstall', { id: other });
        assert.match(await reason('action'), /not enabled/);
      } finally {
        await bare.remove();
      }
    });

    it('and other pages are opened once', async () => {
      const address = `chrome-extension://${id}/other.html?once`;
      for (let time = 0; time < 2; time++) {
        await showAddress(link, address);
        const isOpen = async (): Promise<boolean> => (await addresses()).includes('other.html?once');
        await eventually('the page is open', isOpen, SOON_MS);
      }
      assert.equal((await addresses()).filter((one) => one === 'other.html?once').length, 1);
    });
  });
}
