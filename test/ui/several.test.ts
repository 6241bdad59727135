// Covers: src/editor/push, src/editor/testing, src/editor/browsers, src/editor/targets, src/push
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { readLocalService } from '../support/localService';
import { witnessOf, type Witness } from '../workbench/observer';
import { SAMPLE } from '../support/paths';
import { BUTTONS, DIALOGS, MESSAGES, ROW_TEXTS, STATUS_BAR, TEST_ROWS } from '../workbench/phrases';
import { createBrowser, openBrowsers, readLog, statusLabel, watchPush, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';

const BROWSERS = ['ui-left', 'ui-right'];

/** Longest time for the tests of the extension in both browsers, in milliseconds. */
const TESTS_LIMIT_MS = 60_000;

describe('pushing to several browsers from the window', () => {
  let shared: SharedWindow;

  before(async function () {
    shared = await sharedWindow(this);
    for (const name of BROWSERS) await createBrowser(shared.workbench, name);
  });

  after(async function () {
    this.timeout(120_000);
    const view = await openBrowsers(shared.workbench);
    for (const name of BROWSERS) {
      await view.clickRowMenu(name, commandTitle(COMMANDS.deleteBrowser));
      await shared.workbench.press(BUTTONS.delete);
      await view.row(name).waitFor({ state: 'detached' });
    }
  });

  async function witness(browser: string): Promise<Witness> {
    const service = await readLocalService(shared.server.userDir);
    assert.ok(service, 'no local service is running');
    return witnessOf(service, browser);
  }

  /** What the workers of the sample say of their build, browser by browser. */
  async function builds(name: string): Promise<unknown[]> {
    return Promise.all(
      BROWSERS.map(async (browser) => {
        const seen = await witness(browser);
        try {
          const [sample] = (await seen.extensions()).filter((loaded) => loaded.name === 'Sideload Sample');
          return await seen.workerGlobal(sample?.id ?? '', name);
        } finally {
          await seen.close();
        }
      }),
    );
  }

  it('pins them by the buttons of their rows, which then show that they are targets', async () => {
    const view = await openBrowsers(shared.workbench);
    for (const name of BROWSERS) {
      await view.clickRowAction(name, commandTitle(COMMANDS.pinBrowser));
      await view.waitForRow(ROW_TEXTS.pinnedTarget(name));
    }
  });

  it('asks once before Chromium restarts, and then reports that both run the build', async () => {
    const { workbench } = shared;
    for (const name of BROWSERS) {
      const seen = await witness(name);
      await seen.openPage('data:text/html,<title>A form</title>');
      await seen.close();
    }
    const from = (await readLog(workbench)).length;
    await workbench.editors.open('background.js');
    await workbench.editors.appendLine('globalThis.severalBuild = 1;');
    const before = await statusLabel(workbench);
    await workbench.command(paletteTitle(COMMANDS.push));
    const push = await watchPush(workbench, before, from);
    assert.equal(push.asked.length, 1, push.asked.join('\n'));
    assert.match(push.asked[0] ?? '', /ui-left, ui-right/);
    assert.equal(push.succeeded, true, push.status);
    assert.match(push.status, STATUS_BAR.runningInSeveral(2));
    const { message } = await workbench.notification(MESSAGES.runningInAll(BROWSERS));
    assert.ok(push.lines.includes(message));
    assert.deepEqual(await builds('severalBuild'), [1, 1]);
  });

  it('tests it in both from the Test view, with a row for each browser below each test', async () => {
    const { workbench } = shared;
    const seen = await witness('ui-right');
    const copy = await seen.loadCopy(SAMPLE);
    try {
      await workbench.command('Testing: Focus on Test Explorer View');
      await workbench.command('Test: Run All Tests');
      const row = (name: RegExp): Locator => workbench.page.locator('.test-explorer').getByRole('treeitem', { name });
      const expand = async (name: RegExp): Promise<void> => {
        await row(name).waitFor({ timeout: TESTS_LIMIT_MS });
        await row(name).locator('.monaco-tl-twistie').click();
      };
      await expand(TEST_ROWS.failed('sample'));
      await expand(TEST_ROWS.failed(TEST_ROWS.alone));
      await row(TEST_ROWS.passed('ui-left')).waitFor();
      await row(TEST_ROWS.failed('ui-right')).waitFor();
    } finally {
      await seen.uninstall(copy);
      await seen.close();
    }
  });

  it('goes to the browsers that are checked in the list, also later', async () => {
    const { workbench } = shared;
    await workbench.clearNotifications();
    await workbench.editors.open('background.js');
    await workbench.editors.appendLine('globalThis.severalBuild = 2;');
    await workbench.runThatAsks(COMMANDS.pushToSeveral);
    await workbench.quickInput.tick(['ui-right']);
    // The status bar follows the choice already before the push.
    await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
    assert.deepEqual(await builds('severalBuild'), [1, 2]);
    const view = await openBrowsers(workbench);
    await view.waitForRow(ROW_TEXTS.pinnedTarget('ui-right'));
    assert.doesNotMatch((await view.rows()).join('\n'), ROW_TEXTS.target('ui-left'));
  });

  it('goes to the chosen ones by the button above the list, also when the row of another has the focus', async () => {
    const { workbench } = shared;
    await workbench.clearNotifications();
    await workbench.editors.open('background.js');
    await workbench.editors.appendLine('globalThis.severalBuild = 3;');
    const view = await openBrowsers(workbench);
    await view.row('ui-left').click();
    await view.clickAction(commandTitle(COMMANDS.push));
    await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
    assert.deepEqual(await builds('severalBuild'), [1, 3]);
  });

  it('names another enabled copy of the extension, and removes it on request', async () => {
    const { workbench } = shared;
    const seen = await witness('ui-right');
    // The push before was told in the words that this one is waited for by.
    await workbench.clearNotifications();
    try {
      const copy = await seen.loadCopy(SAMPLE);
      assert.equal((await seen.extensions()).length, 2);
      const from = (await readLog(workbench)).length;
      const before = await statusLabel(workbench);
      await workbench.command(paletteTitle(COMMANDS.push));
      const push = await watchPush(workbench, before, from);
      assert.equal(push.succeeded, false);
      assert.match(push.status, new RegExp(copy));
      await workbench.press(BUTTONS.removeOtherCopies);
      assert.match(await workbench.asked(), DIALOGS.removeOtherCopy);
      await workbench.press(BUTTONS.remove);
      await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
      const left = await seen.extensions();
      assert.equal(left.length, 1);
      assert.notEqual(left[0]?.id, copy);
    } finally {
      await seen.close();
    }
    assert.deepEqual(await builds('severalBuild'), [1, 3]);
  });

  it('ends when the last browser is unpinned', async () => {
    const view = await openBrowsers(shared.workbench);
    await view.clickRowAction('ui-right', commandTitle(COMMANDS.unpinBrowser));
    await view.row(ROW_TEXTS.pinned).waitFor({ state: 'detached' });
    await whenStatus(shared.workbench, STATUS_BAR.runningIn('ui-right'));
  });
}).timeout(120_000);
