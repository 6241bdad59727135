// Covers: src/editor/browsers, src/editor/targets, src/local/pools
import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { readLocalService, requestLocally, type LocalService } from '../support/localService';
import { openBrowsers } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const POOL = 'ui-pool';
const BROWSER = 'from-the-pool';

/** Longest time until the list has started the local service, in milliseconds. */
const START_LIMIT_MS = 20_000;

/** Longer than a service without windows waits before it ends, in milliseconds. */
const SERVICE_ENDS_MS = 12_000;

describe('a local service with a pool', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let local: LocalService;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    view = await openBrowsers(workbench);
    local = await whenLocalService();
    await request('POST', 'browser_pools', { name: POOL, size: 1, headless: true });
  });

  after(async function () {
    this.timeout(120_000);
    await request('DELETE', `browsers/${BROWSER}`);
    await request('DELETE', `browser_pools/${POOL}`, { force: true });
    // The tests that follow in this window begin with an empty list.
    await view.chooseAction(commandTitle(COMMANDS.refresh));
    await view.row(BROWSER).waitFor({ state: 'detached' });
  });

  async function whenLocalService(): Promise<LocalService> {
    const end = performance.now() + START_LIMIT_MS;
    for (;;) {
      const found = await readLocalService(shared.server.userDir);
      if (found) return found;
      assert.ok(performance.now() < end, 'no local service is running');
      await new Promise((settle) => setTimeout(settle, 100));
    }
  }

  const request = (method: string, path: string, body?: unknown): Promise<unknown> =>
    requestLocally(local, method, path, body);

  it('offers it among the options of Create Browser, and takes a browser from it', async () => {
    const { quickInput } = workbench;
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createBrowserWithOptions));
    await quickInput.pick('Name');
    await quickInput.answer(BROWSER);
    await quickInput.pick(/Pool\s*none/);
    await quickInput.pick(POOL);
    await workbench.page.locator('.quick-input-list-entry', { hasText: `Pool${POOL}` }).waitFor();
    const entries = await quickInput.entries();
    // The rest is the pool's.
    assert.ok(!entries.some((entry) => /Profile|Size|Time Limit/.test(entry)), entries.join('\n'));
    await quickInput.pick('Start Browser');
    await view.waitForRow(BROWSER, 30_000);
    const session = await request('GET', `browsers/${BROWSER}`);
    assert.ok(typeof session === 'object' && session !== null && 'pool' in session, JSON.stringify(session));
    assert.match(JSON.stringify(session.pool), new RegExp(POOL));
  });

  it('keeps its browsers while another service is in use', async () => {
    const other = await TestService.start();
    try {
      await chooseOtherService(workbench, other.baseUrl, other.token);
      await view.row(BROWSER).waitFor({ state: 'detached' });
      await new Promise((settle) => setTimeout(settle, SERVICE_ENDS_MS));
      await request('GET', `browsers/${BROWSER}`);
    } finally {
      await leaveOtherService(workbench);
      await other.stop();
    }
    await view.waitForRow(BROWSER);
    assert.equal((await readLocalService(shared.server.userDir))?.pid, local.pid);
  });
}).timeout(90_000);
