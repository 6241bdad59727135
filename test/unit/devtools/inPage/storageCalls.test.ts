import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import {
  type AreaChange,
  clearArea,
  readArea,
  readPiece,
  sizesOfAreas,
  watchAreas,
  writeArea,
} from '../../../../src/devtools/inPage/storageCalls';
import { FakeEvent, FakePage } from '../../../support/fakePage';

/** An area in memory with a quota of keys. */
class FakeArea {
  items: Record<string, unknown> = {};
  /** Most keys that it takes. */
  quota = Infinity;
  /** How often keys were removed. */
  removals = 0;

  get(keys: string[] | null): Promise<Record<string, unknown>> {
    const all = Object.entries(this.items);
    return Promise.resolve(Object.fromEntries(keys ? all.filter(([key]) => keys.includes(key)) : all));
  }

  async set(items: object): Promise<void> {
    await turnOfLoop();
    const all = { ...this.items, ...items };
    if (Object.keys(all).length > this.quota) throw new Error('QUOTA_BYTES quota exceeded');
    this.items = all;
  }

  /** Takes longer than the others, so that what does not wait for it is seen. */
  async remove(keys: string[]): Promise<void> {
    this.removals += 1;
    for (let turn = 0; turn < 3; turn++) await turnOfLoop();
    this.items = Object.fromEntries(Object.entries(this.items).filter(([key]) => !keys.includes(key)));
  }

  clear(): Promise<void> {
    this.items = {};
    return Promise.resolve();
  }

  getBytesInUse(_keys: null): Promise<number> {
    return Promise.resolve(JSON.stringify(this.items).length);
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the storage of an extension, in its page', () => {
  let local: FakeArea;
  let onChanged: FakeEvent<[changes: object, area: string]>;
  let reported: string[];
  let page: FakePage;

  beforeEach(() => {
    local = new FakeArea();
    onChanged = new FakeEvent();
    reported = [];
    page = new FakePage({
      chrome: { runtime: { id: 'a' }, storage: { onChanged, local } },
      sideloadStorageChanged: (area: string) => reported.push(area),
    });
  });

  const write = (change: Partial<AreaChange>): ReturnType<typeof writeArea> =>
    page.call(writeArea, 'local', JSON.stringify({ set: {}, remove: [], expected: [], ...change }));

  it('is read as JSON, if it is not too large', async () => {
    local.items = { a: [1], b: { c: null } };
    const whole = { json: JSON.stringify(local.items), reading: 1, pieces: 0 };
    assert.deepEqual(await page.call(readArea, 'local', 100, 1000), whole);
    assert.deepEqual(await page.call(readArea, 'local', 5, 1000), { error: 'tooLarge', message: '24' });
    local.items = {};
    assert.deepEqual(await page.call(readArea, 'local', 100, 1000), { json: '{}', reading: 1, pieces: 0 });
  });

  it('is read in pieces, as it was at one moment, each given once', async () => {
    local.items = { a: 'x'.repeat(10), b: 1, c: 2, d: 3 };
    assert.deepEqual(await page.call(readArea, 'local', 100, 8), { json: '{"a":"xxxxxxxxxx"}', reading: 1, pieces: 2 });
    local.items = { e: 5, f: 6, g: 7 };
    assert.deepEqual(await page.call(readArea, 'local', 100, 4), { json: '{"e":5}', reading: 2, pieces: 2 });
    const pieces = [1, 2, 1, 2, 1].map((reading) => page.call(readPiece, reading));
    const given = [{ json: '{"b":1,"c":2}' }, { json: '{"f":6}' }, { json: '{"d":3}' }, { json: '{"g":7}' }];
    assert.deepEqual(await Promise.all(pieces), [...given, { error: 'gone' }]);
    const again = await page.call(readArea, 'local', 100, 4);
    assert.ok('reading' in again && again.reading === 1, 'nothing is kept');
  });

  it('reports a change of an area once until that is read', async () => {
    await page.call(watchAreas, 'sideloadStorageChanged');
    for (const area of ['local', 'local', 'sync', 'local']) onChanged.fire({}, area);
    assert.deepEqual(reported, ['local', 'sync']);
    await page.call(readArea, 'local', 100, 1000);
    onChanged.fire({}, 'local');
    onChanged.fire({}, 'sync');
    assert.deepEqual(reported, ['local', 'sync', 'local']);
  });

  it('is written when the values are the expected ones, whatever the order of their keys', async () => {
    local.items = { a: { y: 1, x: [2] }, old: 1 };
    const expected: AreaChange['expected'] = [
      ['a', digest('{"x":[2],"y":1}')],
      ['b', null],
    ];
    assert.deepEqual(await write({ set: { b: 2 }, remove: ['old'], expected }), {});
    assert.deepEqual(local.items, { a: { y: 1, x: [2] }, b: 2 });
  });

  it('is not written when a value is another one, or there or gone', async () => {
    local.items = { a: 1, b: 1 };
    const expected: AreaChange['expected'] = [
      ['a', digest('1')],
      ['b', null],
      ['c', digest('1')],
    ];
    assert.deepEqual(await write({ set: { a: 2 }, expected }), { changed: ['b', 'c'] });
    assert.deepEqual(local.items, { a: 1, b: 1 });
  });

  it('has room for what is set by what is removed', async () => {
    local.items = { a: 1 };
    local.quota = 1;
    assert.deepEqual(await write({ set: { b: 2 }, remove: ['a'] }), {});
    assert.deepEqual(local.items, { b: 2 });
    assert.equal(local.removals, 1);
  });

  it('has again what was removed in vain', async () => {
    local.items = { a: 1 };
    local.quota = 1;
    const refused = { error: 'refused', message: 'QUOTA_BYTES quota exceeded' };
    assert.deepEqual(await write({ set: { b: 2, c: 3 }, remove: ['a'] }), refused);
    assert.deepEqual(local.items, { a: 1 });
    assert.deepEqual(await write({ set: { b: 2 } }), refused);
  });

  it('is cleared, and its size told', async () => {
    local.items = { a: 1 };
    assert.deepEqual(await page.call(sizesOfAreas, ['local', 'sync']), [7, 0]);
    assert.deepEqual(await page.call(clearArea, 'local'), {});
    assert.deepEqual(local.items, {});
  });

  it('says why it cannot be used', async () => {
    const asked = async (): Promise<unknown[]> => [
      await page.call(readArea, 'local', 100, 1000),
      await write({}),
      await page.call(clearArea, 'local'),
      await page.call(sizesOfAreas, ['local']),
    ];
    page = new FakePage({ chrome: { runtime: { id: 'a' } } });
    assert.deepEqual(await asked(), Array(4).fill({ error: 'noStorage' }));
    page = new FakePage({ chrome: {} });
    assert.deepEqual(await asked(), Array(4).fill({ error: 'gone' }));
    const refuse = (): Promise<never> => Promise.reject(new Error('no'));
    Object.assign(local, { get: refuse, clear: refuse, getBytesInUse: refuse });
    page = new FakePage({ chrome: { runtime: { id: 'a' }, storage: { onChanged, local } } });
    assert.deepEqual(await asked(), Array(4).fill({ error: 'refused', message: 'no' }));
  });
});
