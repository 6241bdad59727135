// Covers: src/editor/push, src/editor/testing, src/editor/browsers, src/editor/targets, src/push
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { readLocalService } from '../support/localService';
import { witnessOf, type Witness } from '../workbench/observer';
import { SAMPLE } from '../support/paths';
import { BUTTONS, DIALOGS, MESSAGES, ROW_TEXTS, STATUS_BAR, TEST_ROWS } from '../workbench/phrases';
import { createBrowser, openBrowsers, pushBy, type SeenPush, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';

const BROWSERS = ['ui-left', 'ui-right'];

/** VS Code shows no more than three toasts within this time, in milliseconds. */
const TOASTS_MS = 800;

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

  /** The number of the build that the worker of the sample says it is, browser by browser; undefined where it does not run. */
  async function builds(): Promise<unknown[]> {
    return Promise.all(
      BROWSERS.map(async (browser) => {
        const seen = await witness(browser);
        try {
          const sample = (await seen.extensions()).find((loaded) => loaded.name === 'Sideload Sample');
          return sample && (await seen.workerGlobal(sample.id, 'severalBuild'));
        } finally {
          await seen.close();
        }
      }),
    );
  }

  let saved = 0;

  /** Saves a build with a number of its own, which it returns. */
  async function saveBuild(): Promise<number> {
    saved += 1;
    await shared.workbench.editors.open('background.js');
    await shared.workbench.editors.appendLine(`globalThis.severalBuild = ${saved};`);
    return saved;
  }

  /** Pins these of the browsers, and no other ones. */
  async function pin(names: readonly string[]): Promise<void> {
    const view = await openBrowsers(shared.workbench);
    for (const name of BROWSERS) {
      const pinned = ROW_TEXTS.pinnedTarget(name);
      const isPinned = (await view.rows()).some((row) => pinned.test(row));
      if (isPinned === names.includes(name)) continue;
      await view.clickRowAction(name, commandTitle(isPinned ? COMMANDS.unpinBrowser : COMMANDS.pinBrowser));
      if (isPinned) await view.row(pinned).waitFor({ state: 'detached' });
      else await view.waitForRow(pinned);
    }
  }

  function push(): Promise<SeenPush> {
    return pushBy(shared.workbench, () => shared.workbench.command(paletteTitle(COMMANDS.push)));
  }

  /** Pushes to both, unless a test before has done so; returns which builds run. */
  async function pushed(): Promise<unknown[]> {
    const running = await builds();
    if (!running.includes(undefined)) return running;
    await pin(BROWSERS);
    await saveBuild();
    const { succeeded, status } = await push();
    assert.ok(succeeded, status);
    return await builds();
  }

  it('pins them by the buttons of their rows, which then show that they are targets', async () => {
    await pin([]);
    await pin(BROWSERS);
  });

  it('asks nothing for a first push, and then reports that both run the build', async () => {
    const { workbench } = shared;
    await pin(BROWSERS);
    for (const name of BROWSERS) {
      const seen = await witness(name);
      await seen.openPage('data:text/html,<title>A form</title>');
      await seen.close();
    }
    const build = await saveBuild();
    const { asked, succeeded, status, lines } = await push();
    assert.deepEqual(asked, []);
    assert.equal(succeeded, true, status);
    assert.match(status, STATUS_BAR.runningInSeveral(2));
    const { message } = await workbench.notification(MESSAGES.runningInAll(BROWSERS));
    assert.ok(lines.includes(message));
    assert.deepEqual(await builds(), [build, build]);
  });

  it('tests it in both from the Test view, with a row for each browser below each test', async () => {
    const { workbench } = shared;
    await pushed();
    await pin(BROWSERS);
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
    const [before] = await pushed();
    await pin(BROWSERS);
    await workbench.clearNotifications();
    const build = await saveBuild();
    await workbench.runThatAsks(COMMANDS.pushToSeveral);
    await workbench.quickInput.tick(['ui-right']);
    // The status bar follows the choice already before the push.
    await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
    assert.deepEqual(await builds(), [before, build]);
    const view = await openBrowsers(workbench);
    await view.waitForRow(ROW_TEXTS.pinnedTarget('ui-right'));
    assert.doesNotMatch((await view.rows()).join('\n'), ROW_TEXTS.target('ui-left'));
  });

  it('goes to the chosen ones by the button above the list, also when the row of another has the focus', async () => {
    const { workbench } = shared;
    const [before] = await pushed();
    await pin(['ui-right']);
    await workbench.clearNotifications();
    const build = await saveBuild();
    const view = await openBrowsers(workbench);
    await view.row('ui-left').click();
    await view.clickAction(commandTitle(COMMANDS.push));
    await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
    assert.deepEqual(await builds(), [before, build]);
  });

  it('names another enabled copy of the extension, and removes it on request', async () => {
    const { workbench } = shared;
    const before = await pushed();
    await pin(['ui-right']);
    const seen = await witness('ui-right');
    // The last push was reported in the words that this one is waited for by.
    await workbench.clearNotifications();
    const copy = await seen.loadCopy(SAMPLE);
    const isThere = async (): Promise<boolean> => (await seen.extensions()).some(({ id }) => id === copy);
    try {
      assert.equal((await seen.extensions()).length, 2);
      const { succeeded, status } = await push();
      assert.equal(succeeded, false);
      assert.match(status, new RegExp(copy));
      await new Promise((settle) => setTimeout(settle, TOASTS_MS));
      await workbench.press(BUTTONS.removeOtherCopies);
      assert.match(await workbench.asked(), DIALOGS.removeOtherCopy);
      await workbench.press(BUTTONS.remove);
      await workbench.notification(MESSAGES.runningIn('Sideload Sample 1.0.0', 'ui-right'));
      assert.equal((await seen.extensions()).length, 1);
      assert.ok(!(await isThere()));
    } finally {
      if (await isThere()) await seen.uninstall(copy);
      await seen.close();
    }
    assert.deepEqual(await builds(), before);
  });

  it('ends when the last browser is unpinned', async () => {
    await pin(['ui-right']);
    // Who pushes to one browser chooses it.
    const { succeeded, status } = await push();
    assert.ok(succeeded, status);
    const view = await openBrowsers(shared.workbench);
    await view.clickRowAction('ui-right', commandTitle(COMMANDS.unpinBrowser));
    await view.row(ROW_TEXTS.pinned).waitFor({ state: 'detached' });
    await whenStatus(shared.workbench, STATUS_BAR.runningIn('ui-right'));
  });
}).timeout(120_000);
