import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FolderList, type WatchTimes } from '../../../src/archive/folderList';
import type { Selection } from '../../../src/archive/selection';

/** The watcher is relied on at once, and what it does not tell counts at once; nothing is compared. */
const AT_ONCE: WatchTimes = { settleMs: 0, checkAfterMs: 3_600_000, lateMs: -1000 };

describe('the list of files of a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-list-'));
    await write('manifest.json', '{}');
    await write('js/a.js', '');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, content: string): Promise<void> {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }

  /** The sizes of files by path. */
  const sizes = ({ files }: Selection): Record<string, number> =>
    Object.fromEntries(files.map(({ path, size }) => [path, size]));

  /** A list that has been read as a whole, and is watched. */
  async function watched(times = AT_ONCE, onStale?: () => void): Promise<FolderList> {
    const list = new FolderList(folder, { times, ...(onStale ? { onStale } : {}) });
    list.watched();
    await list.select();
    return list;
  }

  it('is read as a whole each time while nobody watches', async () => {
    const list = new FolderList(folder);
    await list.select();
    await write('b.js', 'b');
    assert.deepEqual(sizes(await list.select()), { 'b.js': 1, 'js/a.js': 0, 'manifest.json': 2 });
  });

  it('costs the told paths alone while somebody watches', async () => {
    const list = await watched();
    await write('js/a.js', 'told');
    await write('untold.js', 'x');
    list.changed([join(folder, 'js', 'a.js')]);
    assert.deepEqual(sizes(await list.select()), { 'js/a.js': 4, 'manifest.json': 2 });
  });

  it('takes a told folder for all that is in it, and passes over what lies outside', async () => {
    const list = await watched();
    await write('new/deep/b.js', 'b');
    list.changed([join(folder, 'new'), join(folder, '..', 'elsewhere'), `${folder}-other/file`]);
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'manifest.json', 'new/deep/b.js']);
    await rm(join(folder, 'js'), { recursive: true });
    list.changed([join(folder, 'js')]);
    assert.deepEqual(Object.keys(sizes(await list.select())), ['manifest.json', 'new/deep/b.js']);
  });

  const reasons: [string, (list: FolderList) => Parameters<FolderList['select']>][] = [
    ['the watcher has lost something', (list) => (list.lost(), [])],
    ['the watcher is a new one', (list) => (list.watched(), [])],
    ['the watcher has ended', (list) => (list.unwatched(), [])],
    ['a folder above was told', (list) => (list.changed([dirname(folder)]), [])],
    ['other rules count', () => [{ exclude: ['nothing'] }]],
    ['very much was told', (list) => (list.changed(Array.from({ length: 501 }, (_, at) => join(folder, `${at}`))), [])],
  ];
  for (const [reason, act] of reasons) {
    it(`is read as a whole when ${reason}`, async () => {
      const list = await watched();
      await write('untold.js', 'x');
      assert.ok('untold.js' in sizes(await list.select(...act(list))));
    });
  }

  it('does not rely on a watcher that has only just begun', async () => {
    const list = await watched({ ...AT_ONCE, settleMs: 3_600_000 });
    await write('untold.js', 'x');
    assert.ok('untold.js' in sizes(await list.select()));
  });

  it('keeps a loss that is told while it is being read', async () => {
    const list = await watched();
    const selecting = list.select();
    await new Promise((resolve) => setImmediate(resolve));
    list.lost();
    await selecting;
    await write('untold.js', 'x');
    assert.ok('untold.js' in sizes(await list.select()));
  });

  it('is read as a whole after a reading that was aborted', async () => {
    const list = await watched();
    await write('told.js', 'x');
    list.changed([join(folder, 'told.js'), join(folder, 'js')]);
    await assert.rejects(list.select({ signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'manifest.json', 'told.js']);
  });

  it('tells when the watcher has missed a change, and no longer relies on it', async () => {
    let tell = (): void => undefined;
    const stale = new Promise<void>((resolve) => (tell = resolve));
    const list = await watched({ ...AT_ONCE, checkAfterMs: 0 }, () => {
      tell();
    });
    await write('missed.js', 'x');
    assert.ok(!('missed.js' in sizes(await list.select())));
    await stale;
    assert.ok('missed.js' in sizes(await list.select()));
    await write('missed too.js', 'x');
    assert.ok('missed too.js' in sizes(await list.select()));
  });

  it('takes a change that is told after the selection for one on its way', async () => {
    let isStale = false;
    const list = await watched({ ...AT_ONCE, checkAfterMs: 0 }, () => (isStale = true));
    await write('js/late.js', 'x');
    await list.select();
    list.changed([join(folder, 'js')]);
    await list.checked();
    assert.equal(isStale, false);
    await write('untold.js', 'x');
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'js/late.js', 'manifest.json']);
  });

  it('gives selections that are asked for at once one after the other', async () => {
    const list = await watched();
    await write('js/a.js', 'told');
    list.changed([join(folder, 'js', 'a.js')]);
    const both = await Promise.all([list.select(), list.select()]);
    assert.deepEqual(both.map(sizes), [
      { 'js/a.js': 4, 'manifest.json': 2 },
      { 'js/a.js': 4, 'manifest.json': 2 },
    ]);
  });
});
