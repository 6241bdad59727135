// Covers: src/editor/browsers, src/editor/targets, src/service
import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { FakeService } from '../standins/fakeService';
import { BUTTONS, DIALOGS } from '../workbench/phrases';
import { openBrowsers } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow } from '../workbench/sharedWindow';
import { paletteTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

const TOKEN = 'token-of-the-limited-service';
const LIMIT = 3;

/** Longest time until a request arrives, in milliseconds. */
const ARRIVE_LIMIT_MS = 30_000;

describe('a remote service with a limit of browsers', () => {
  let workbench: Workbench;
  let service: FakeService;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    service = await FakeService.start(TOKEN);
    service.limit = LIMIT;
    service.sessions = Array.from({ length: LIMIT - 1 }, (_, at) => ({ session_id: `s${at}`, name: `running-${at}` }));
    const view = await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, TOKEN);
    await view.waitForRow('running-0');
  });

  after(async function () {
    this.timeout(120_000);
    await leaveOtherService(workbench);
    await service.stop();
  });

  async function creation(count: number): Promise<unknown> {
    await eventually('a request to create a browser', () => service.creations.length >= count, ARRIVE_LIMIT_MS);
    return JSON.parse(service.creations.at(-1) ?? '');
  }

  it('is asked for a browser in the region and with the memory that were chosen', async () => {
    const { quickInput } = workbench;
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createBrowserWithOptions));
    await quickInput.pick(/Region\s*default/);
    await quickInput.pick('eu-west');
    await quickInput.pick(/Memory\s*default/);
    await quickInput.pick('16GiB');
    await workbench.page.locator('.quick-input-list-entry', { hasText: 'Memory16GiB' }).waitFor();
    await quickInput.pick('Start Browser');
    const request = await creation(1);
    assert.ok(typeof request === 'object' && request !== null && 'region' in request && 'memory' in request);
    assert.deepEqual([request.region, request.memory], ['eu-west', '16GiB']);
    await workbench.clearNotifications();
  });

  it('is not asked for one more than its limit without a question', async () => {
    service.sessions = [...service.sessions, { session_id: 's-last', name: 'running-last' }];
    await workbench.commandThatAsks(paletteTitle(COMMANDS.createBrowser));
    await workbench.quickInput.answer('one-too-many');
    assert.equal(await workbench.asked(), DIALOGS.limitReached(LIMIT));
    assert.equal(service.creations.length, 1);
    await workbench.press(BUTTONS.createAnyway);
    await creation(2);
    await workbench.clearNotifications();
  });
}).timeout(120_000);
