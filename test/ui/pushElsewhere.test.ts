// Covers: src/editor/push, src/editor/targets, src/push
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { requestLocally } from '../support/localService';
import { CACHE } from '../support/paths';
import { witnessOf, type Witness } from '../workbench/observer';
import { BUTTONS, DIALOGS, MESSAGES, STATUS_BAR } from '../workbench/phrases';
import { openBrowsers, pushBy, whenStatus } from '../workbench/pushing';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { paletteTitle } from '../workbench/titles';

/** The browsers, of which each test pushes to some for the first time. */
const BROWSERS = ['far-left', 'far-right', 'far-saved'];

/** The address of a page that is open in each of them. */
const PAGE = 'data:text/html,<title>A form</title>';

describe('a first push to browsers of a service that restarts them for it', () => {
  let shared: SharedWindow;
  let service: TestService;

  before(async function () {
    this.timeout(120_000);
    shared = await sharedWindow(this);
    service = await TestService.start(['--behaviour', 'earlier']);
    for (const name of BROWSERS) {
      await requestLocally(service, 'POST', 'browsers', { name, headless: true, timeout_seconds: 600 });
      await inBrowser(name, (witness) => witness.openPage(PAGE));
    }
    await openBrowsers(shared.workbench);
    await chooseOtherService(shared.workbench, service.baseUrl, service.token);
  });

  after(async function () {
    this.timeout(60_000);
    await leaveOtherService(shared.workbench);
    await service.stop();
  });

  async function inBrowser<T>(name: string, look: (witness: Witness) => Promise<T> | T): Promise<T> {
    const witness = await witnessOf({ ...service, pid: service.pid }, name);
    try {
      return await look(witness);
    } finally {
      await witness.close();
    }
  }

  const hasPage = (name: string): Promise<boolean> => inBrowser(name, (witness) => witness.pages().includes(PAGE));

  const picture = (name: string): Promise<void> => shared.workbench.picture(join(CACHE, 'ui', name));

  async function choose(names: readonly string[]): Promise<void> {
    const { workbench } = shared;
    await (await openBrowsers(workbench)).waitForRow(names[0] ?? '');
    await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseBrowsers));
    await workbench.quickInput.tick([...names]);
    await workbench.quickInput.closed();
  }

  /** The value that the worker of the sample has in a global variable. */
  async function global(name: string, variable: string): Promise<unknown> {
    return await inBrowser(name, async (witness) => {
      const [sample] = await witness.extensions();
      return await witness.workerGlobal(sample?.id ?? '', variable);
    });
  }

  async function save(line: string): Promise<void> {
    const { editors } = shared.workbench;
    await editors.open('background.js');
    await editors.appendLine(line);
    await editors.save();
  }

  it('asks once for all of them, and then reports that they run the build', async () => {
    const { workbench } = shared;
    const names = BROWSERS.slice(0, 2);
    await choose(names);
    await save('globalThis.farBuild = 1;');
    const { asked, succeeded, status } = await pushBy(workbench, () => workbench.command(paletteTitle(COMMANDS.push)));
    assert.deepEqual(asked, [`${DIALOGS.firstPushes(names)} -> ${BUTTONS.restartAndPush}`]);
    assert.equal(succeeded, true, status);
    await workbench.notification(MESSAGES.runningInAll(names));
    assert.deepEqual(await Promise.all(names.map((name) => global(name, 'farBuild'))), [1, 1]);
    assert.deepEqual(await Promise.all(names.map(hasPage)), [false, false]);
    await workbench.clearNotifications();
  });

  it('waits for a yes where a save begins it, and leaves the pages open where that is chosen', async () => {
    const { workbench } = shared;
    const name = BROWSERS[2] ?? '';
    await choose([name]);
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    try {
      await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
      await save('globalThis.farBuild = 2;');
      await whenStatus(workbench, STATUS_BAR.waitsForYes);
      await picture('elsewhere-waits.png');
      assert.deepEqual(await inBrowser(name, (witness) => witness.extensions()), []);
      await workbench.command(paletteTitle(COMMANDS.push));
      assert.equal(await workbench.asked(), DIALOGS.firstPush(name));
      await picture('elsewhere-question.png');
      await workbench.press(BUTTONS.pushWithoutRestart);
      await whenStatus(workbench, STATUS_BAR.runningIn(name));
      assert.deepEqual([await global(name, 'farBuild'), await hasPage(name)], [2, true]);
      const next = await pushBy(workbench, () => save('globalThis.farBuild = 3;'));
      assert.deepEqual([next.asked, next.succeeded], [[], true], next.status);
      assert.deepEqual([await global(name, 'farBuild'), await hasPage(name)], [3, true]);
    } finally {
      await workbench.editors.closeAll();
      await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    }
  });
}).timeout(120_000);
