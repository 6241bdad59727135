/**
 * One VS Code window for all tests of the user interface: opening it takes seconds. A file that imports this gets
 * hooks for the whole run: a picture after each failed test, and the end of everything after the last.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBrowser } from './browser';
import { atEnd, endAll } from './cleanup';
import { CACHE, FAILURES, SAMPLE } from './paths';
import { startServer, windowAddress, type Server } from './server';
import { ensureServerBuild } from './serverBuild';
import { ensureVsix } from './vsix';
import { Workbench } from './workbench';

/** Longest time to open the window, with all that must be fetched before, in milliseconds. */
const OPEN_LIMIT_MS = 20 * 60_000;

/** Longest time to close it: the local service ends some seconds after its last window. In milliseconds. */
const CLOSE_LIMIT_MS = 60_000;

/** What the tests share: the window, its server and the folder that is open in it (a copy of the sample). */
export interface SharedWindow {
  readonly workbench: Workbench;
  readonly server: Server;
  readonly folder: string;
}

let shared: Promise<SharedWindow> | undefined;

/** Opens the window at the first call and gives the same one ever after. Call it in a `before` with `openLimit`. */
export function sharedWindow(test: Mocha.Context): Promise<SharedWindow> {
  test.timeout(OPEN_LIMIT_MS);
  shared ??= open();
  return shared;
}

async function open(): Promise<SharedWindow> {
  const report = (line: string): void => console.log(`  ${line}`);
  const browser = await ensureBrowser(report);
  const build = await ensureServerBuild(report);
  const vsix = await ensureVsix();
  const folder = await copySample();
  const server = await startServer(build, { name: 'ui', vsix });
  const workbench = await Workbench.open(windowAddress(server, { folder }), { browserPath: browser.path });
  return { workbench, server, folder };
}

async function copySample(): Promise<string> {
  await mkdir(join(CACHE, 'workspaces'), { recursive: true });
  const parent = await mkdtemp(join(CACHE, 'workspaces', 'ui-'));
  atEnd('workspace of the window', () => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'sample');
  await cp(SAMPLE, folder, { recursive: true });
  return folder;
}

afterEach(async function pictureOfFailure() {
  const test = this.currentTest;
  if (test?.state !== 'failed' || !shared) return;
  const name = test
    .fullTitle()
    .replaceAll(/[^\w-]+/g, '-')
    .slice(0, 120);
  const { workbench } = await shared;
  await workbench.picture(join(FAILURES, `${name}.png`));
});

after(async function endEverything() {
  this.timeout(CLOSE_LIMIT_MS);
  await endAll();
});
