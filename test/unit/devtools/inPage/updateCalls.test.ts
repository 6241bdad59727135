import assert from 'node:assert/strict';
import {
  databasesOf,
  dataState,
  installedNote,
  noteInstalled,
  permissionWarnings,
  watchData,
} from '../../../../src/devtools/inPage/updateCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

describe('the note of an update in a worker', () => {
  const stage = (): { page: FakePage; event: FakeEvent<[object]> } => {
    const event = new FakeEvent<[object]>();
    return { page: new FakePage({ chrome: { runtime: { onInstalled: event } } }), event };
  };

  it('says what the event said to a worker that listens', async () => {
    const { page, event } = stage();
    assert.equal(await page.call(installedNote), null);
    await page.call(noteInstalled);
    assert.deepEqual(await page.call(installedNote), { listens: false, came: null });
    event.addListener(() => undefined);
    event.fire({ reason: 'update', previousVersion: '1.0' });
    event.fire({ reason: 'chrome_update' });
    const came = { reason: 'update', previousVersion: '1.0' };
    assert.deepEqual(await page.call(installedNote), { listens: true, came });
  });

  it('adds no listener to a worker that has none', async () => {
    const { page, event } = stage();
    await page.call(noteInstalled);
    assert.equal(event.hasListeners(), false);
    assert.deepEqual(await page.call(installedNote), { listens: false, came: null });
  });
});

describe('a page of an extension that is updated', () => {
  it('tells what Chromium says of a manifest, and its databases', async () => {
    const management = { getPermissionWarningsByManifest: (json: string) => Promise.resolve([`of ${json}`]) };
    const indexedDB = { databases: () => Promise.resolve([{ name: 'notes', version: 2 }]) };
    const page = new FakePage({ chrome: { management }, indexedDB });
    assert.deepEqual(await page.call(permissionWarnings, '{}'), ['of {}']);
    assert.deepEqual(await page.call(databasesOf), [{ name: 'notes', version: 2 }]);
  });

  it('notices that it stores something, and not what only the session keeps', async () => {
    const onChanged = new FakeEvent<[object, string]>();
    const alarms: object[] = [];
    const databases = [{ name: 'notes', version: 2 }];
    const chrome = { storage: { onChanged }, alarms: { getAll: () => Promise.resolve(alarms) } };
    const page = new FakePage({ chrome, indexedDB: { databases: () => Promise.resolve(databases) } });
    await page.call(watchData);
    const states = [await page.call(dataState)];
    const noted = async (): Promise<boolean> => {
      states.push(await page.call(dataState));
      return states.at(-1) !== states.at(-2);
    };
    assert.equal(await noted(), false);
    onChanged.fire({}, 'session');
    assert.equal(await noted(), false);
    onChanged.fire({}, 'local');
    assert.equal(await noted(), true);
    alarms.push({ name: 'refresh', periodInMinutes: 5, scheduledTime: 1 });
    assert.equal(await noted(), true);
    databases.unshift({ name: 'cache', version: 1 });
    assert.equal(await noted(), true);
    databases.reverse();
    assert.equal(await noted(), false);
  });

  it('needs no permission for that', async () => {
    const page = new FakePage({ chrome: {}, indexedDB: { databases: () => Promise.resolve([]) } });
    await page.call(watchData);
    assert.equal(await page.call(dataState), '[0,[],[]]');
  });
});
