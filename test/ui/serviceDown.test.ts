// Covers: src/editor/lists, src/editor/browsers, src/editor/targets, src/service
import assert from 'node:assert/strict';
import { VIEWS } from '../../src/ids';
import { FakeService } from '../standins/fakeService';
import { eventually } from '../support/eventually';
import { WELCOME } from '../workbench/phrases';
import { openBrowsers, openRecords } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow } from '../workbench/sharedWindow';
import { viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

const NOT_LOADED = 'The list could not be loaded: ';

const TOKEN = 'token-of-the-service-that-is-down';

/** Longer than two pauses between refreshes of a list, and much less than one such pause, in milliseconds. */
const WATCHED_MS = 25_000;
const APART_MS = 8000;

describe('a service that is down from the beginning', () => {
  let workbench: Workbench;
  let service: FakeService;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    service = await FakeService.start(TOKEN);
    // Without attempts of the client itself, which are not about the lists.
    service.fault = { status: 503, headers: { 'x-should-retry': 'false' } };
    await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, TOKEN);
  });

  after(async function () {
    this.timeout(120_000);
    await leaveOtherService(workbench);
    await service.stop();
  });

  it('is asked once for each list that is shown, and then once in each interval', async () => {
    const view = workbench.view(viewTitle(VIEWS.browsers));
    await view.waitForWelcome(WELCOME.serviceFailed);
    await openRecords(workbench);
    const profiles = workbench.view(viewTitle(VIEWS.profiles));
    const says = async (): Promise<boolean> => (await profiles.message()).includes(NOT_LOADED);
    await eventually('the list of profiles says why it is empty', says, WATCHED_MS);
    const lists = ['/browsers', '/profiles', '/extensions'];
    const arrivals = new Map(lists.map((list) => [list, [] as number[]]));
    service.onRequest = (path) => {
      const [list = ''] = path.split('?');
      arrivals.get(list)?.push(performance.now());
    };
    await new Promise((settle) => setTimeout(settle, WATCHED_MS));
    for (const [list, times] of arrivals) {
      const gaps = times.slice(1).map((time, at) => Math.round(time - (times[at] ?? 0)));
      assert.ok(gaps.length >= 1, `${list} was asked ${times.length} times`);
      assert.ok(
        gaps.every((gap) => gap >= APART_MS),
        `${list} was asked again after ${gaps.join(', ')} ms`,
      );
    }
  });
}).timeout(90_000);
