import assert from 'node:assert/strict';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { listExtensions } from '../../src/devtools/protocol/loadedExtensions';
import {
  allowOnSite,
  configure,
  fireAlarm,
  freshInstall,
  listAlarms,
  optionalPermissions,
  readState,
  wouldGainFiles,
  revokePermission,
} from '../../src/devtools/extensions/extensionState';
import { closeHiddenPages } from '../../src/devtools/protocol/hiddenPage';
import { writeStorage, readStorage } from '../../src/devtools/storage/extensionStorage';
import { eventually } from '../support/eventually';
import { zipOf } from './pushes';
import { ExtensionStage } from './extensionStage';

/** Longest time for a step in the browser, in milliseconds. */
const LIMIT_MS = 30_000;

/** Notes how it was installed and which alarms went off. */
const WORKER = `
  self.fired = [];
  chrome.alarms.onAlarm.addListener(({ name }) => self.fired.push(name));
  chrome.runtime.onInstalled.addListener(({ reason }) => chrome.storage.session.set({ reason }));`;

const KEYS = {
  permissions: ['storage', 'alarms'],
  host_permissions: ['https://one.example/*', 'https://two.example/*'],
  action: {},
};

const OPTIONAL = { optional_host_permissions: ['https://three.example/*'] };

describe('the state of an extension', function () {
  this.timeout(60_000);
  let stage: ExtensionStage;
  let id: string;
  let path: string;

  before(async () => {
    stage = await ExtensionStage.start();
    ({ id, path } = await stage.load(KEYS, WORKER));
  });
  after(() => stage.end());

  const running = async (extension = id): Promise<void> => {
    const workers = await stage.link.workers();
    await eventually('a running worker', () => workers?.stateOf(extension)?.status === 'running', LIMIT_MS);
  };

  it('has the alarms that it has set, and fires one in its worker, which is started if need be', async () => {
    const page = await stage.page(id);
    assert.deepEqual(await listAlarms(page), []);
    await evaluate(page.session, `chrome.alarms.create('often', { periodInMinutes: 10 })`);
    await evaluate(page.session, `chrome.alarms.create('', { delayInMinutes: 600 })`);
    const alarms = await listAlarms(page);
    assert.deepEqual(alarms?.map(({ name, periodInMinutes }) => [name, periodInMinutes]).toSorted(), [
      ['', undefined],
      ['often', 10],
    ]);
    const often = alarms.find(({ name }) => name === 'often');
    assert(often);
    await running();
    assert.equal(await fireAlarm(stage.link, id, often), 'fired');
    assert.deepEqual(await stage.inWorker(id, 'self.fired'), ['often']);

    const workers = await stage.link.workers();
    assert.equal(await workers?.stop(id), true);
    assert.equal(await fireAlarm(stage.link, id, often), 'fired');
    assert.deepEqual(await stage.inWorker(id, 'self.fired'), ['often'], 'of a new worker');
    await page.close();
  });

  it('says why an alarm cannot be fired', async () => {
    const alarm = { name: 'a', scheduledTime: 0 };
    const { id: deaf } = await stage.load({ permissions: ['alarms'] });
    await running(deaf);
    assert.equal(await fireAlarm(stage.link, deaf, alarm), 'noListener');
    const { id: none } = await stage.load({ background: undefined });
    assert.equal(await fireAlarm(stage.link, none, alarm), 'noWorker');
    assert.equal(await listAlarms(await stage.page(none)), undefined);
  });

  it('is what was switched', async () => {
    const { link } = stage;
    assert.deepEqual((await readState(link, id))?.pinned, { isOn: false, isPossible: true });
    await configure(link, id, { pinnedToToolbar: true });
    await configure(link, id, { fileAccess: false });
    assert.deepEqual((await readState(link, id))?.fileAccess, { isOn: false, isPossible: true });
    await configure(link, id, { incognitoAccess: true });
    const state = await readState(link, id);
    assert.deepEqual(state?.incognito, { isOn: true, isPossible: true });
    assert.equal(state.pinned.isOn, true);
    await running();
    await assert.rejects(readState(link, 'abcdefghijklmnopabcdefghijklmnop'));
  });

  it('has access to hosts on click, on some, or on all, and keeps it when a pattern is refused', async () => {
    const { link } = stage;
    const hosts = async (): Promise<unknown> => {
      const state = (await readState(link, id))?.hosts;
      return state && { ...state, asked: state.asked.toSorted() };
    };
    const asked = KEYS.host_permissions;
    assert.deepEqual(await hosts(), { access: 'ON_ALL_SITES', granted: asked, asked });
    await assert.rejects(allowOnSite(link, id, 'nonsense'), /Invalid host/);
    assert.deepEqual(await hosts(), { access: 'ON_ALL_SITES', granted: asked, asked });
    await configure(link, id, { hostAccess: 'ON_CLICK' });
    assert.deepEqual(await hosts(), { access: 'ON_CLICK', granted: [], asked });
    await allowOnSite(link, id, 'https://two.example/*');
    assert.deepEqual(await hosts(), { access: 'ON_SPECIFIC_SITES', granted: ['https://two.example/*'], asked });
    await configure(link, id, { hostAccess: 'ON_ALL_SITES' });
    assert.deepEqual(await hosts(), { access: 'ON_ALL_SITES', granted: asked, asked });
  });

  it('has the optional permissions of the manifest; a granted one can be revoked', async () => {
    const loaded = await stage.load({ permissions: ['bookmarks'] });
    // Chromium keeps what was granted when it becomes optional.
    await stage.load({ ...OPTIONAL, optional_permissions: ['bookmarks', 'history'] }, '', loaded.path);
    const page = await stage.page(loaded.id);
    const host = { name: 'https://three.example/*', isHost: true, isGranted: false };
    const history = { name: 'history', isHost: false, isGranted: false };
    const bookmarks = { name: 'bookmarks', isHost: false, isGranted: true };
    assert.deepEqual(await optionalPermissions(page), [bookmarks, history, host]);
    assert.equal(await revokePermission(page, bookmarks), true);
    assert.deepEqual(await optionalPermissions(page), [{ ...bookmarks, isGranted: false }, history, host]);
    await page.close();
  });

  it('is as after its first installation when it is installed afresh', async () => {
    const { link } = stage;
    const extension = async (): Promise<Awaited<ReturnType<typeof listExtensions>>[number]> => {
      const found = (await listExtensions(link.connection)).find((one) => one.id === id);
      assert(found);
      return found;
    };
    // Chromium would give back the access that was taken from it.
    const refused = freshInstall(link, await extension(), AbortSignal.timeout(LIMIT_MS));
    await assert.rejects(refused, /would give the extension access to files/);
    assert.equal(wouldGainFiles(await readState(link, id)), true);
    const page = await stage.page(id);
    await writeStorage(page, 'local', { set: new Map([['kept', 1]]), remove: [] });
    const fresh = await freshInstall(link, await extension(), AbortSignal.timeout(LIMIT_MS), { mayGainFiles: true });
    assert.deepEqual(fresh.extension, await extension());
    assert.equal((await readState(link, id))?.fileAccess.isOn, true);
    assert.equal(wouldGainFiles(await readState(link, id)), false);
    assert.equal(fresh.worker?.state, 'running');
    const now = await stage.page(id);
    await eventually('onInstalled', async () => (await readStorage(now, 'session')).has('reason'), LIMIT_MS);
    assert.equal((await readStorage(now, 'session')).get('reason'), 'install');
    assert.equal((await readStorage(now, 'local')).size, 0);
    assert.equal(path, fresh.extension.path);
    assert.equal((await readState(link, id))?.pinned.isOn, true, 'the icon is where it was');
    await closeHiddenPages(link, id);
  });

  it('is installed afresh also when the command line of the browser has loaded it', async () => {
    const { client, browserId } = stage;
    stage.link.close();
    const zip = await zipOf({
      'manifest.json': JSON.stringify({
        manifest_version: 3,
        name: 'From the command line',
        version: '1',
        permissions: ['storage'],
        background: { service_worker: 'worker.js' },
      }),
      'worker.js': 'chrome.runtime.onInstalled.addListener(({ reason }) => (self.reason = reason));',
    });
    await client.uploadExtensionsToBrowser(browserId, [{ name: 'flag', zip }]);
    const uploaded = await stage.connectAgain();
    const before = (await listExtensions(uploaded.connection)).find(({ name }) => name === 'From the command line');
    assert(before);
    const fresh = await freshInstall(uploaded, before, AbortSignal.timeout(LIMIT_MS));
    assert.equal(fresh.extension.id, before.id);
    assert.equal(await stage.inWorker(before.id, 'self.reason'), 'install');
  });
});
