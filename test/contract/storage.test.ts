import assert from 'node:assert/strict';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { closeHiddenPages, HiddenPage } from '../../src/devtools/protocol/hiddenPage';
import {
  clearSiteData,
  clearStorage,
  readStorage,
  storageSizes,
  watchStorage,
  writeStorage,
  type StorageArea,
  type StorageItems,
} from '../../src/devtools/storage/extensionStorage';
import { listExtensionPages } from '../../src/devtools/pages/tabs';
import { changeBetween, documentOf, parseItems, valuesFor } from '../../src/editor/storage/storageText';
import { eventually } from '../support/eventually';
import { ExtensionStage } from './extensionStage';

/** Longest time for a step in the browser, in milliseconds. */
const LIMIT_MS = 30_000;

/** How long after its last event Chromium stops a worker, at most, in milliseconds. */
const IDLE_MS = 45_000;

const STORAGE = { permissions: ['storage'] };

/** Keys and values that are lost or changed where objects are handled carelessly. */
const ODD = `{
  "__proto__": { "a": 1, "__proto__": [2] },
  "": "the empty key",
  "constructor": "c",
  "toString": null,
  "10": "ten",
  "2": "two",
  "😀": ["🏳️‍🌈", "\\u2028", "\\u0000", "</script>"],
  "${'long '.repeat(1000)}": true,
  "numbers": [0.1, 1e300, -1e-300, 9007199254740991, -1.5, 0],
  "date": "2026-11-23T00:00:00.000Z",
  "empty": { "list": [], "object": {} }
}`;

async function itemsIn(text: string | Uint8Array): Promise<StorageItems> {
  const parsed = await parseItems(text);
  assert('items' in parsed, JSON.stringify(parsed));
  return parsed.items;
}

