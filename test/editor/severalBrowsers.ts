// Covers: src/editor/push, src/editor/browsers, src/editor/targets, src/push
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commands, window, workspace } from 'vscode';
import { COMMANDS, SETTINGS, STORAGE_SCHEME } from '../../src/ids';
import { EditorBrowser, leaveService, set, useService } from '../extensionHost/editorBrowser';
import { eventually } from '../support/eventually';
import { LOG, MESSAGES } from '../workbench/phrases';
import { SideloadLog } from '../extensionHost/sideloadLog';

const NAMES = ['one', 'two', 'three'];

/** A worker that takes two seconds to start. */
const SLOW_START = 'for (const end = Date.now() + 2000; Date.now() < end; );\nglobalThis.build = 60;\n';

/** Longest time until a document is shown, in milliseconds. */
const SHOWN_LIMIT_MS = 20_000;

/** The id of the browser whose storage a command opens; the first area is taken, and the document is closed again. */
async function browserOfStorage(argument?: unknown): Promise<string | undefined> {
  const shown = (): string | undefined => {
    const { uri } = window.activeTextEditor?.document ?? {};
    return uri?.scheme === STORAGE_SCHEME ? uri.query.split('/')[0] : undefined;
  };
  const ended = commands.executeCommand(COMMANDS.openStorage, argument);
  const accept = async (): Promise<unknown> => commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  await eventually('a storage is shown', () => shown() !== undefined, SHOWN_LIMIT_MS, accept);
  await ended;
  const id = shown();
  await commands.executeCommand('workbench.action.closeActiveEditor');
  return id;
}

/** Waits until the console of Sideload has a line like this. */
async function consoleSays(line: RegExp): Promise<void> {
  const isSaid = (): boolean =>
    workspace.textDocuments.some(
      (document) => document.uri.path.includes('Sideload Console') && line.test(document.getText()),
    );
  await eventually(`a line like ${line}`, isSaid, SHOWN_LIMIT_MS);
}

describe('a push to several browsers', () => {
  const root = workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(root, 'the suite needs a workspace folder');
  const folder = join(root, 'several');
  let browsers: EditorBrowser[] = [];

  const write = (build: number): Promise<void> =>
    writeFile(join(folder, 'worker.js'), `globalThis.build = ${build};\n`);

  before(async function () {
    this.timeout(90_000);
    await useService();
    await mkdir(folder, { recursive: true });
    const manifest = {
      manifest_version: 3,
      name: 'Several',
      version: '1.0',
      permissions: ['storage'],
      background: { service_worker: 'worker.js' },
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await write(0);
    browsers = await Promise.all(NAMES.map((name) => EditorBrowser.start(name)));
    for (const browser of browsers) await commands.executeCommand(COMMANDS.pinBrowser, browser.row);
    await set(SETTINGS.folder, 'several');
    await set(SETTINGS.pushOnSave, 'onBuild');
  });

  after(async () => {
    await set(SETTINGS.pushOnSave, undefined);
    await set(SETTINGS.folder, undefined);
    for (const browser of browsers) await commands.executeCommand(COMMANDS.unpinBrowser, browser.row);
    await Promise.all(browsers.map((browser) => browser.end()));
    await leaveService();
    await rm(folder, { recursive: true, force: true });
  });

  it('packs once, reaches all pinned browsers, and logs a line for each and a summary', async () => {
    const log = await SideloadLog.fromNow();
    await write(1);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 1)));
    await log.find(MESSAGES.runningInAll(NAMES));
    for (const name of NAMES) assert.equal((await log.find(LOG.running('Several 1.0', name))).length, 1);
    assert.equal((await log.find(LOG.packed)).length, 1);
  }).timeout(60_000);

  it('continues when one browser fails, and names it', async () => {
    const [, two] = browsers;
    assert.ok(two);
    const log = await SideloadLog.fromNow();
    const copy = await two.loadCopy(folder);
    try {
      await write(2);
      await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 2)));
      const [summary] = await log.find(LOG.runningExcept(2, 3, 'two'));
      assert.match(summary ?? '', new RegExp(copy));
    } finally {
      await two.unload(copy);
    }
    await write(3);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 3)));
    await log.find(MESSAGES.runningInAll(NAMES));
  }).timeout(60_000);

  it('goes on with the others when a pinned browser has ended, and says so', async () => {
    const log = await SideloadLog.fromNow();
    const [, , three] = browsers;
    assert.ok(three);
    await three.end();
    browsers = browsers.slice(0, 2);
    await write(4);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 4)));
    await log.find(LOG.notPushedTo('three'));
    await log.find(MESSAGES.runningInAll(['one', 'two']));
  }).timeout(60_000);

  it('starts a pinned browser again that has ended when the extension is run, once also for two runs at once, and drops no pin', async () => {
    await write(5);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 5)));
    await write(6);
    const log = await SideloadLog.fromNow();
    await Promise.all([1, 2].map(() => commands.executeCommand(COMMANDS.runExtension)));
    browsers.push(await EditorBrowser.named('three'));
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 6)));
    assert.equal((await log.find(LOG.browserStarted('three'))).length, 1);
    assert.deepEqual(
      log.lines.filter((line) => line.includes('already exists')),
      [],
    );
    await write(7);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 7)));
  }).timeout(60_000);

  it('ends with the last saved state in each browser after fast saves', async () => {
    for (let build = 10; build < 40; build++) await write(build);
    await Promise.all(browsers.map((browser) => browser.says('globalThis.build', 39)));
  }).timeout(60_000);

  it('becomes a push to one browser when another target is set, also one that a save has ordered before', async () => {
    const [one, two] = browsers;
    assert.ok(one && two);
    await write(40);
    await one.choose();
    await write(50);
    await one.says('globalThis.build', 50);
    const log = await SideloadLog.fromNow();
    await write(51);
    await log.find(LOG.running('Several 1.0', 'one'));
    const [last, ...others] = await two.ask('globalThis.build');
    assert.ok((last === 39 || last === 40) && others.length === 0, `The other browser runs ${String(last)}.`);
  }).timeout(60_000);

  it('goes on to the browser that was chosen during a push to another', async () => {
    const [one, two] = browsers;
    assert.ok(one && two);
    await one.says('globalThis.build', 51);
    const log = await SideloadLog.fromNow();
    // The push ends when the worker has started.
    await writeFile(join(folder, 'worker.js'), SLOW_START);
    await log.find(LOG.packed);
    await two.choose();
    await log.find(LOG.running('Several 1.0', 'one'));
    await write(61);
    await two.says('globalThis.build', 61);
    assert.deepEqual(await one.ask('globalThis.build'), [60]);
  }).timeout(60_000);

  it('leaves other commands to the browser that an argument names, else to the pinned one', async () => {
    const [one, two] = browsers;
    assert.ok(one && two);
    assert.equal(await browserOfStorage(), two.described.id);
    assert.equal(await browserOfStorage({ browser: 'one' }), one.described.id);
    await commands.executeCommand(COMMANDS.pinBrowser, one.row);
    assert.equal(await browserOfStorage(), one.described.id);
    await commands.executeCommand(COMMANDS.startConsole);
    await consoleSays(/one: The console is started/);
    await commands.executeCommand(COMMANDS.stopConsole);
  }).timeout(90_000);
});
