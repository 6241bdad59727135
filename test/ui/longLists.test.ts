// Covers: src/editor/lists, src/editor/browsers, src/editor/targets, src/service
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { FakeService, LIVE_VIEW } from '../standins/fakeService';
import { MESSAGES, ROW_TEXTS, WELCOME } from '../workbench/phrases';
import { openBrowsers, readLog } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow } from '../workbench/sharedWindow';
import { commandTitle, submenuTitle, paletteTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const TOKEN = 'token-of-the-fake-service';
const COUNT = 10_000;
const FIRST = 'many-00000';

/** Longer than the pause between two refreshes of a list, in milliseconds. */
const REFRESHES_MS = 12_000;

/** The requests of one act arrive within this time, in milliseconds; less than the pause between two refreshes. */
const QUIET_MS = 1500;

/** Longest time until the rows of a page are drawn, in milliseconds. */
const ROWS_LIMIT_MS = 60_000;

describe('a list of 10,000 browsers', () => {
  let workbench: Workbench;
  let service: FakeService;
  let view: View;

  before(async function () {
    ({ workbench } = await sharedWindow(this));
    service = await FakeService.start(TOKEN);
    service.sessions = Array.from({ length: COUNT }, (_, at) => ({
      session_id: `s${at}`,
      name: `many-${String(at).padStart(5, '0')}`,
    }));
    view = await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, TOKEN);
  });

  after(async function () {
    this.timeout(120_000);
    await leaveOtherService(workbench);
    await service.stop();
  });

  const lists = (): string[] => service.requests.filter((path) => path.startsWith('/browsers?'));
  const refresh = (): Promise<void> => view.chooseAction(commandTitle(COMMANDS.refresh));
  const search = async (): Promise<void> => {
    const title = commandTitle(COMMANDS.searchBrowsers);
    await workbench.untilAsked(() => view.chooseAction(title), title);
  };
  /** The list may still be drawing what it has loaded when the key is pressed. */
  async function pressEndUntil(row: string): Promise<void> {
    const press = (): Promise<void> => workbench.page.keyboard.press('End');
    await press();
    await eventually(row, () => view.row(row).isVisible(), ROWS_LIMIT_MS, press);
  }
  /** Waits until what was asked for has arrived at the service: a list may be refused because of the request before. */
  async function untilQuiet(): Promise<void> {
    for (let before = -1; before !== service.requests.length;) {
      before = service.requests.length;
      await workbench.page.waitForTimeout(QUIET_MS);
    }
  }
  const header = (text: string) => workbench.page.locator('.pane-header', { hasText: text });

  it('shows its first rows after the first page, and the host of the service beside its title', async () => {
    await view.waitForRow(FIRST);
    assert.ok(
      lists().every((path) => path.endsWith('offset=0')),
      lists().join('\n'),
    );
    await header(new URL(service.baseUrl).host).waitFor();
  });

  it('asks once for its first rows, when it is shown', async () => {
    await workbench.command('View: Show Explorer');
    // The token may be of another account, so the list is loaded from its first page.
    await workbench.commandThatAsks(paletteTitle(COMMANDS.setToken));
    await workbench.quickInput.answer(TOKEN);
    await workbench.quickInput.closed();
    service.requests = [];
    view = await openBrowsers(workbench);
    // VS Code first draws the rows that it had.
    await eventually(lists, () => lists().length > 0, ROWS_LIMIT_MS);
    await view.waitForRow(FIRST);
    assert.equal(lists().length, 1, lists().join('\n'));
  });

  it('loads the next page by the row at its end, and keeps it over a refresh', async () => {
    await view.row(FIRST).click();
    await pressEndUntil(ROW_TEXTS.more);
    await workbench.page.keyboard.press('Enter');
    await view.waitForRow('many-00100');
    await pressEndUntil('many-00199');
    service.requests = [];
    await refresh();
    await eventually(lists, () => lists().length >= 2, ROWS_LIMIT_MS);
    assert.deepEqual(
      lists().map((path) => /offset=\d+$/.exec(path)?.[0]),
      ['offset=0', 'offset=100'],
    );
    await pressEndUntil('many-00199');
  });

  it('asks the service for what is searched, shows the search, and clears it again', async () => {
    await search();
    await workbench.quickInput.answer('many-0777');
    await view.waitForRow('many-07770');
    assert.equal((await view.rows()).length, 10);
    assert.match(lists().at(-1) ?? '', /query=many-0777&/);
    await header('many-0777').waitFor();
    await view.clickAction(commandTitle(COMMANDS.clearBrowserSearch));
    await view.waitForRow(FIRST);
  });

  it('finds what is searched while a further page is being loaded', async () => {
    await view.row(FIRST).click();
    await pressEndUntil(ROW_TEXTS.more);
    service.listMs = 2000;
    try {
      service.requests = [];
      await workbench.page.keyboard.press('Enter');
      await eventually('a page is asked for', () => lists().length > 0, ROWS_LIMIT_MS);
      await search();
      await workbench.quickInput.answer('many-0666');
      // The next refresh by itself would come later.
      await view.waitForRow('many-06660', 8000);
    } finally {
      service.listMs = 0;
    }
    await view.clickAction(commandTitle(COMMANDS.clearBrowserSearch));
    await view.waitForRow(FIRST);
  });

  it('says that nothing matches, with a button to clear the search', async () => {
    await search();
    await workbench.quickInput.answer('nothing-like-this');
    await view.waitForWelcome(WELCOME.noBrowserFound);
    await view.clickWelcome('Clear Search');
    await view.waitForRow(FIRST);
  });

  it('removes a browser that is gone at the next action on it, and says so in one sentence', async () => {
    service.sessions = service.sessions.filter(({ session_id }) => session_id !== 's1');
    await view.clickRowMenu('many-00001', commandTitle(COMMANDS.openLiveView), submenuTitle('open'));
    await workbench.notification(MESSAGES.isGone('many-00001'));
    await view.row('many-00001').waitFor({ state: 'detached' });
    await workbench.clearNotifications();
  });

  it('keeps its rows when a refresh fails, says since when and why in a line, and offers to try again', async () => {
    service.fault = { status: 503, headers: { 'x-should-retry': 'false' } };
    await refresh();
    const message = workbench.page.locator('.part.sidebar .message', { hasText: ROW_TEXTS.notRefreshed });
    await message.first().waitFor();
    await view.waitForRow(FIRST);
    service.fault = undefined;
    await view.row(ROW_TEXTS.retry).click();
    await view.row(ROW_TEXTS.retry).waitFor({ state: 'detached' });
    await message.first().waitFor({ state: 'hidden' });
  });

  it('says of a service that answers without the list that it has answered, and how to try again', async () => {
    service.fault = { status: 503, headers: { 'x-should-retry': 'false' } };
    await search();
    await workbench.quickInput.answer('many-0777');
    await view.waitForWelcome(WELCOME.serviceFailed);
    await workbench.picture(join(CACHE, 'ui', 'service-failed.png'));
    service.fault = undefined;
    await view.clickWelcome('Try Again');
    await view.waitForRow('many-07770');
    await view.clickAction(commandTitle(COMMANDS.clearBrowserSearch));
    await view.waitForRow(FIRST);
  });

  it('sends no request before the time that the service asks to wait for, also when Refresh is pressed', async () => {
    service.fault = { status: 429, headers: { 'retry-after': '120' } };
    service.requests = [];
    await refresh();
    const message = workbench.page.locator('.part.sidebar .message', { hasText: ROW_TEXTS.mustWait });
    await message.first().waitFor();
    assert.equal(await view.row(ROW_TEXTS.retry).count(), 0);
    const sent = service.requests.length;
    await refresh();
    await new Promise((settle) => setTimeout(settle, REFRESHES_MS));
    assert.equal(service.requests.length, sent, service.requests.join('\n'));
    service.fault = undefined;
    // Another token ends the wait, because the account may be another one.
    await workbench.commandThatAsks(paletteTitle(COMMANDS.setToken));
    await workbench.quickInput.answer(TOKEN);
    await message.first().waitFor({ state: 'hidden' });
    await view.waitForRow(FIRST);
  });

  it('does not send a refused token again and again, and offers to set it', async () => {
    service.fault = { status: 401 };
    try {
      await refresh();
      await view.waitForWelcome(WELCOME.tokenRefused);
      await untilQuiet();
      const sent = service.requests.length;
      await new Promise((settle) => setTimeout(settle, REFRESHES_MS));
      assert.equal(service.requests.length, sent, service.requests.join('\n'));
    } finally {
      service.fault = undefined;
      await refresh();
    }
    await view.waitForRow(FIRST);
  });

  it('opens a live view outside of the editor, at exactly its address', async () => {
    const { page } = workbench;
    await page.context().route('https://live.example.test/**', (route) => route.fulfill({ body: 'The live view' }));
    const opened = page.context().waitForEvent('page');
    await view.clickRowMenu(FIRST, commandTitle(COMMANDS.openLiveView), submenuTitle('open'));
    // VS Code asks before it opens an address of a host that it does not know.
    await workbench.press('Open');
    const live = await opened;
    await live.getByText('The live view').waitFor();
    assert.equal(live.url(), LIVE_VIEW);
    await live.close();
  });

  it('never writes the address of a live view into the log', async () => {
    assert.doesNotMatch((await readLog(workbench)).join('\n'), /live\.example|jwt/);
  });
}).timeout(90_000);
