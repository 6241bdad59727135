// Covers: src/editor/push, src/editor/problems, src/push
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { DevTools } from '../contract/devtools';
import { localDevToolsAddress } from '../support/localService';
import { CACHE } from '../support/paths';
import { BUTTONS, STATUS_BAR } from '../workbench/phrases';
import { createBrowser, openBrowsers, pushByRow, whenStatus } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';

const BROWSER = 'ui-loop';

/** Longest time for a single save, in milliseconds. */
const SAVE_LIMIT_MS = 30_000;

/** Saves, one after the other: how fast they are is for the bench to say. */
const SAVES = 5;

/** Longest time until a worker answers, in milliseconds: Chromium may list a dead one, which never does. */
const ANSWER_LIMIT_MS = 500;

/** Time between two looks, in milliseconds. */
const LOOK_MS = 10;

/** Longest time for Problems to follow, in milliseconds. */
const PROBLEMS_LIMIT_MS = 30_000;

describe('push on save in the window', () => {
  let shared: SharedWindow;
  let devtools: DevTools;
  let good = '';

  before(async function () {
    shared = await sharedWindow(this);
    this.timeout(120_000);
    await createBrowser(shared.workbench, BROWSER);
    good = await readFile(join(shared.folder, 'background.js'), 'utf8');
    const push = await pushByRow(shared.workbench, BROWSER);
    assert.equal(push.succeeded, true, push.status);
    await shared.workbench.clearNotifications();
    await shared.workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(shared.workbench, STATUS_BAR.pushOnSaveIsOn);
    devtools = await DevTools.connect(await localDevToolsAddress(shared.server.userDir, BROWSER));
  });

  after(async function () {
    this.timeout(120_000);
    devtools.close();
    const { workbench } = shared;
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
    // After a failure it is still the one that throws.
    await writeFile(join(shared.folder, 'background.js'), good);
    await workbench.clearNotifications();
    await (await openBrowsers(workbench)).clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
    await workbench.press(BUTTONS.delete);
  });

  /** Waits until a worker says so. */
  async function untilWorkerSays(expression: string, wanted: unknown): Promise<void> {
    const begin = performance.now();
    for (;;) {
      const seen = await devtools.askWorkers(expression, ANSWER_LIMIT_MS).catch((): unknown[] => []);
      const ms = performance.now() - begin;
      if (seen.includes(wanted)) return;
      assert.ok(ms < SAVE_LIMIT_MS, `${expression} is ${JSON.stringify(seen)} after ${Math.round(ms)} ms`);
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  }

  const picture = (name: string): Promise<void> => shared.workbench.picture(join(CACHE, 'pictures', `${name}.png`));

  it('runs the new worker of each save', async () => {
    const { editors } = shared.workbench;
    await editors.open('background.js');
    for (let build = 1; build <= SAVES; build++) {
      await editors.appendLine(`globalThis.loopBuild = ${build};`);
      await Promise.all([untilWorkerSays('globalThis.loopBuild', build), editors.save()]);
    }
    await whenStatus(shared.workbench, STATUS_BAR.runningIn(BROWSER));
    await shared.workbench.command(paletteTitle(COMMANDS.showLog));
    await picture('running');
  });

  it('shows an error of the worker in Problems and in the status bar until a good build is saved', async () => {
    const { workbench } = shared;
    await workbench.editors.open('background.js');
    await workbench.editors.replaceAll(`${good}\nthrow new Error('no luck');\n`);
    await workbench.editors.save();
    await workbench.problems.open();
    await workbench.problems.waitFor('no luck', PROBLEMS_LIMIT_MS);
    const problem = (await workbench.problems.read()).find(({ message }) => message.includes('no luck'));
    assert.equal(problem?.file, 'background.js');
    assert.equal(problem.line, good.split('\n').length + 1);
    await whenStatus(workbench, STATUS_BAR.failedIn(BROWSER));
    await workbench.statusBarItem(STATUS_BAR.workerFailed).waitFor();
    await picture('worker-fails');

    await workbench.editors.open('background.js');
    await workbench.editors.replaceAll(`${good}\nglobalThis.loopBuild = 100;\n`);
    await workbench.editors.save();
    await untilWorkerSays('globalThis.loopBuild', 100);
    await workbench.problems.open();
    await workbench.problems.waitForNone('no luck', PROBLEMS_LIMIT_MS);
    await whenStatus(workbench, STATUS_BAR.runningIn(BROWSER));
    await workbench.editors.replaceAllIn('background.js', good);
  });
}).timeout(120_000);
