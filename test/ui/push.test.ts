// Covers: src/editor/push, src/editor/problems, src/push
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { runChild } from '../support/child';
import { readLocalService } from '../support/localService';
import { witnessOf, type Witness } from '../workbench/observer';
import { ROOT } from '../support/paths';
import { BUTTONS, LOG, MESSAGES, PROBLEMS, ROW_TEXTS, STATUS_BAR, WELCOME } from '../workbench/phrases';
import {
  createBrowser,
  openBrowsers,
  pushByRow,
  readLog,
  readShownLog,
  statusLabel,
  watchPush,
  whenStatus,
} from '../workbench/pushing';
import { renewedWindow, sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, viewTitle } from '../workbench/titles';
import { Walk } from '../workbench/walk';

const BROWSER = 'ui-browser';

/** Longest time to open another window, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;

/** Longest time for Problems to follow what is typed, in milliseconds. */
const PROBLEMS_LIMIT_MS = 30_000;

/** Longest time until the Output panel shows what is in the log, in milliseconds. */
const LOG_LIMIT_MS = 30_000;

/** Longest time for another program to push, in milliseconds. */
const PROGRAM_LIMIT_MS = 60_000;

describe('pushing from the window', () => {
  let shared: SharedWindow;
  let witness: Witness | undefined;
  let extensionId = '';

  /** Pushes a build with this number for the first time. */
  const firstPush = async (build: number): Promise<void> => {
    await appendFile(join(shared.folder, 'background.js'), `globalThis.uiBuild = ${build};\n`);
    const push = await pushByRow(shared.workbench, BROWSER);
    assert.equal(push.succeeded, true, push.status);
    extensionId = LOG.extensionId.exec(push.lines.join('\n'))?.[1] ?? '';
    await shared.workbench.clearNotifications();
  };

  const walk = new Walk(
    {
      browser: { reach: () => createBrowser(shared.workbench, BROWSER) },
      'build 1': { after: 'browser', reach: () => firstPush(1) },
      'build 2': { after: 'browser', reach: () => firstPush(2) },
      'build 3': { after: 'browser', reach: () => firstPush(3) },
      'build 4': { after: 'browser', reach: () => firstPush(4) },
    },
    async () => {
      await witness?.close().catch(() => undefined);
      witness = undefined;
      shared = await renewedWindow();
    },
  );

  before(async function () {
    shared = await sharedWindow(this);
  });

  after(async function () {
    this.timeout(OPEN_LIMIT_MS);
    await witness?.close();
    // Of the tests of other files.
    if (walk.state !== 'window') await renewedWindow();
  });

  /** A new connection each time, since Chromium may have restarted. */
  async function browserItself(): Promise<Witness> {
    await witness?.close();
    const service = await readLocalService(shared.server.userDir);
    assert.ok(service, 'no local service is running');
    return (witness = await witnessOf(service, BROWSER));
  }

  walk.it('creates a browser by the button in the title of the list', ['window', 'browser'], async () => {
    await createBrowser(shared.workbench, BROWSER);
    const rows = await (await openBrowsers(shared.workbench)).rows();
    assert.equal(rows.length, 1);
    assert.match(rows[0] ?? '', ROW_TEXTS.newTarget(BROWSER));
  });

  walk.it('shows its log by a command', 'browser', async () => {
    await shared.workbench.command(paletteTitle(COMMANDS.showLog));
    await shared.workbench.output.waitForLine(LOG.browserStarted(BROWSER), LOG_LIMIT_MS);
    assert.deepEqual(await readShownLog(shared.workbench), await readLog(shared.workbench));
  });

  walk.it(
    'pushes the first build to a Chromium with open pages, which stay, without a question, then reports what runs',
    ['browser', 'build 1'],
    async () => {
      const form = 'data:text/html,<title>A form</title>';
      await (await browserItself()).openPage(form);
      const push = await pushByRow(shared.workbench, BROWSER);
      assert.deepEqual(push.asked, []);
      assert.equal(push.succeeded, true, push.status);
      assert.ok((await browserItself()).pages().includes(form), 'the page was closed');
      const told = push.lines.join('\n');
      for (const part of [LOG.checked, LOG.packedFiles(9), LOG.uploaded, LOG.version('1.0.0'), LOG.workerRuns]) {
        assert.match(told, part);
      }
      const { message } = await shared.workbench.notification(STATUS_BAR.runningIn(BROWSER));
      assert.match(message, MESSAGES.runningIn('Sideload Sample 1.0.0', BROWSER));
      extensionId = LOG.extensionId.exec(told)?.[1] ?? '';
    },
  );

  walk.it('has loaded exactly one enabled copy in the browser', 'build 1', async () => {
    const loaded = await (await browserItself()).extensions();
    assert.deepEqual(loaded, [{ id: extensionId, name: 'Sideload Sample', version: '1.0.0', enabled: true }]);
  });

  walk.it('runs the new code after the next push, without a dialog', ['build 1', 'build 2'], async () => {
    const { editors } = shared.workbench;
    await editors.open('background.js');
    await editors.appendLine('globalThis.uiBuild = 2;');
    await editors.save();
    const push = await pushByRow(shared.workbench, BROWSER);
    assert.equal(push.succeeded, true, push.status);
    assert.deepEqual(push.asked, []);
    assert.equal(await (await browserItself()).workerGlobal(extensionId, 'uiBuild'), 2);
  });

  walk.it(
    'shows that another program has pushed the same version with other files, until it pushes itself',
    'build 2',
    async () => {
      const { workbench, folder, server } = shared;
      const service = await readLocalService(server.userDir);
      assert.ok(service, 'no local service is running');
      const other = await mkdtemp(join(tmpdir(), 'sideload-other-'));
      try {
        await cp(folder, other, { recursive: true });
        await appendFile(join(other, 'background.js'), 'globalThis.uiBuild = "other";\n');
        const args = [join(ROOT, 'dist', 'cli.js'), 'push', other, '--service', service.baseUrl, '--browser', BROWSER];
        const env = { ...process.env, SIDELOAD_TOKEN: service.token };
        const lines: string[] = [];
        const output = { line: (line: string) => lines.push(line) };
        const { code } = await runChild(process.execPath, args, { env, output, limitMs: PROGRAM_LIMIT_MS });
        assert.equal(code, 0, lines.join('\n'));
      } finally {
        await rm(other, { recursive: true });
      }
      await whenStatus(workbench, STATUS_BAR.byOther(BROWSER));
      const [row = ''] = await (await openBrowsers(workbench)).rows();
      assert.match(row, ROW_TEXTS.byOther(BROWSER));
      assert.equal((await pushByRow(workbench, BROWSER)).succeeded, true);
      const [after = ''] = await (await openBrowsers(workbench)).rows();
      assert.match(after, ROW_TEXTS.running(BROWSER));
      assert.equal(await (await browserItself()).workerGlobal(extensionId, 'uiBuild'), 2);
    },
  );

  walk.it('saves unsaved changes before a push by the command palette', ['build 2', 'build 3'], async () => {
    const { workbench } = shared;
    const from = (await readLog(workbench)).length;
    await workbench.editors.open('background.js');
    await workbench.editors.appendLine('globalThis.uiBuild = 3;');
    const before = await statusLabel(workbench);
    await workbench.command(paletteTitle(COMMANDS.push));
    const push = await watchPush(workbench, before, from);
    assert.equal(push.succeeded, true, push.status);
    assert.match(await readFile(join(shared.folder, 'background.js'), 'utf8'), /uiBuild = 3/);
    assert.equal(await (await browserItself()).workerGlobal(extensionId, 'uiBuild'), 3);
  });

  walk.it('shows the error of a worker as text, in which nothing can be clicked', 'build 3', async () => {
    const { workbench, folder } = shared;
    const file = join(folder, 'background.js');
    const good = await readFile(file, 'utf8');
    await writeFile(file, "throw new Error('[Run](command:workbench.action.toggleZenMode) $(trash) \\u202eabc');\n");
    const push = await pushByRow(workbench, BROWSER);
    assert.equal(push.succeeded, false);
    const { message } = await workbench.notification(MESSAGES.workerFailed);
    assert.match(
      message.replaceAll('\u200b', ''),
      /\[Run\]\(command:workbench\.action\.toggleZenMode\) \$\(trash\) abc/,
    );
    const shown = workbench.page.locator('.notification-toast').filter({ hasText: MESSAGES.workerFailed });
    assert.equal(
      await shown.locator('.notification-list-item-message a, .notification-list-item-message .codicon').count(),
      0,
    );
    await workbench.clearNotifications();
    await writeFile(file, good);
    assert.equal((await pushByRow(workbench, BROWSER)).succeeded, true);
  });

  walk.it('pushes on save once that is switched on', ['build 3', 'build 4'], async () => {
    const { workbench } = shared;
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    const before = await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    const from = (await readLog(workbench)).length;
    await workbench.editors.open('background.js');
    await workbench.editors.appendLine('globalThis.uiBuild = 4;');
    await workbench.editors.save();
    const push = await watchPush(workbench, before, from);
    assert.equal(push.succeeded, true, push.status);
    assert.equal(await (await browserItself()).workerGlobal(extensionId, 'uiBuild'), 4);
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
  });

  walk.it('pushes the output of a bundler once it is complete', 'build 4', async () => {
    const { workbench, folder } = shared;
    await mkdir(join(folder, '.vscode'), { recursive: true });
    await writeFile(join(folder, '.vscode', 'settings.json'), '{ "sideload.pushOnSave": "onBuild" }');
    const before = await whenStatus(workbench, STATUS_BAR.pushOnBuildIsOn);
    const from = (await readLog(workbench)).length;
    const worker = join(folder, 'background.js');
    const text = await readFile(worker, 'utf8');
    await rm(worker);
    await writeFile(worker, `${text}\nglobalThis.uiBuild = 4;\nglobalThis.bundled = true;\n`);
    const push = await watchPush(workbench, before, from);
    assert.equal(push.succeeded, true, push.status);
    assert.equal(await (await browserItself()).workerGlobal(extensionId, 'bundled'), true);
    await rm(join(folder, '.vscode'), { recursive: true });
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
  });

  walk.it(
    'shows a manifest that Chromium would refuse in Problems, does not push it, and keeps the previous build running',
    'build 4',
    async () => {
      const { workbench, folder } = shared;
      const file = join(folder, 'manifest.json');
      const good = await readFile(file, 'utf8');
      try {
        await workbench.editors.open('manifest.json');
        await workbench.editors.replaceAll(good.replace('"background.js"', '"gone.js"'));
        await workbench.problems.open();
        await workbench.problems.waitFor('gone.js', PROBLEMS_LIMIT_MS);
        const [problem] = await workbench.problems.read();
        const line = good.slice(0, good.indexOf('"background.js"')).split('\n').length;
        assert.equal(problem?.file, 'manifest.json');
        assert.equal(problem.line, line);
        assert.match(problem.message, PROBLEMS.missingFile('gone.js'));

        const push = await pushByRow(workbench, BROWSER);
        assert.equal(push.succeeded, false);
        assert.match(push.lines.join('\n'), LOG.refused('manifest.json', line));
        assert.equal(await (await browserItself()).workerGlobal(extensionId, 'uiBuild'), 4);
      } finally {
        await workbench.editors.replaceAllIn('manifest.json', good);
      }
      await workbench.problems.open();
      await workbench.problems.waitForNone('gone.js', PROBLEMS_LIMIT_MS);
    },
  );

  walk.it(
    'deletes the browser after a confirmation; then the list shows what to do',
    ['build 4', 'window'],
    async () => {
      const { workbench } = shared;
      const view = await openBrowsers(workbench);
      await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
      await workbench.press(BUTTONS.delete);
      assert.match(await workbench.view(viewTitle(VIEWS.browsers)).welcome(), WELCOME.noBrowser);
    },
  );
}).timeout(120_000);
