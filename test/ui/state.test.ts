// Covers: src/editor/inspect, src/devtools
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS, type CommandId } from '../../src/ids';
import { eventually } from '../support/eventually';
import type { Witness } from '../workbench/observer';
import { BUTTONS, DIALOGS, QUICK_INPUT } from '../workbench/phrases';
import { createExpanded, deleteBrowser, pushByRow } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, submenuTitle } from '../workbench/titles';
import type { View } from '../workbench/view';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-state';
const EXTENSION = 'Sideload Sample';

/** Longest time until the browser has what was chosen in the window, in milliseconds. */
const LIMIT_MS = 20_000;

const ALARM = 'tidy up';
const ONE = 'https://one.example/*';
const TWO = 'https://two.example/*';
const PERMISSION = 'bookmarks';
const OTHER_PERMISSION = 'history';

/** The extension may run on two sites alone. The permission is granted by the first push, and optional from the second one on. */
const FIRST = {
  content_scripts: [],
  host_permissions: [ONE, TWO],
  permissions: ['storage', 'alarms', PERMISSION],
};
const SECOND = {
  ...FIRST,
  permissions: ['storage', 'alarms'],
  optional_permissions: [PERMISSION, OTHER_PERMISSION],
};

/** Sets an alarm, and notes which ones went off and how the extension was installed. */
const WORKER = `
chrome.alarms.create(${JSON.stringify(ALARM)}, { delayInMinutes: 600 });
chrome.alarms.onAlarm.addListener(({ name }) => chrome.storage.session.set({ fired: name }));
chrome.runtime.onInstalled.addListener(({ reason }) => chrome.storage.session.set({ reason }));
`;

