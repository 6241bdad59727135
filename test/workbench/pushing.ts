import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { COMMANDS, VIEWS } from '../../src/ids';
import { readLocalService } from '../support/localService';
import { witnessOf, type Witness } from './observer';
import { BUTTONS, MESSAGES, STATUS_BAR } from './phrases';
import { commandTitle, containerTitle, paletteTitle, viewTitle } from './titles';
import type { View } from './view';
import type { OpenWindow } from './window';
import type { Workbench } from './workbench';

/** Longest time for starting a browser or for one push, in milliseconds. */
const WORK_LIMIT_MS = 90_000;

/** Longest time until the status bar follows a setting, in milliseconds. */
const STATUS_LIMIT_MS = 30_000;

/** Longest time until a click opens the question that it asks for, in milliseconds: a second click that comes after it would ask once more. */
const QUESTION_LIMIT_MS = 25_000;

/** How often a click is repeated that opens nothing. */
const CLICKS = 3;

/** Interval at which the status bar is read, in milliseconds. */
const LOOK_MS = 100;

/** What VS Code showed of one push. */
export interface SeenPush {
  /** Lines that the push wrote into the log, without time and level. */
  readonly lines: readonly string[];
  /** The status-bar item's label for screen readers. */
  readonly status: string;
  /** Dialogs during the push, with the button that was clicked. */
  readonly asked: readonly string[];
  readonly succeeded: boolean;
}

/** A browser whose row shows an extension that was pushed to it. */
export interface ExpandedBrowser {
  /** A DevTools connection to it, to be closed. */
  readonly witness: Witness;
  /** The list of browsers. */
  readonly view: View;
  /** Of the extension. */
  readonly id: string;
}

/** Opens Sideload's sidebar and returns its list of browsers. */
export async function openBrowsers(workbench: Workbench): Promise<View> {
  await workbench.openSidebar(containerTitle());
  const view = workbench.view(viewTitle(VIEWS.browsers));
  await view.open();
  return view;
}

/** Leaves the window to what is opened next: closes all editors, which are saved, and the panel. */
export async function makeRoom(workbench: Workbench): Promise<void> {
  await workbench.command('View: Close All Editors');
  if (await workbench.page.locator('.part.panel').isVisible()) await workbench.command('View: Hide Panel');
}

/** Asks for the lists of profiles and stored extensions, which are hidden while nothing for them is known; the sidebar is open. */
export async function openRecords(workbench: Workbench): Promise<void> {
  await openBrowsers(workbench);
  await workbench.run(COMMANDS.showRecords);
  for (const id of [VIEWS.profiles, VIEWS.extensions]) await workbench.view(viewTitle(id)).opened();
}

/** Clicks the button in the title of the list that creates a browser, until the box for its name is open; returns the list. */
export async function askForName(workbench: Workbench): Promise<View> {
  const view = await openBrowsers(workbench);
  // VS Code may draw the buttons of a view again at the very moment of the click, which is lost then.
  let isOpen = false;
  for (let click = 0; click < CLICKS && !isOpen; click++) {
    await view.clickAction(commandTitle(COMMANDS.createBrowser));
    isOpen = await workbench.quickInput.opensWithin(QUESTION_LIMIT_MS);
  }
  return view;
}

/** Creates a browser by the button in the title of the list, and waits for its row. */
export async function createBrowser(workbench: Workbench, name: string): Promise<void> {
  const view = await askForName(workbench);
  await workbench.quickInput.answer(name);
  // A click that was carried out late on a busy machine, after another, asks once more.
  if (!(await workbench.quickInput.closesWithin(QUESTION_LIMIT_MS))) await workbench.quickInput.cancel();
  await view.waitForRow(name, WORK_LIMIT_MS);
}

/** Creates a browser and pushes to it; returns a DevTools connection to it, to be closed, and the list of browsers. */
export async function createPushed({ workbench, server }: OpenWindow, name: string): Promise<[Witness, View]> {
  const view = await openBrowsers(workbench);
  await createBrowser(workbench, name);
  const push = await pushByRow(workbench, name);
  assert.ok(push.succeeded, push.status);
  // On a busy machine, it comes after the status bar has changed.
  await workbench.notification(MESSAGES.running);
  await workbench.clearNotifications();
  const local = await readLocalService(server.userDir);
  assert.ok(local, 'no local service is running');
  return [await witnessOf(local, name), view];
}

/** The same, with the row of the browser expanded, which shows the extension; returns its id besides. */
export async function createExpanded(shown: OpenWindow, name: string, extension: string): Promise<ExpandedBrowser> {
  const [witness, view] = await createPushed(shown, name);
  const pushed = (await witness.extensions()).find((one) => one.name === extension);
  assert.ok(pushed, `${extension} is not in the browser`);
  await view.row(name).click();
  await shown.workbench.page.keyboard.press('ArrowRight');
  await view.waitForRow(extension, WORK_LIMIT_MS);
  return { witness, view, id: pushed.id };
}

