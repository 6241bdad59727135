// Covers: src/editor/inspect, src/editor/lists, src/devtools
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { COMMANDS, SETTINGS } from '../../src/ids';
import type { Witness } from '../workbench/observer';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { CONTEXTS, MESSAGES, STATUS_BAR } from '../workbench/phrases';
import { createPushed, deleteBrowser, pushByRow, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, submenuTitle, paletteTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-contexts';
const EXTENSION = 'Sideload Sample';

/** Longest time for a step in a browser, in milliseconds. */
const BROWSER_LIMIT_MS = 30_000;

describe('the rows below a pushed extension', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let witness: Witness;
  let web: Server;
  let manifest: string;

  const path = (name: string): string => join(shared.folder, name);

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    manifest = await readFile(path('manifest.json'), 'utf8');
    const parsed: unknown = JSON.parse(manifest);
    assert(typeof parsed === 'object' && parsed);
    const options_ui = { page: 'options.html', open_in_tab: true };
    await writeFile(path('manifest.json'), JSON.stringify({ ...parsed, options_ui }, undefined, 2));
    await writeFile(path('options.html'), '<!doctype html><title>Options of the sample</title>');
    web = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end('<title>A web page</title>');
    }).listen(0, '127.0.0.1');
    await once(web, 'listening');
    [witness, view] = await createPushed(shared, BROWSER);
  });

  after(async () => {
    web.close();
    await witness.close();
    await deleteBrowser(workbench, BROWSER);
    await workbench.clearNotifications();
    await writeFile(path('manifest.json'), manifest);
    await rm(path('options.html'));
    await rm(path('.vscode'), { recursive: true, force: true });
  });

  /** Expands a row by the keyboard. */
  async function expand(row: string): Promise<void> {
    await view.row(row).first().click();
    await workbench.page.keyboard.press('ArrowRight');
  }

  it('say that its worker is running', async () => {
    await expand(BROWSER);
    await view.waitForRow(EXTENSION, BROWSER_LIMIT_MS);
    await expand(EXTENSION);
    const row = await view.waitForRow(CONTEXTS.workerRunning, BROWSER_LIMIT_MS);
    assert.match((await row.getAttribute('aria-label')) ?? '', CONTEXTS.spokenWorkerRunning);
  });

  it('follow the worker, which stops and wakes by its row and by the palette', async () => {
    await view.clickRowAction(CONTEXTS.worker, commandTitle(COMMANDS.stopWorker));
    await view.waitForRow(CONTEXTS.workerStopped, BROWSER_LIMIT_MS);
    await view.clickRowAction(CONTEXTS.worker, commandTitle(COMMANDS.wakeWorker));
    await view.waitForRow(CONTEXTS.workerRunning, BROWSER_LIMIT_MS);
    await workbench.run(COMMANDS.stopWorker);
    await view.waitForRow(CONTEXTS.workerStopped, BROWSER_LIMIT_MS);
  });

  it('are its popup, options and the tabs with its content scripts as they come and go', async () => {
    const address = web.address();
    assert(typeof address === 'object' && address);
    await witness.openPage(`http://127.0.0.1:${address.port}/`);
    await view.waitForRow(CONTEXTS.contentScript, BROWSER_LIMIT_MS);
    assert.equal(await view.row(CONTEXTS.anyWebPage).count(), 1, 'one row for one tab');
    await workbench.command(paletteTitle(COMMANDS.openOptions));
    await view.waitForRow(CONTEXTS.options, BROWSER_LIMIT_MS);
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.openPopup), submenuTitle('open'));
    await view.waitForRow(CONTEXTS.popup, BROWSER_LIMIT_MS);
    await workbench.picture(join(CACHE, 'ui', 'contexts.png'));
    await view.clickRowAction(CONTEXTS.popup, commandTitle(COMMANDS.closeTab));
    await view.row(CONTEXTS.popup).waitFor({ state: 'detached' });
    await view.clickRowAction(CONTEXTS.options, commandTitle(COMMANDS.closeTab));
    await view.row(CONTEXTS.options).waitFor({ state: 'detached' });
    await view.waitForRow(CONTEXTS.contentScript);
  });

  it('are marked at the tabs while the row of the extension is expanded, which is what is asked', async () => {
    await view.row(EXTENSION).first().click();
    await workbench.page.keyboard.press('ArrowLeft');
    await view.waitForRow(CONTEXTS.plainTab, BROWSER_LIMIT_MS);
    await expand(EXTENSION);
    await view.waitForRow(CONTEXTS.contentScript, BROWSER_LIMIT_MS);
  });

  it('lead to any page, which is remembered', async () => {
    const entries = async (): Promise<string[]> => {
      await workbench.commandThatAsks(paletteTitle(COMMANDS.openPage));
      return await workbench.quickInput.entries();
    };
    assert.deepEqual(await entries(), [
      'https://example.com/its content script runs there',
      'popup.htmlaction.default_popup',
      'options.htmloptions_ui.page',
    ]);
    await workbench.quickInput.answer('popup.html?typed');
    await view.waitForRow(CONTEXTS.typedPage, BROWSER_LIMIT_MS);
    assert.match((await entries())[0] ?? '', CONTEXTS.rememberedPage);
    for (const typed of ['javascript:alert(1)', 'no-such.html']) {
      await entries();
      await workbench.quickInput.answer(typed);
      await workbench.notification(MESSAGES.noSuchPage);
      await workbench.clearNotifications();
    }
  });

  it('lead to an address as people type it', async () => {
    const address = web.address();
    assert(typeof address === 'object' && address);
    const typed = `localhost:${address.port}/typed`;
    await workbench.commandThatAsks(paletteTitle(COMMANDS.openPage));
    await workbench.quickInput.answer(typed);
    const isOpen = (): boolean => witness.pages().includes(`http://${typed}`);
    await eventually(() => witness.pages(), isOpen, BROWSER_LIMIT_MS);
  });

  it('say why there is no side panel', async () => {
    await workbench.run(COMMANDS.openSidePanel);
    const { buttons } = await workbench.notification(MESSAGES.noSidePanel(EXTENSION, BROWSER));
    assert.deepEqual(buttons, []);
    await workbench.clearNotifications();
  });

  it('are what a setting opens after each push, once', async () => {
    const settings = { [SETTINGS.openAfterPush]: ['options.html', 'popup'], [SETTINGS.pushOnSave]: 'onSave' };
    await mkdir(path('.vscode'), { recursive: true });
    await writeFile(path('.vscode/settings.json'), JSON.stringify(settings));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    for (let time = 0; time < 2; time++) {
      const push = await pushByRow(workbench, BROWSER);
      assert.ok(push.succeeded, push.status);
      await view.waitForRow(CONTEXTS.options, BROWSER_LIMIT_MS);
      await view.waitForRow(CONTEXTS.popup, BROWSER_LIMIT_MS);
    }
    assert.equal(witness.pages().filter((url) => url.endsWith('/options.html')).length, 1);
    await rm(path('.vscode'), { recursive: true });
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
  });
}).timeout(120_000);
