// Covers: src/editor/service, src/local/chromium
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { nameBrowser, withoutBrowser, type WithoutBrowser } from '../workbench/noBrowser';
import { CACHE } from '../support/paths';
import { BUTTONS, DIALOGS, MESSAGES, QUICK_INPUT } from '../workbench/phrases';
import { openBrowsers, whenRunning } from '../workbench/pushing';
import { releaseOfSuite } from '../machine/releases';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';
import { openWindow, type OpenWindow } from '../workbench/window';

/** Longest time to open a window, and to close it, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;
const CLOSE_LIMIT_MS = 60_000;

/** How long a new terminal may take to show what was put into it, in milliseconds. */
const TERMINAL_MS = 4000;

/** Pause before the same message is expected as a toast again, in milliseconds: at once, it was seen in the notification centre only. */
const TOAST_MS = 1500;

/** Longest time for a browser to start and run the extension, in milliseconds. */
const RUN_LIMIT_MS = 120_000;

describe('a machine without a browser', () => {
  let window: OpenWindow;
  let without: WithoutBrowser;

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    const found = await withoutBrowser();
    // Elsewhere a browser cannot be hidden from one program alone.
    if (!found) this.skip();
    without = found;
    const { launcher } = without;
    window = await openWindow('no-browser', releaseOfSuite(), { launcher, env: { SIDELOAD_BROWSER: '' } });
  });

  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await window?.workbench.close();
    await window?.server.stop();
  });

  /** To be looked at. */
  const picture = (name: string): Promise<void> =>
    window.workbench.picture(join(CACHE, 'pictures', 'without-browser', `${name}.png`));

  /** Fails to run the extension, and presses a button of what is said then. */
  async function runAndPress(button: string): Promise<void> {
    const { workbench } = window;
    await workbench.command(paletteTitle(COMMANDS.runExtension));
    await workbench.notification(MESSAGES.noBrowser);
    await workbench.press(button);
  }

  it('is told by what was looked for and where, with three ways out', async () => {
    const { workbench } = window;
    const browsers = await openBrowsers(workbench);
    await picture('1-empty');
    await browsers.clickWelcome(commandTitle(COMMANDS.runExtension));
    const { buttons } = await workbench.notification(MESSAGES.noBrowser);
    await picture('2-told');
    assert.deepEqual(buttons, [BUTTONS.openSetting, BUTTONS.howToInstall, BUTTONS.chooseService]);
    await workbench.clearNotifications();
  });

  it('leads to the setting that names a browser', async () => {
    const { workbench } = window;
    await runAndPress(BUTTONS.openSetting);
    // Its name also stands in the box above, so that the description is what shows that it was found.
    const descriptions = workbench.page.locator('.settings-editor .setting-item-description');
    await descriptions.filter({ hasText: /SIDELOAD_BROWSER|PATH/ }).waitFor();
    await picture('3-setting');
    await workbench.page.keyboard.press('Escape');
  });

  it('says how one is installed, and puts the command into a terminal without running it', async () => {
    const { workbench } = window;
    await runAndPress(BUTTONS.howToInstall);
    assert.equal(await workbench.asked(), DIALOGS.installBrowser);
    await picture('4-install');
    await workbench.press(BUTTONS.putIntoTerminal);
    await workbench.page.locator('.terminal-wrapper .xterm-screen').waitFor();
    await workbench.page.waitForTimeout(TERMINAL_MS);
    await picture('5-terminal');
    await workbench.hidePanel();
  });

  it('leads to another service', async () => {
    const { workbench } = window;
    await runAndPress(BUTTONS.chooseService);
    await workbench.quickInput.opened();
    assert.ok((await workbench.quickInput.entries()).some((entry) => entry.startsWith(QUICK_INPUT.localService)));
    await picture('6-service');
    await workbench.quickInput.cancel();
  });

  it('starts the browser that the setting names, also when its service runs already', async () => {
    const { workbench } = window;
    await workbench.page.waitForTimeout(TOAST_MS);
    await runAndPress(BUTTONS.openSetting);
    await nameBrowser(window, without.executable);
    await workbench.page.keyboard.press('Escape');
    await workbench.command(paletteTitle(COMMANDS.runExtension));
    await whenRunning(workbench, RUN_LIMIT_MS);
    await picture('7-running');
  });
}).timeout(240_000);
