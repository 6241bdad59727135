// Covers: src/editor/browsers, src/editor/targets, test/standins/local
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
const LOCAL = 'of-the-local-service';

/** Longest time until the list has started the local service, in milliseconds. */
const START_LIMIT_MS = 20_000;

/** Longer than a service without windows waits before it ends, in milliseconds. */
const SERVICE_ENDS_MS = 12_000;

describe('the pools of a service', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let service: TestService;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    view = await openBrowsers(workbench);
    service = await TestService.start(['--pools']);
    await service.client.browserPools.create({ name: POOL, size: 1, headless: true });
  });

  after(async function () {
    this.timeout(120_000);
    await service.stop();
    // The tests that follow in this window begin with an empty list.
    await view.chooseAction(commandTitle(COMMANDS.refresh));
    await view.row(LOCAL).waitFor({ state: 'detached' });
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

  it('are among the options of Create Browser, and one of them gives a browser', async () => {
    const { quickInput } = workbench;
    await chooseOtherService(workbench, service.baseUrl, service.token);
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
    const { pool } = await service.client.browsers.retrieve(BROWSER);
    assert.equal(pool?.name, POOL);
    await leaveOtherService(workbench);
    await view.row(BROWSER).waitFor({ state: 'detached' });
  });

  it('are of that service alone: the local one keeps its browsers while another is in use', async () => {
    const local = await whenLocalService();
    await requestLocally(local, 'POST', 'browsers', { name: LOCAL, headless: true });
    try {
      await view.chooseAction(commandTitle(COMMANDS.refresh));
      await view.waitForRow(LOCAL);
      await chooseOtherService(workbench, service.baseUrl, service.token);
      await view.row(LOCAL).waitFor({ state: 'detached' });
      await new Promise((settle) => setTimeout(settle, SERVICE_ENDS_MS));
      await requestLocally(local, 'GET', `browsers/${LOCAL}`);
      await leaveOtherService(workbench);
      await view.waitForRow(LOCAL);
      assert.equal((await readLocalService(shared.server.userDir))?.pid, local.pid);
    } finally {
      await requestLocally(local, 'DELETE', `browsers/${LOCAL}`);
    }
  });
}).timeout(90_000);
