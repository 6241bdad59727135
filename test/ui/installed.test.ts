// Covers: src/editor/service, src/editor/targets, src/local/instance, package.json
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listField, textField } from '../../src/base/fields';
import { COMMANDS, EXTENSION_ID } from '../../src/ids';
import { releaseOfSuite } from '../machine/releases';
import { installExtension } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { ensureEarlierVsix, ensureVsix } from '../machine/vsix';
import { isAlive } from '../support/child';
import { eventually } from '../support/eventually';
import { FAILURES } from '../support/paths';
import { readLocalService, requestLocally, type LocalService } from '../support/localService';
import { BUTTONS, DIALOGS, ROW_TEXTS } from '../workbench/phrases';
import {
  createBrowser,
  openBrowsers,
  pushBy,
  readLog,
  statusLabel,
  whenStatus,
  type SeenPush,
} from '../workbench/pushing';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { commandTitle, paletteTitle } from '../workbench/titles';
import { closeWindow, openWindow, type OpenWindow } from '../workbench/window';
import type { Workbench } from '../workbench/workbench';

const BROWSER = 'ui-kept';

/** Longest time to open a window with two packages, and to close it, in milliseconds. */
const OPEN_LIMIT_MS = 10 * 60_000;
const CLOSE_LIMIT_MS = 60_000;

/** Longest time until a service has ended with its browsers, or another one runs after the window was loaded, in milliseconds. */
const END_LIMIT_MS = 60_000;

describe('an installed Sideload', function () {
  this.timeout(300_000);
  let shared: OpenWindow;
  let earlier = '';
  let state = '';
  let first: LocalService;

  const data = (...names: string[]): string =>
    join(shared.server.userDir, 'globalStorage', EXTENSION_ID, 'local', ...names);

  async function service(): Promise<LocalService> {
    const found = await readLocalService(shared.server.userDir);
    assert.ok(found, 'no local service is running');
    return found;
  }

  /** Installs a package, and loads the window with it; gives its version. */
  async function change(vsix: string): Promise<string> {
    const build = await ensureServerBuild(() => undefined, releaseOfSuite());
    await installExtension(build, shared.server.dataDir, vsix);
    await shared.workbench.page.reload();
    // Sideload runs, and the sidebar is as it was: a click on its icon would hide it meanwhile.
    await statusLabel(shared.workbench);
    const list: unknown = JSON.parse(
      await readFile(join(shared.server.dataDir, 'extensions', 'extensions.json'), 'utf8'),
    );
    return listField({ list }, 'list')
      .map((one) => textField(one, 'version'))
      .join(' ');
  }

  /** By the palette: the rows of an earlier version may have other buttons. */
  const push = (workbench: Workbench): Promise<SeenPush> =>
    pushBy(workbench, () => workbench.command(paletteTitle(COMMANDS.push)));

  /** What was there before an update is there after it. */
  async function assertKept(): Promise<void> {
    const view = await openBrowsers(shared.workbench);
    await view.waitForRow(ROW_TEXTS.pinnedTarget(BROWSER));
    await whenStatus(shared.workbench, /push on save/i);
    const now = await service();
    assert.equal(now.pid, first.pid, 'the service with its browsers was ended');
    const profiles = await requestLocally(now, 'GET', 'profiles');
    assert.deepEqual(
      listField({ profiles }, 'profiles').map((one) => textField(one, 'name')),
      ['ui-state'],
    );
    // It still knows the build, and pushes the next one in place.
    assert.ok((await push(shared.workbench)).succeeded);
  }

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    earlier = await ensureEarlierVsix();
    state = await mkdtemp(join(tmpdir(), 'sideload-state-'));
    shared = await openWindow('installed', releaseOfSuite(), {
      vsix: earlier,
      settings: { 'sideload.pushOnSave': 'onSave' },
      // The folder of the user's state is among what is removed.
      env: { XDG_STATE_HOME: state },
    });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await shared.workbench.picture(join(FAILURES, `installed-${this.currentTest.title.slice(0, 30)}.png`));
  });
  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await closeWindow(shared);
    await rm(state, { recursive: true, force: true });
  });

  it('of an earlier version has a browser, a pin and a profile', async () => {
    const { workbench } = shared;
    const view = await openBrowsers(workbench);
    await createBrowser(workbench, BROWSER);
    assert.ok((await push(workbench)).succeeded);
    await view.clickRowAction(BROWSER, commandTitle(COMMANDS.pinBrowser));
    await view.waitForRow(ROW_TEXTS.pinnedTarget(BROWSER));
    first = await service();
    await requestLocally(first, 'POST', 'profiles', { name: 'ui-state' });
  });

  it('keeps them, its settings and its browsers through an update, and back', async () => {
    const updated = await change(await ensureVsix());
    await assertKept();
    const back = await change(earlier);
    assert.notEqual(back, updated);
    await assertKept();
    assert.equal(await change(await ensureVsix()), updated);
  });

  it('removes all data when it is asked to and the question is answered, and starts another service', async () => {
    const { workbench } = shared;
    await openBrowsers(workbench);
    await workbench.command(paletteTitle(COMMANDS.removeAllData));
    assert.match(await workbench.asked(), DIALOGS.removeAllData);
    await workbench.press(BUTTONS.removeAllData);
    const isRemoved = async (): Promise<boolean> => (await readLog(workbench)).includes('All data is removed');
    await eventually('all is removed', isRemoved, END_LIMIT_MS);
    await eventually('the service ends', () => !isAlive(first.pid), END_LIMIT_MS);
    // The window loads again, and its list of browsers starts another service.
    const another = async (): Promise<boolean> => {
      const now = await readLocalService(shared.server.userDir);
      return now !== undefined && now.pid !== first.pid;
    };
    await eventually('another service runs', another, END_LIMIT_MS);
    assert.deepEqual(await readdir(data('profiles')), []);
    assert.deepEqual(await requestLocally(await service(), 'GET', 'browsers'), []);
    const view = await openBrowsers(workbench);
    await view.row(ROW_TEXTS.pinned).waitFor({ state: 'detached' });
  });
});