describe('the state of the pushed extension', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let view: View;
  let witness: Witness;
  let id: string;
  /** The files of the sample as they were, by name. */
  const files = new Map<string, string>();

  const writeManifest = async (keys: object): Promise<void> => {
    const sample: unknown = JSON.parse(files.get('manifest.json') ?? '');
    assert(typeof sample === 'object' && sample);
    await writeFile(join(shared.folder, 'manifest.json'), JSON.stringify({ ...sample, ...keys }, undefined, 2));
  };

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    for (const name of ['manifest.json', 'background.js']) {
      files.set(name, await readFile(join(shared.folder, name), 'utf8'));
    }
    await writeManifest(FIRST);
    await writeFile(join(shared.folder, 'background.js'), `${files.get('background.js') ?? ''}${WORKER}`);
    ({ witness, view, id } = await createExpanded(shared, BROWSER, EXTENSION));
  });

  after(async () => {
    await witness.close();
    await deleteBrowser(workbench, BROWSER);
    await workbench.clearNotifications();
    for (const [name, text] of files) await writeFile(join(shared.folder, name), text);
  });

  /** Waits until an expression has a value in the worker, which a reload of the extension replaces meanwhile. */
  async function becomes(expression: string, value: unknown): Promise<void> {
    let last: unknown;
    await eventually(
      () => `${expression} is ${String(last)}, not ${String(value)}`,
      async () => (last = await witness.inWorker(id, expression).catch(String)) === value,
      LIMIT_MS,
    );
  }

  const hasHost = (pattern: string): string => `chrome.permissions.contains({ origins: [${JSON.stringify(pattern)}] })`;

  /** Runs a command from the submenu of the row; returns the choices that it offers. */
  async function choicesOf(command: CommandId): Promise<string[]> {
    await view.clickRowMenu(EXTENSION, commandTitle(command), submenuTitle('state'));
    return await workbench.quickInput.entries();
  }

  /** Runs a command from the palette; returns the choices that it offers. */
  async function paletteChoicesOf(command: CommandId): Promise<string[]> {
    await workbench.runThatAsks(command);
    return await workbench.quickInput.entries();
  }

  const isPinned = 'chrome.action.getUserSettings().then(({ isOnToolbar }) => isOnToolbar)';
  const { now } = QUICK_INPUT;

  it('lets one of its alarms go off, also while its worker does not run', async () => {
    const fired = `chrome.storage.session.get('fired').then(({ fired }) => fired)`;
    const [alarm, ...others] = await choicesOf(COMMANDS.fireAlarm);
    assert.match(alarm ?? '', new RegExp(`^${ALARM}due at `));
    assert.deepEqual(others, []);
    await workbench.quickInput.pick(ALARM);
    await becomes(fired, ALARM);
    await witness.inWorker(id, 'chrome.storage.session.clear()');
    await workbench.run(COMMANDS.stopWorker);
    await paletteChoicesOf(COMMANDS.fireAlarm);
    await workbench.quickInput.pick(ALARM);
    await becomes(fired, ALARM);
  });

  it('gives it access to sites on click, on one site, and on all', async () => {
    const { onClick, onAllSites, onOneSite, onlyOn } = QUICK_INPUT;
    assert.deepEqual(await choicesOf(COMMANDS.hostAccess), [onClick, `${onAllSites}${now}`, onOneSite]);
    await workbench.quickInput.pick(onClick);
    await becomes(hasHost(ONE), false);
    assert.deepEqual(await paletteChoicesOf(COMMANDS.hostAccess), [`${onClick}${now}`, onAllSites, onOneSite]);
    await workbench.quickInput.pick(onOneSite);
    await workbench.quickInput.type('two.example');
    await workbench.quickInput.saying(QUICK_INPUT.badPattern);
    await workbench.quickInput.answer(TWO);
    await becomes(hasHost(TWO), true);
    assert.equal(await witness.inWorker(id, hasHost(ONE)), false);
    await workbench.statusBarItem(onlyOn(TWO)).waitFor();
    assert.deepEqual(await choicesOf(COMMANDS.hostAccess), [onClick, onAllSites, `${onOneSite}${now}, ${onlyOn(TWO)}`]);
    await workbench.quickInput.pick(onAllSites);
    await becomes(hasHost(ONE), true);
  });

  it('takes its icon from the toolbar, where the push has pinned it, and pins it again', async () => {
    const { pinned, notPinned } = QUICK_INPUT;
    await becomes(isPinned, true);
    assert.deepEqual(await choicesOf(COMMANDS.pinToToolbar), [`${pinned}${now}`, notPinned]);
    await workbench.quickInput.pick(notPinned);
    await becomes(isPinned, false);
    assert.deepEqual(await paletteChoicesOf(COMMANDS.pinToToolbar), [pinned, `${notPinned}${now}`]);
    await workbench.quickInput.pick(pinned);
    await becomes(isPinned, true);
  });

  it('allows it in incognito windows and on file URLs, and it runs again after that', async () => {
    const { inIncognito, notInIncognito, onFiles, notOnFiles } = QUICK_INPUT;
    // A push that takes long says so by a toast.
    await workbench.clearNotifications();
    assert.deepEqual(await choicesOf(COMMANDS.allowInIncognito), [inIncognito, `${notInIncognito}${now}`]);
    await workbench.quickInput.pick(new RegExp(`^${inIncognito}`));
    await becomes('chrome.extension.isAllowedIncognitoAccess()', true);
    assert.deepEqual(await choicesOf(COMMANDS.allowFileAccess), [`${onFiles}${now}`, notOnFiles]);
    await workbench.quickInput.pick(notOnFiles);
    await becomes('chrome.extension.isAllowedFileSchemeAccess()', false);
    assert.deepEqual(await paletteChoicesOf(COMMANDS.allowInIncognito), [`${inIncognito}${now}`, notInIncognito]);
    await workbench.quickInput.cancel();
    await view.waitForRow(new RegExp(`${BROWSER}.*running`));
    assert.deepEqual(await workbench.notifications(), []);
  });

  it('shows its optional permissions: how to grant one, and a granted one can be revoked', async () => {
    const { granted, notGranted } = QUICK_INPUT;
    await writeManifest(SECOND);
    const push = await pushByRow(workbench, BROWSER);
    assert.ok(push.succeeded, push.status);
    await workbench.clearNotifications();
    const choices = await choicesOf(COMMANDS.optionalPermissions);
    assert.deepEqual(choices, [`${PERMISSION}${granted}`, `${OTHER_PERMISSION}${notGranted}`]);
    await workbench.quickInput.pick(OTHER_PERMISSION);
    assert.match(await workbench.asked(), DIALOGS.grantInExtension(OTHER_PERMISSION));
    await workbench.press(BUTTONS.copyCall);
    const call = `chrome.permissions.request({ permissions: ["${OTHER_PERMISSION}"] })`;
    await eventually(
      'the call is in the clipboard',
      async () => (await workbench.page.evaluate('navigator.clipboard.readText()')) === call,
      LIMIT_MS,
    );
    const has = `chrome.permissions.contains({ permissions: [${JSON.stringify(PERMISSION)}] })`;
    assert.equal(await witness.inWorker(id, has), true);
    await paletteChoicesOf(COMMANDS.optionalPermissions);
    await workbench.quickInput.pick(PERMISSION);
    assert.match(await workbench.asked(), DIALOGS.revoke(PERMISSION, EXTENSION));
    await workbench.press(BUTTONS.revoke);
    await becomes(has, false);
  });

  it('is as at first after a fresh install, for which it is asked about the access to files that comes with it', async () => {
    const reason = `chrome.storage.session.get('reason').then(({ reason }) => reason)`;
    await becomes(reason, 'update');
    await witness.inWorker(id, 'chrome.storage.local.set({ mine: 1 })');
    await view.clickRowMenu(EXTENSION, commandTitle(COMMANDS.freshInstall), submenuTitle('state'));
    assert.match(await workbench.asked(), DIALOGS.installAfresh(EXTENSION, BROWSER));
    const onFiles = 'chrome.extension.isAllowedFileSchemeAccess()';
    assert.equal(await witness.inWorker(id, onFiles), false);
    await workbench.press(BUTTONS.installAfreshWithFiles);
    await becomes(reason, 'install');
    assert.deepEqual(await witness.inWorker(id, 'chrome.storage.local.get(null)'), {});
    assert.equal(await witness.inWorker(id, onFiles), true);
    await workbench.command('Notifications: Show Notifications');
    await workbench.press(BUTTONS.takeFilesAway);
    await becomes(onFiles, false);
    assert.equal(await witness.inWorker(id, isPinned), true);
    await view.waitForRow(new RegExp(`${BROWSER}.*running`));
    await workbench.clearNotifications();
  });
}).timeout(120_000);
