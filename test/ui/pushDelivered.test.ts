// Covers: src/editor/push, src/editor/folder, src/editor/browsers, src/editor/targets, src/push, src/service
import assert from 'node:assert/strict';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS, VIEWS } from '../../src/ids';
import { DocumentService } from '../standins/documentService';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { BUTTONS, MESSAGES, STATUS_BAR, WELCOME } from '../workbench/phrases';
import { openBrowsers, whenStatus } from '../workbench/pushing';
import { chooseOtherService, chooseServiceOfBefore, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { paletteTitle, viewTitle } from '../workbench/titles';
import type { Workbench } from '../workbench/workbench';

/** How long an upload may take to come, in milliseconds. */
const UPLOAD_LIMIT_MS = 30_000;

const BROWSER = 'brw-1';

describe('a push to a service that gives no DevTools address', () => {
  let shared: SharedWindow;
  let workbench: Workbench;
  let service: DocumentService;

  before(async function () {
    shared = await sharedWindow(this);
    ({ workbench } = shared);
    service = await DocumentService.start();
    await openBrowsers(workbench);
    await chooseOtherService(workbench, service.baseUrl, service.token);
    const browsers = workbench.view(viewTitle(VIEWS.browsers));
    await browsers.waitForWelcome(WELCOME.browsersUnlisted);
    await browsers.clickWelcome(BUTTONS.enterBrowser);
    await workbench.quickInput.answer(BROWSER);
    await browsers.waitForRow(BROWSER);
  });

  after(async () => {
    await leaveOtherService(workbench);
    await service.stop();
  });

  const picture = (name: string): Promise<void> => workbench.picture(join(CACHE, 'ui', name));

  /** Pushes to the browser, and allows the restart. */
  async function push(uploads: number): Promise<void> {
    await workbench.command(paletteTitle(COMMANDS.push));
    await workbench.asked();
    await workbench.press(BUTTONS.restartAndPush);
    await eventually(
      () => `there are ${service.uploads.length} uploads: ${service.requests.join('\n')}`,
      () => service.uploads.length === uploads,
      UPLOAD_LIMIT_MS,
    );
  }

  it('asks for the restart, and says that it was delivered and is not verified, in all places', async () => {
    await push(1);
    await workbench.notification(MESSAGES.delivered(BROWSER));
    await whenStatus(workbench, STATUS_BAR.delivered(BROWSER));
    const browsers = workbench.view(viewTitle(VIEWS.browsers));
    await browsers.waitForRow('delivered, not verified');
    const pushes = workbench.view(viewTitle(VIEWS.pushes));
    await pushes.open();
    await pushes.waitForRow('delivered, not verified');
    await picture('delivered.png');
    await workbench.clearNotifications();
    assert.equal(service.count(/^GET \/browsers\/[^/]+\/fs\//) <= 2, true, service.requests.join('\n'));
  });

  it('sends nothing but the upload from then on', async () => {
    service.clear();
    await push(2);
    await workbench.notification(MESSAGES.delivered(BROWSER));
    await workbench.clearNotifications();
    assert.deepEqual(service.requests, [`POST /browsers/${BROWSER}/extensions`]);
  });

  it('is not said of a browser of another service that has the same id, nor does a save restart that one', async () => {
    const other = await DocumentService.start();
    const browsers = workbench.view(viewTitle(VIEWS.browsers));
    try {
      await chooseOtherService(workbench, other.baseUrl, other.token);
      await browsers.waitForWelcome(WELCOME.browsersUnlisted);
      await browsers.clickWelcome(BUTTONS.enterBrowser);
      await workbench.quickInput.answer(BROWSER);
      const row = await browsers.waitForRow(BROWSER);
      assert.doesNotMatch(await row.innerText(), /delivered/);
      await picture('delivered-elsewhere.png');
      // A push to the other browser allows no restart of this one by a save.
      await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
      await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
      await workbench.editors.open('background.js');
      await workbench.editors.appendLine('globalThis.saved = 1;');
      await workbench.editors.save();
      await whenStatus(workbench, STATUS_BAR.waitsForYes);
    } finally {
      await workbench.editors.closeAll();
      await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
      await chooseServiceOfBefore(workbench, service.baseUrl);
      await other.stop();
    }
    await browsers.waitForRow('delivered, not verified');
    assert.deepEqual(other.uploads, []);
  });

  it('sends folders that are ticked by one request', async () => {
    const { folder } = shared;
    for (const name of ['dist', 'build']) {
      await mkdir(join(folder, name), { recursive: true });
      await cp(join(folder, 'manifest.json'), join(folder, name, 'manifest.json'));
      const manifest = { manifest_version: 3, name: `of ${name}`, version: '1.0' };
      await writeFile(join(folder, name, 'manifest.json'), JSON.stringify(manifest));
    }
    try {
      await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseFolder));
      await workbench.quickInput.tick(['dist', 'build']);
      await workbench.quickInput.closed();
      await push(3);
      await workbench.notification(/^of dist, of build: Uploaded to brw-1; /);
      const names = service.uploads.at(-1)?.map(({ name }) => name.replace(/-[0-9a-f]{8}\.sideload-.*/, ''));
      assert.deepEqual(names, ['of-dist', 'of-build']);
    } finally {
      await workbench.clearNotifications();
      for (const name of ['dist', 'build']) await rm(join(folder, name), { recursive: true, force: true });
      await workbench.command(paletteTitle(COMMANDS.chooseFolder));
    }
  });
}).timeout(120_000);
