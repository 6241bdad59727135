/**
 * One VS Code window for all tests of the user interface: opening it takes seconds. A file that imports this gets root hooks: after a
 * failed test a screenshot of each open window is taken, and dialogs and toasts of this one are closed; after the last test everything is closed.
 */
import { join } from 'node:path';
import { endAll } from '../support/cleanup';
import { FAILURES } from '../support/paths';
import { releaseOfSuite } from '../machine/releases';
import { closeWindow, openWindow, type OpenWindow } from './window';
import { Workbench } from './workbench';

/** Longest time to open the window, with all that must be fetched before, in milliseconds. */
const OPEN_LIMIT_MS = 20 * 60_000;

/** Longest time to close it: the local service ends some seconds after its last window. In milliseconds. */
const CLOSE_LIMIT_MS = 60_000;

export type SharedWindow = OpenWindow;

let shared: Promise<SharedWindow> | undefined;

/** Opens the window at the first call; later calls return the same window. Call it in a `before`, with its context. */
export function sharedWindow(test: Mocha.Context): Promise<SharedWindow> {
  test.timeout(OPEN_LIMIT_MS);
  const release = releaseOfSuite();
  shared ??= openWindow(release === 'newest' ? 'ui' : 'ui-oldest', release);
  return shared;
}

/** Closes the shared window and opens another one in its place, in which nothing has happened. */
export async function renewedWindow(): Promise<SharedWindow> {
  const before = shared && (await shared.catch(() => undefined));
  if (before) await closeWindow(before);
  const release = releaseOfSuite();
  shared = openWindow(release === 'newest' ? 'ui' : 'ui-oldest', release);
  return await shared;
}

afterEach(async function pictureOfFailure() {
  const test = this.currentTest;
  if (test?.state !== 'failed') return;
  const name = test
    .fullTitle()
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, 120);
  for (const [at, workbench] of Workbench.opened.entries()) {
    await workbench.picture(join(FAILURES, `${name}-${at + 1}.png`)).catch(() => undefined);
  }
  if (!shared) return;
  const { workbench } = await shared;
  // A dialog that stays open, or a toast over a button, would make later tests fail as well.
  await workbench.backOut();
  await workbench.clearNotifications().catch(() => undefined);
});

after(async function endEverything() {
  this.timeout(CLOSE_LIMIT_MS);
  await endAll();
});
