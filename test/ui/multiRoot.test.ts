// Covers: src/editor/folder, src/editor/push, src/editor/inspect, src/editor/console
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { COMMANDS, VIEWS } from '../../src/ids';
import { ensureBrowser } from '../machine/browser';
import { readLocalService, requestLocally } from '../support/localService';
import { readLogFile } from '../workbench/logFile';
import { CACHE, SAMPLE, SCRATCH } from '../support/paths';
import { STATUS_BAR } from '../workbench/phrases';
import { openBrowsers, pushItem, statusLabel, watchPush, whenStatus } from '../workbench/pushing';
import { windowAddress } from '../machine/server';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, paletteTitle, viewTitle } from '../workbench/titles';
import { Workbench } from '../workbench/workbench';

/** The browser that Sideload names after the second extension. */
const BROWSER = 'second-extension';

/** Longest time until a window shows its lists after it was loaded again, in milliseconds. */
const RELOAD_LIMIT_MS = 60_000;

/** Longest time until a line of the console is shown, in milliseconds. */
const LINE_LIMIT_MS = 30_000;

/** Longest usual time until a window shows its folders, in milliseconds, and how often it is loaded. */
const FOLDERS_LIMIT_MS = 10_000;
const LOADS = 4;

const isShown = (item: Locator): Promise<boolean> =>
  item.waitFor({ timeout: FOLDERS_LIMIT_MS }).then(
    () => true,
    () => false,
  );

