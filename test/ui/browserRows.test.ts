// Covers: src/editor/browsers, src/editor/targets, src/editor/lists
import assert from 'node:assert/strict';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { readLocalService, requestLocally } from '../support/localService';
import { witnessOf } from '../workbench/observer';
import { BUTTONS, DIALOGS, MESSAGES, QUICK_INPUT, ROW_TEXTS, STATUS_BAR } from '../workbench/phrases';
import { createBrowser, deleteBrowser, openBrowsers, pushByRow, readLog, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-rows';
const EXTENSION = 'Sideload Sample';

/** Longest time for a step in a browser, in milliseconds. */
const BROWSER_LIMIT_MS = 30_000;

/** How long the pointer rests on a row for its card, and how long that is tried, in milliseconds. */
const HOVER_MS = 5000;
const HOVER_LIMIT_MS = 30_000;

/** How long the rows may take to be drawn again, in milliseconds. */
const ROWS_LIMIT_MS = 30_000;

describe('the row of a browser', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    view = await openBrowsers(workbench);
  });

  it('is that of a browser named after the open extension when Enter is all that was pressed', async () => {
    await view.clickAction(commandTitle(COMMANDS.createBrowser));
    await workbench.quickInput.opened();
    await workbench.quickInput.accept();
    await view.waitForRow('sideload-sample', 60_000);
    await view.row('sideload-sample').click();
    await workbench.page.keyboard.press('Delete');
    await workbench.press(BUTTONS.delete);
    await view.row('sideload-sample').waitFor({ state: 'detached' });
  });

  it('says first that pushes go to it, then what the last one did', async () => {
    await createBrowser(workbench, BROWSER);
    assert.match((await view.rows())[0] ?? '', ROW_TEXTS.newTarget(BROWSER));
    const push = await pushByRow(workbench, BROWSER);
    assert.ok(push.succeeded, push.status);
    const row = await view.waitForRow(BROWSER);
    assert.match((await view.rows())[0] ?? '', ROW_TEXTS.running(BROWSER));
    assert.match((await row.getAttribute('aria-label')) ?? '', ROW_TEXTS.spokenRunning(BROWSER));
    await workbench.clearNotifications();
  });

  it('has the extension and the tabs of the browser below it', async () => {
    await view.row(BROWSER).click();
    await workbench.page.keyboard.press('ArrowRight');
    await view.waitForRow(EXTENSION, BROWSER_LIMIT_MS);
    assert.deepEqual(
      (await view.rows()).slice(1).map((row) => row.replace(/ in [\d.]+ s$/, '')),
      [`${EXTENSION} 1.0.0 · pushed just now`, 'Blank page'],
    );
  });

  it('has the tabs that are open now, whoever opens and closes them, also after it was collapsed', async () => {
    await view.row(BROWSER).click();
    await workbench.page.keyboard.press('ArrowLeft');
    await view.row('Blank page').waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('ArrowRight');
    await view.waitForRow('Blank page', BROWSER_LIMIT_MS);
    const local = await readLocalService(shared.server.userDir);
    assert.ok(local, 'no local service is running');
    const seen = await witnessOf(local, BROWSER);
    try {
      await seen.openPage('data:text/html,<title>Opened by a person</title>');
      await view.waitForRow('Opened by a person', BROWSER_LIMIT_MS);
    } finally {
      await seen.close();
    }
    await view.clickRowAction('Opened by a person', commandTitle(COMMANDS.closeTab));
    await view.row('Opened by a person').waitFor({ state: 'detached' });
  });

  it('reloads the extension, by its row and by the palette', async () => {
    const reloads = async (): Promise<number> =>
      (await readLog(workbench)).filter((line) => line.startsWith(`Reloaded ${EXTENSION} in ${BROWSER}`)).length;
    await view.clickRowAction(EXTENSION, commandTitle(COMMANDS.reloadExtension));
    await eventually(reloads, async () => (await reloads()) === 1, BROWSER_LIMIT_MS);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.reloadExtension));
    await workbench.quickInput.pick(BROWSER);
    await eventually(reloads, async () => (await reloads()) === 2, BROWSER_LIMIT_MS);
  });

  it('closes a tab, and shows what is left', async () => {
    await view.clickRowAction('Blank page', commandTitle(COMMANDS.reloadTab));
    await view.clickRowAction('Blank page', commandTitle(COMMANDS.showTab));
    await view.clickRowAction('Blank page', commandTitle(COMMANDS.closeTab));
    await view.row('Blank page').waitFor({ state: 'detached' });
    await view.waitForRow(EXTENSION);
  });

  it('removes the extension after a confirmation, and says that it has stopped', async () => {
    await view.clickRowAction(EXTENSION, commandTitle(COMMANDS.removeExtension));
    assert.match(await workbench.asked(), DIALOGS.removeExtension(EXTENSION, BROWSER));
    await workbench.press(BUTTONS.remove);
    await view.row(EXTENSION).waitFor({ state: 'detached' });
    await view.waitForRow(ROW_TEXTS.stopped(BROWSER));
  });

  it('is renamed from its menu', async () => {
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.renameBrowser));
    // On a busy machine the menu, which closes, may take the focus back, and the box with it.
    await workbench.page.waitForTimeout(500);
    if (!(await workbench.quickInput.isOpen())) {
      await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.renameBrowser));
    }
    await workbench.quickInput.answer('ui renamed');
    await view.waitForRow('ui-renamed');
    await whenStatus(workbench, STATUS_BAR.noLongerRuns('ui-renamed'));
  });

  it('asks for all options in one list', async () => {
    await view.clickAction(commandTitle(COMMANDS.createBrowser));
    await workbench.quickInput.type('ui-options');
    await workbench.page.getByRole('button', { name: QUICK_INPUT.options }).click();
    const option = (text: string): Promise<void> => workbench.quickInput.pick(text);
    await option('Size');
    await option('390 × 844');
    await option('Window');
    await option('headless');
    await option('Time Limit');
    await option('10 minutes');
    const entries = (await workbench.quickInput.entries()).join('\n');
    assert.match(entries, /Name ?ui-options/);
    assert.match(entries, /Size ?390 × 844/);
    await option('Start Browser');
    const row = await view.waitForRow('ui-options', 60_000);
    const hover = workbench.page.locator('.monaco-hover', { hasText: 'screen 390 × 844' });
    // VS Code closes the card, or opens none, when the row is drawn again just then, as by its next refresh.
    const point = async (): Promise<void> => {
      await workbench.page.mouse.move(0, 0);
      await row.hover();
      await hover.waitFor({ timeout: HOVER_MS }).catch(() => undefined);
    };
    await eventually('the card of the row is shown', () => hover.isVisible(), HOVER_LIMIT_MS, point);
    assert.match(await hover.innerText(), /ends after 10 minutes without use/);
  });

  it('stays the push target when another browser starts, until that one is chosen', async () => {
    await createBrowser(workbench, 'ui-later');
    await workbench.notification(MESSAGES.goOnTo('ui-later', 'ui-renamed'));
    await view.waitForRow(ROW_TEXTS.target('ui-renamed'));
    assert.doesNotMatch((await view.rows()).join('\n'), ROW_TEXTS.target('ui-later'));
    await workbench.press(BUTTONS.pushTo('ui-later'));
    await view.waitForRow(ROW_TEXTS.target('ui-later'));
    // The rows are drawn one after the other.
    const isLeft = async (): Promise<boolean> => !ROW_TEXTS.target('ui-renamed').test((await view.rows()).join('\n'));
    await eventually('the other is no target', isLeft, ROWS_LIMIT_MS);
  });

  it('is the only place of a push target: the status bar says of one that is not listed that it has ended', async () => {
    assert.match(await whenStatus(workbench, new RegExp(STATUS_BAR.notYet)), /ui-later/);
    const service = (await readLocalService(shared.server.userDir)) ?? assert.fail('no local service is running');
    await requestLocally(service, 'DELETE', 'browsers/ui-later');
    await workbench.command(paletteTitle(COMMANDS.refresh));
    await whenStatus(workbench, STATUS_BAR.hasEnded('ui-later'));
  });

  it('is deleted by the palette, which asks for the browser', async () => {
    for (const name of ['ui-renamed', 'ui-options']) {
      await deleteBrowser(workbench, name);
    }
  });
}).timeout(120_000);