/** Deletes a browser by the command, and waits until its row is gone. */
export async function deleteBrowser(workbench: Workbench, name: string): Promise<void> {
  const view = await openBrowsers(workbench);
  await workbench.commandThatAsks(paletteTitle(COMMANDS.deleteBrowser));
  await workbench.quickInput.pick(name);
  await workbench.press(BUTTONS.delete);
  await view.row(name).waitFor({ state: 'detached' });
}

/** Pushes by the button in the row of a browser, and waits for the end of the push. */
export async function pushByRow(workbench: Workbench, browser: string): Promise<SeenPush> {
  const view = await openBrowsers(workbench);
  return await pushBy(workbench, () => view.clickRowAction(browser, commandTitle(COMMANDS.pushToRow)));
}

/** Pushes by what `act` does in the window, and waits for the end of the push. */
export async function pushBy(workbench: Workbench, act: () => Promise<unknown>): Promise<SeenPush> {
  const from = (await readLog(workbench)).length;
  const before = await statusLabel(workbench);
  await whenSecondAfter(before);
  await act();
  return watchPush(workbench, before, from);
}

/** Waits until the second is over whose time a label of the status bar says: another push that ends like that one would say the same. */
async function whenSecondAfter(label: string): Promise<void> {
  const [, second] = /\d:\d\d:(\d\d)/.exec(label) ?? [];
  while (second !== undefined && new Date().getSeconds() === Number(second)) {
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
}

/** Lines of Sideload's log, without time and level. */
export async function readLog(workbench: Workbench): Promise<string[]> {
  return workbench.readLog ? (await workbench.readLog()).map(withoutTime) : readShownLog(workbench);
}

/** The same as the Output panel shows it, opened by the command for it. */
export async function readShownLog(workbench: Workbench): Promise<string[]> {
  await workbench.command(paletteTitle(COMMANDS.showLog));
  return (await workbench.output.lines()).map(withoutTime);
}

/** The item of the status bar about the last push. */
export function pushItem({ page }: Workbench): Locator {
  return page.locator('.part.statusbar .statusbar-item[id$="sideload.push"]');
}

/** Waits until the item shows, in whatever language, that a build runs. */
export async function whenRunning(workbench: Workbench, limitMs: number): Promise<void> {
  await pushItem(workbench).locator('.codicon-check').waitFor({ timeout: limitMs });
}

/** The status bar's label of the last push. */
export async function statusLabel(workbench: Workbench): Promise<string> {
  const item = pushItem(workbench).locator('a, [role="button"]');
  // It is there once Sideload runs, which starts after VS Code has drawn its window.
  await item.first().waitFor({ timeout: WORK_LIMIT_MS });
  return (await item.first().getAttribute('aria-label')) ?? '';
}

/** Waits until the label in the status bar matches, and returns it. */
export async function whenStatus(workbench: Workbench, pattern: RegExp): Promise<string> {
  const end = performance.now() + STATUS_LIMIT_MS;
  for (;;) {
    const status = await statusLabel(workbench);
    if (pattern.test(status)) return status;
    if (performance.now() > end) throw new Error(`The status bar does not come to say ${pattern}; it says: ${status}`);
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
}

/**
 * Waits for the end of a push that began when the status bar's label was `before` and the log had `from` lines. Confirms the restart
 * of the browser.
 */
export async function watchPush(workbench: Workbench, before: string, from: number): Promise<SeenPush> {
  const asked: string[] = [];
  const end = performance.now() + WORK_LIMIT_MS;
  for (;;) {
    const question = await workbench.question();
    if (question !== undefined) {
      await whenStatus(workbench, STATUS_BAR.asking);
      await workbench.press(BUTTONS.restartAndPush);
      asked.push(`${question} -> ${BUTTONS.restartAndPush}`);
    }
    const status = await statusLabel(workbench);
    const isOver = !status.includes(STATUS_BAR.pushing) && !status.includes(STATUS_BAR.notYet);
    if (status !== before && isOver) {
      await workbench.noToast(MESSAGES.pushing);
      const lines = (await readLog(workbench)).slice(from);
      return { lines, status, asked, succeeded: status.includes(STATUS_BAR.running) };
    }
    if (performance.now() > end)
      throw new Error(`The push did not end within ${WORK_LIMIT_MS / 1000} s; the status bar says: ${status}`);
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
}

function withoutTime(line: string): string {
  return line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \[\w+\] /, '');
}