describe('a workspace of several folders', () => {
  let shared: SharedWindow;
  let parent: string;
  let workbench: Workbench;

  before(async function () {
    shared = await sharedWindow(this);
    this.timeout(120_000);
    parent = await mkdtemp(join(SCRATCH, 'workspaces', 'several-'));
    await cp(SAMPLE, join(parent, 'first'), { recursive: true });
    await cp(SAMPLE, join(parent, 'second'), { recursive: true });
    const manifest = join(parent, 'second', 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('Sideload Sample', 'Second Extension'));
    for (const name of ['first', 'second']) await writeFile(join(parent, name, `of-${name}.html`), '<!doctype html>\n');
    await mkdir(join(parent, 'first', '.vscode'));
    await writeFile(join(parent, 'first', '.vscode', 'settings.json'), '{ "sideload.delivery": "restart" }');
    await mkdir(join(parent, 'notes'));
    await writeFile(join(parent, 'notes', 'notes.md'), '# Notes\n');
    const folders = ['first', 'second', 'notes'].map((path) => ({ path }));
    await writeFile(join(parent, 'several.code-workspace'), JSON.stringify({ folders }));
    // It keeps the local service running while the other window is loaded again.
    await openBrowsers(shared.workbench);
    // A second window of the same server.
    const { path } = await ensureBrowser(() => undefined);
    const { server } = shared;
    workbench = await Workbench.open(windowAddress(server, { folder: join(parent, 'several.code-workspace') }), {
      browserPath: path,
      readLog: () => readLogFile(server.dataDir),
    });
    // VS Code seldom shows no folder of the workspace, until it is loaded again.
    const first = workbench.page.getByRole('treeitem', { name: /^first/ });
    for (let load = 1; load < LOADS && !(await isShown(first)); load++) await workbench.page.reload();
    await first.waitFor({ timeout: RELOAD_LIMIT_MS });
  });

  after(async function () {
    this.timeout(120_000);
    await workbench.close();
    // The window that other tests share lists it as well: their lists begin empty.
    const local = await readLocalService(shared.server.userDir);
    if (local) await requestLocally(local, 'DELETE', `browsers/${BROWSER}`);
    const view = await openBrowsers(shared.workbench);
    await view.chooseAction(commandTitle(COMMANDS.refresh));
    await view.row(BROWSER).waitFor({ state: 'detached' });
    await rm(parent, { recursive: true, force: true });
  });

  /** Pushes the extension folder that a file is in: a push takes that of the active editor. */
  async function pushFolderOf(file: string): Promise<void> {
    await workbench.editors.open(file);
    const before = await statusLabel(workbench);
    await workbench.command(paletteTitle(COMMANDS.push));
    const push = await watchPush(workbench, before, 0);
    assert.ok(push.succeeded, push.status);
  }

  const picture = (name: string): Promise<void> =>
    workbench.picture(join(CACHE, 'pictures', 'several-folders', `${name}.png`));

  it('offers the folders that hold an extension, and no other', async () => {
    await openBrowsers(workbench);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.runExtension));
    await workbench.quickInput.opened();
    const entries = await workbench.quickInput.entries();
    await picture('1-question');
    assert.deepEqual(
      entries.map((entry) => entry.replace(/\/.*/, '').trim()),
      ['first', 'second'],
    );
  });

  it('runs the extension of the chosen one', async () => {
    const before = await statusLabel(workbench);
    await workbench.quickInput.answer('second');
    const push = await watchPush(workbench, before, 0);
    assert.deepEqual(push.asked, []);
    assert.match(push.status, STATUS_BAR.runningIn(BROWSER));
    await whenStatus(workbench, /^Sideload: second, /);
    await picture('2-running');
  });

  it('does not ask again, also not after the window was loaded again', async () => {
    await workbench.page.reload();
    // A click on the icon of a sidebar that is just being restored would hide it.
    await workbench.view(viewTitle(VIEWS.browsers)).waitForRow(BROWSER, RELOAD_LIMIT_MS);
    await whenStatus(workbench, new RegExp(BROWSER));
    const before = await statusLabel(workbench);
    await workbench.command(paletteTitle(COMMANDS.push));
    // It would not end while a question is open.
    const push = await watchPush(workbench, before, 0);
    assert.match(push.status, STATUS_BAR.runningIn(BROWSER));
  });

  it('says in the status bar whose saves are pushed, and in its menu which folder is', async () => {
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    const status = await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    await pushItem(workbench).click();
    await workbench.quickInput.opened();
    const entries = await workbench.quickInput.entries();
    await picture('3-menu');
    await workbench.quickInput.cancel();
    assert.match(status, /^Sideload: second, /);
    assert.ok(entries.includes('Choose Extension Folder…second'), entries.join('\n'));
  });

  it('offers the pages of what was pushed, also when a file of another folder is open', async () => {
    await workbench.editors.open('of-first.html');
    await workbench.commandThatAsks(paletteTitle(COMMANDS.openPage));
    await workbench.quickInput.opened();
    const entries = await workbench.quickInput.entries();
    await workbench.quickInput.cancel();
    assert.ok(entries.includes('of-second.html'), entries.join('\n'));
    assert.ok(!entries.includes('of-first.html'), entries.join('\n'));
  });

  it('has its names in the paths of the console, whose links lead there', async () => {
    const line = `console.log('from', 'second');`;
    await writeFile(join(parent, 'second', 'background.js'), `${line}\n`);
    await pushFolderOf('of-second.html');
    await workbench.command(paletteTitle(COMMANDS.startConsole));
    await workbench.output.waitForLine(/from second \(second\/background\.js:1:9\)/, LINE_LIMIT_MS);
    await workbench.output.clickPlace('second/background.js:1:9', 'background.js');
    await workbench.page.locator('.part.editor .view-line', { hasText: line }).waitFor();
    await picture('4-console');
  });

  it('counts the errors of all extensions in a browser, also when the push of one has restarted it', async () => {
    const worker = join(parent, 'second', 'background.js');
    await writeFile(worker, `setTimeout(() => { throw new Error('of the second'); });\n`);
    await pushFolderOf('of-second.html');
    await pushFolderOf('of-first.html');
    const view = await openBrowsers(workbench);
    const { problems } = workbench;
    await problems.open();
    await problems.waitFor('of the second', LINE_LIMIT_MS);
    await view.waitForRow(new RegExp(`${BROWSER}.* · 1 error`), LINE_LIMIT_MS);
    await picture('5-errors');
    await writeFile(worker, '');
    await pushFolderOf('of-second.html');
    await problems.waitForNone('of the second', LINE_LIMIT_MS);
    await view.row(new RegExp(`${BROWSER}.* error`)).waitFor({ state: 'detached' });
  });
}).timeout(120_000);
