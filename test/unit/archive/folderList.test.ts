import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FolderList, type WatchTimes } from '../../../src/archive/folderList';
import type { Selection } from '../../../src/archive/selection';

/** The watcher is trusted at once, and an unreported change counts as missed at once; nothing is compared. */
const TRUSTED: WatchTimes = { settleMs: 0, checkAfterMs: 3_600_000, lateMs: -1000 };

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

  /** A list of a watched folder that has been read as a whole. */
  async function watched(times = TRUSTED, onStale?: () => void): Promise<FolderList> {
    const list = new FolderList(folder, { times, ...(onStale ? { onStale } : {}) });
    list.onWatchStart();
    await list.select();
    return list;
  }

  it('reads the whole folder each time without a watcher', async () => {
    const list = new FolderList(folder);
    await list.select();
    await write('b.js', 'b');
    assert.deepEqual(sizes(await list.select()), { 'b.js': 1, 'js/a.js': 0, 'manifest.json': 2 });
  });

  it('reads only the reported paths while there is a watcher', async () => {
    const list = await watched();
    await write('js/a.js', 'new');
    await write('missed.js', 'x');
    list.changed([join(folder, 'js', 'a.js')]);
    assert.deepEqual(sizes(await list.select()), { 'js/a.js': 3, 'manifest.json': 2 });
  });

  it('reads a reported folder with its contents, and ignores paths outside the folder', async () => {
    const list = await watched();
    await write('new/deep/b.js', 'b');
    list.changed([join(folder, 'new'), join(folder, '..', 'elsewhere'), `${folder}-other/file`]);
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'manifest.json', 'new/deep/b.js']);
    await rm(join(folder, 'js'), { recursive: true });
    list.changed([join(folder, 'js')]);
    assert.deepEqual(Object.keys(sizes(await list.select())), ['manifest.json', 'new/deep/b.js']);
  });

  const manyPaths = (): string[] => Array.from({ length: 501 }, (_, index) => join(folder, `${index}`));

  const reasons: [string, (list: FolderList) => Parameters<FolderList['select']>][] = [
    ['the watcher has dropped events', (list) => (list.markIncomplete(), [])],
    ['the watcher is new', (list) => (list.onWatchStart(), [])],
    ['the watcher has ended', (list) => (list.onWatchEnd(), [])],
    ['a folder above was reported', (list) => (list.changed([dirname(folder)]), [])],
    ['the rules have changed', () => [{ exclude: ['nothing'] }]],
    ['very many paths were reported', (list) => (list.changed(manyPaths()), [])],
  ];
  for (const [reason, act] of reasons) {
    it(`reads the whole folder when ${reason}`, async () => {
      const list = await watched();
      assert.ok(list.isListed);
      await write('missed.js', 'x');
      const options = act(list);
      assert.equal(list.isListed, options.length > 0);
      assert.ok('missed.js' in sizes(await list.select(...options)));
    });
  }

  it('does not trust a watcher that has just started', async () => {
    const list = await watched({ ...TRUSTED, settleMs: 3_600_000 });
    await write('missed.js', 'x');
    assert.ok('missed.js' in sizes(await list.select()));
  });

  it('stays incomplete when events are dropped while the folder is being read', async () => {
    const list = await watched();
    const selecting = list.select();
    await nextTurn();
    list.markIncomplete();
    await selecting;
    await write('missed.js', 'x');
    assert.ok('missed.js' in sizes(await list.select()));
  });

  it('reads the whole folder after an aborted selection', async () => {
    const list = await watched();
    await write('new.js', 'x');
    list.changed([join(folder, 'new.js'), join(folder, 'js')]);
    await assert.rejects(list.select({ signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'manifest.json', 'new.js']);
  });

  it('reports a change that the watcher has missed, and does not trust that watcher again', async () => {
    let reportStale = (): void => undefined;
    const stale = new Promise<void>((resolve) => (reportStale = resolve));
    const list = await watched({ ...TRUSTED, checkAfterMs: 0 }, () => {
      reportStale();
    });
    await write('missed.js', 'x');
    assert.ok(!('missed.js' in sizes(await list.select())));
    await stale;
    assert.ok('missed.js' in sizes(await list.select()));
    await write('missed too.js', 'x');
    assert.ok('missed too.js' in sizes(await list.select()));
  });

  it('does not count a change as missed that is reported after the selection', async () => {
    let isStale = false;
    const list = await watched({ ...TRUSTED, checkAfterMs: 0 }, () => (isStale = true));
    await write('js/late.js', 'x');
    await list.select();
    list.changed([join(folder, 'js')]);
    await list.compared();
    assert.equal(isStale, false);
    await write('missed.js', 'x');
    assert.deepEqual(Object.keys(sizes(await list.select())), ['js/a.js', 'js/late.js', 'manifest.json']);
  });

  it('runs simultaneous selections one after the other', async () => {
    const list = await watched();
    await write('js/a.js', 'new');
    list.changed([join(folder, 'js', 'a.js')]);
    const both = await Promise.all([list.select(), list.select()]);
    assert.deepEqual(both.map(sizes), [
      { 'js/a.js': 3, 'manifest.json': 2 },
      { 'js/a.js': 3, 'manifest.json': 2 },
    ]);
  });
});