/** A value within this many lists. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

describe('the storage of an extension', function () {
  this.timeout(60_000);
  let stage: ExtensionStage;
  let id: string;
  let page: HiddenPage;

  before(async () => {
    stage = await ExtensionStage.start();
    ({ id } = await stage.load(STORAGE, 'self.runs = 1;'));
    page = await stage.page(id);
  });
  beforeEach(async () => {
    for (const area of ['local', 'sync', 'session'] as const) await clearStorage(page, area);
  });
  after(() => stage.end());

  const write = (area: StorageArea, items: StorageItems): ReturnType<typeof writeStorage> =>
    writeStorage(page, area, { set: items, remove: [] });

  const inExtension = (expression: string): Promise<unknown> => evaluate(page.session, expression);

  it('comes back as it was written, with odd keys, in each area that can be written', async () => {
    for (const area of ['local', 'session'] as const) {
      const items = await itemsIn(ODD);
      assert.deepEqual(await write(area, items), { end: 'written' });
      const read = await readStorage(page, area);
      assert.deepEqual(await changeBetween(items, read), { set: new Map(), remove: [] });
      // Also by way of the document, which is parsed again.
      assert.deepEqual(await changeBetween(read, await itemsIn(await documentOf(read))), {
        set: new Map(),
        remove: [],
      });
      assert.deepEqual([...read.keys()].slice(0, 4), ['2', '10', '', '__proto__'], 'the order of Chromium');
      const removed = { set: new Map(), remove: ['', '__proto__', '😀'] };
      assert.deepEqual(await writeStorage(page, area, removed, valuesFor(removed, read)), { end: 'written' });
      const rest = await readStorage(page, area);
      assert.deepEqual(
        [...read.keys()].filter((key) => !rest.has(key)),
        removed.remove,
      );
    }
  });

  it('of 5 MB comes back as it was written', async () => {
    const items = new Map<string, unknown>([
      ['text', 'ü'.repeat(2_500_000)],
      ['list', Array.from({ length: 50_000 }, (_, index) => ({ index }))],
    ]);
    assert.deepEqual(await write('local', items), { end: 'written' });
    const read = await readStorage(page, 'local');
    assert.deepEqual(await changeBetween(items, read), { set: new Map(), remove: [] });
    const change = { set: new Map([['text', 'short']]), remove: [] };
    assert.deepEqual(await writeStorage(page, 'local', change, valuesFor(change, read)), { end: 'written' });
    assert.equal(await inExtension(`chrome.storage.local.get('text').then(({ text }) => text)`), 'short');
  });

  it('is as deep as Chromium stores it; what is deeper is refused before it would be cut', async () => {
    const deepest = new Map([['deep', nested(99)]]);
    await write('local', deepest);
    assert.deepEqual(await changeBetween(deepest, await readStorage(page, 'local')), { set: new Map(), remove: [] });
    await write('local', new Map([['deep', nested(100)]]));
    const cut = await changeBetween(new Map([['deep', nested(100)]]), await readStorage(page, 'local'));
    assert.equal(cut.set.size, 1, 'this Chromium stores more levels than before');
    assert.ok('items' in (await parseItems(await documentOf(deepest))));
    assert.ok('problem' in (await parseItems(await documentOf(new Map([['deep', nested(100)]])))));
  });

  it('keeps what the extension changes at the same time, and reports a key that both change', async () => {
    await inExtension(`chrome.storage.local.set({ mine: 1, theirs: 1, both: { b: 1, a: 2 } })`);
    const base = await readStorage(page, 'local');
    await inExtension(`chrome.storage.local.set({ theirs: 2, added: true })`);
    const mine = { set: new Map<string, unknown>([['mine', 2]]), remove: ['both'] };
    assert.deepEqual(await writeStorage(page, 'local', mine, valuesFor(mine, base)), { end: 'written' });
    const now = await readStorage(page, 'local');
    assert.deepEqual(Object.fromEntries(now), { added: true, mine: 2, theirs: 2 });

    await inExtension(`chrome.storage.local.set({ mine: 3 })`);
    const both = {
      set: new Map<string, unknown>([
        ['mine', 4],
        ['new', 1],
      ]),
      remove: ['theirs'],
    };
    assert.deepEqual(await writeStorage(page, 'local', both, valuesFor(both, now)), { end: 'changed', keys: ['mine'] });
    assert.deepEqual(Object.fromEntries(await readStorage(page, 'local')), { added: true, mine: 3, theirs: 2 });
  });

  it('is not compared by the order of keys within a value, which Chromium does not keep', async () => {
    const items = new Map([['value', { z: 1, a: { y: 1, b: 2 } }]]);
    await write('local', items);
    const change = { set: new Map([['value', 1]]), remove: [] };
    assert.deepEqual(await writeStorage(page, 'local', change, valuesFor(change, items)), { end: 'written' });
  });

  it('that exceeds its quota is refused whole, with the text of Chromium', async () => {
    await inExtension(`chrome.storage.local.set({ old: 'x'.repeat(6_000_000), other: 1 })`);
    const big = 'y'.repeat(6_000_000);
    const tooMuch = {
      set: new Map<string, unknown>([
        ['new', big],
        ['small', 1],
      ]),
      remove: ['other'],
    };
    await assert.rejects(writeStorage(page, 'local', tooMuch), /quota/i);
    assert.deepEqual([...(await readStorage(page, 'local')).keys()], ['old', 'other']);
    // A key that is renamed fits, although both together do not.
    await writeStorage(page, 'local', { set: new Map([['new', big]]), remove: ['old'] });
    assert.deepEqual([...(await readStorage(page, 'local')).keys()], ['new', 'other']);
    const perItem = new Map<string, unknown>([
      ['small', 1],
      ['large', 'x'.repeat(9000)],
    ]);
    await assert.rejects(write('sync', perItem), /quota/i);
    assert.equal((await readStorage(page, 'sync')).size, 0);
    await assert.rejects(write('session', new Map([['large', 'x'.repeat(11_000_000)]])), /quota/i);
  }).timeout(180_000);

  it('of a policy is empty and cannot be written', async () => {
    assert.equal((await readStorage(page, 'managed')).size, 0);
    await assert.rejects(write('managed', new Map([['a', 1]])), /read-only/);
  });

  it('is reported when it changes, once until it is read', async () => {
    const watching = await stage.page(id);
    const changes: StorageArea[] = [];
    await watchStorage(watching, (area) => changes.push(area));
    const change = (): Promise<unknown> =>
      stage.inWorker(
        id,
        `(async () => { for (let n = 0; n < 20; n++) await chrome.storage.local.set({ n }); return 1; })()`,
      );
    await change();
    await eventually('a report', () => changes.length > 0, LIMIT_MS);
    assert.deepEqual(changes, ['local']);
    assert.equal((await readStorage(watching, 'local')).get('n'), 19);
    await change();
    await stage.inWorker(id, `chrome.storage.session.set({ s: 1 })`);
    await eventually('two reports', () => changes.length >= 3, LIMIT_MS);
    assert.deepEqual(changes.toSorted(), ['local', 'local', 'session']);
    await watching.close();
  });

  it('besides chrome.storage is cleared by itself', async () => {
    await inExtension(`chrome.storage.local.set({ kept: 1 })`);
    await inExtension(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('db');
      opening.onsuccess = () => resolve(opening.result.close());
      opening.onerror = reject;
    })`);
    await inExtension(`caches.open('cache').then((cache) => cache.put('https://a.example/', new Response('x')))`);
    await clearSiteData(page, id);
    assert.deepEqual(await inExtension('indexedDB.databases()'), []);
    assert.deepEqual(await inExtension('caches.keys()'), []);
    assert.deepEqual(Object.fromEntries(await readStorage(page, 'local')), { kept: 1 });
    assert.ok((await storageSizes(page)).local > 0);
  });

  it('is not there without the permission, and no page opens of an extension that is not there', async () => {
    const { id: without } = await stage.load({});
    const bare = await stage.page(without);
    await assert.rejects(readStorage(bare, 'local'), { name: 'StorageError', reason: 'noStorage' });
    const change = { set: new Map([['a', 1]]), remove: [] };
    await assert.rejects(writeStorage(bare, 'sync', change), { reason: 'noStorage' });
    await stage.link.setEnabled(without, false);
    assert.equal(await HiddenPage.open(stage.link.connection, without), undefined);
    assert.equal(await HiddenPage.open(stage.link.connection, 'abcdefghijklmnopabcdefghijklmnop'), undefined);
  });

  it('is read over a page that neither the extension nor a push sees, and that a reload ends', async () => {
    // Its worker may sleep by now.
    await stage.inWorker(id, '1');
    assert.deepEqual(
      await inExtension('chrome.runtime.getContexts({}).then((all) => all.map((one) => one.contextType))'),
      ['BACKGROUND'],
    );
    assert.deepEqual(await listExtensionPages(stage.link, id), []);
    await stage.link.reload(id);
    await assert.rejects(readStorage(page, 'local'), { reason: 'gone' });
    await closeHiddenPages(stage.link, id);
    page = await stage.page(id);
    await write('local', new Map([['after', 1]]));
  });

  it('is read, watched and written without keeping the worker awake or waking it', async () => {
    const { id: sleeper } = await stage.load(STORAGE, 'chrome.storage.local.set({ starts: 1 });');
    const watching = await stage.page(sleeper);
    await watchStorage(watching, () => undefined);
    const workers = await stage.link.workers();
    assert(workers);
    await eventually('a running worker', () => workers.stateOf(sleeper)?.status === 'running', LIMIT_MS);
    const reading = setInterval(() => void readStorage(watching, 'local'), 1000);
    try {
      await eventually('the worker stops', () => workers.stateOf(sleeper)?.status === 'stopped', IDLE_MS);
    } finally {
      clearInterval(reading);
    }
    const since = workers.stateOf(sleeper)?.since;
    await readStorage(watching, 'local');
    await writeStorage(watching, 'local', { set: new Map([['by', 'Sideload']]), remove: [] });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    assert.deepEqual(workers.stateOf(sleeper), { status: 'stopped', since, isByRequest: false });
  }).timeout(IDLE_MS + 30_000);
});
