/** The first act in a fresh window, in numbered pictures: up to a running extension, and on a machine without a browser. */
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { nameBrowser, withoutBrowser } from '../workbench/noBrowser';
import { BUTTONS, MESSAGES } from '../workbench/phrases';
import { openBrowsers, whenRunning } from '../workbench/pushing';
import { commandTitle } from '../workbench/titles';
import { openWindow, type OpenWindow } from '../workbench/window';

/** Longest time for a browser to start and run the extension, in milliseconds. */
const RUN_LIMIT_MS = 60_000;

/** How long the window may take to show what was done, in milliseconds. */
const SETTLE_MS = 1500;

/** How long a shell may take to show what was typed into it, in milliseconds. */
const SHELL_MS = 6000;

/** Takes the pictures of both ways into the folder, each way in one of its own. */
export async function takeFirstSuccess(folder: string): Promise<void> {
  await takeOneAct(await openWindow('first-success'), taker(join(folder, 'first-success')));
  const without = await withoutBrowser();
  if (!without) {
    console.log('On this machine no browser can be hidden, so there are no pictures without one.');
    return;
  }
  const { launcher, executable } = without;
  const window = await openWindow('no-browser', 'newest', { launcher, env: { SIDELOAD_BROWSER: '' } });
  await takeWithoutBrowser(window, executable, taker(join(folder, 'first-success-without-browser')));
}

/** Takes the next picture of a series: its number, and what it shows. */
type TakeNext = (window: OpenWindow, what: string) => Promise<void>;

function taker(folder: string): TakeNext {
  let number = 0;
  return async ({ workbench }, what) => {
    number += 1;
    await workbench.picture(join(folder, `${number}-${what}.png`));
  };
}

/** One click on "Run Extension" in the empty view. */
async function takeOneAct(window: OpenWindow, take: TakeNext): Promise<void> {
  const { workbench } = window;
  await take(window, 'fresh-window');
  await clickRun(window, take);
  // Whichever step is running then.
  await workbench.page.locator('.notifications-toasts .notification-toast').first().waitFor();
  await take(window, 'on-the-way');
  await takeRunning(window, take);
  await workbench.close();
}

/** The same click, and where its answer leads. */
async function takeWithoutBrowser(window: OpenWindow, executable: string, take: TakeNext): Promise<void> {
  const { workbench } = window;
  const { page } = workbench;
  await take(window, 'fresh-window');
  await clickRun(window, take);
  await workbench.notification(MESSAGES.noBrowser);
  // Progress stays for a moment.
  await page.waitForTimeout(SETTLE_MS);
  await take(window, 'what-was-looked-for');
  await workbench.press(BUTTONS.howToInstall);
  await workbench.asked();
  await take(window, 'how-to-install');
  await workbench.press(BUTTONS.putIntoTerminal);
  await page.locator('.terminal-wrapper .xterm-screen').waitFor();
  await page.waitForTimeout(SHELL_MS);
  await take(window, 'command-in-a-terminal');
  await workbench.hidePanel();

  await (await openBrowsers(workbench)).clickWelcome(commandTitle(COMMANDS.runExtension));
  await workbench.notification(MESSAGES.noBrowser);
  await workbench.press(BUTTONS.openSetting);
  await nameBrowser(window, executable);
  await take(window, 'setting-that-names-one');
  await page.keyboard.press('Escape');
  await (await openBrowsers(workbench)).clickWelcome(commandTitle(COMMANDS.runExtension));
  await takeRunning(window, take);
  await workbench.close();
}

/** Opens Sideload's view and clicks its button. */
async function clickRun({ workbench, ...rest }: OpenWindow, take: TakeNext): Promise<void> {
  const view = await openBrowsers(workbench);
  await workbench.page.mouse.move(0, 0);
  await workbench.statusBarItem('Activating Extensions').waitFor({ state: 'detached', timeout: RUN_LIMIT_MS });
  await workbench.page.waitForTimeout(SETTLE_MS);
  await take({ workbench, ...rest }, 'the-one-button');
  await view.clickWelcome(commandTitle(COMMANDS.runExtension));
}

async function takeRunning(window: OpenWindow, take: TakeNext): Promise<void> {
  const { page } = window.workbench;
  await whenRunning(window.workbench, RUN_LIMIT_MS);
  await page.mouse.move(0, 0);
  await page.waitForTimeout(SETTLE_MS);
  await take(window, 'running');
}
