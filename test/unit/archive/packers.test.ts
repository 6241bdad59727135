import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchTimes } from '../../../src/archive/folderList';
import { FolderPackers } from '../../../src/archive/packers';
import { selectFiles } from '../../support/selectFiles';

/** The watcher is trusted at once, an unreported change counts as missed at once, and the comparison starts at once. */
const TRUSTED: WatchTimes = { settleMs: 0, checkAfterMs: 0, lateMs: -1000 };

describe('the packers of folders', () => {
  let folder: string;
  let packers: FolderPackers;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-packers-'));
    await writeFile(join(folder, 'a.js'), 'let a;\n'.repeat(1000));
    packers = new FolderPackers({ times: { ...TRUSTED, checkAfterMs: 3_600_000 } });
  });
  afterEach(async () => {
    packers.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const names = async (): Promise<string[]> => (await packers.source(folder).list()).files.map(({ path }) => path);

  it('are the same for the same folder, and only those of the latest folders are kept', () => {
    const [first, second] = [packers.of('/1'), packers.of('/2')];
    for (const other of ['/3', '/4']) packers.of(other);
    assert.equal(packers.of('/1'), first);
    packers.of('/5');
    assert.equal(packers.of('/1'), first);
    assert.notEqual(packers.of('/2'), second);
  });

  it('select the same files as selectFiles', async () => {
    assert.deepEqual(await packers.source(folder).list(), await selectFiles(folder));
    await writeFile(join(folder, 'b.js'), '');
    assert.deepEqual(
      await packers.source(folder).list({ exclude: ['a.js'] }),
      await selectFiles(folder, { exclude: ['a.js'] }),
    );
  });

  it('trust watches until the last one ends', async () => {
    const [watch, other] = [packers.watch(folder), packers.watch(folder)];
    assert.deepEqual(await names(), ['a.js']);
    for (const path of ['/1', '/2', '/3', '/4', '/5'])
      await assert.rejects(packers.source(path).list(), /does not exist/);
    await writeFile(join(folder, 'b.js'), '');
    other.dispose();
    other.dispose();
    assert.deepEqual(await names(), ['a.js']);
    watch.changed([join(folder, 'b.js')]);
    assert.deepEqual(await names(), ['a.js', 'b.js']);
    await writeFile(join(folder, 'c.js'), '');
    watch.dispose();
    assert.deepEqual(await names(), ['a.js', 'b.js', 'c.js']);
  });

  it('report a folder whose last selection was outdated', async () => {
    const stale = new Promise<string>((resolve) => {
      packers = new FolderPackers({ times: TRUSTED, onStale: resolve });
    });
    packers.watch(folder);
    await names();
    await writeFile(join(folder, 'missed.js'), '');
    await names();
    assert.equal(await stale, folder);
  });

  it('compress ahead what the next pack would have to compress, and do not report failures', async () => {
    packers.ahead(join(folder, 'gone'), { isLocal: false });
    packers.ahead(folder, { isLocal: false });
    const { files } = await packers.source(folder).list();
    const packed: number[] = [];
    const archive = await packers.of(folder).pack(files, { onProgress: (done) => packed.push(done) });
    assert.equal(archive.files, 1);
    assert.deepEqual(packed, [1]);
    packers.ahead(folder, { isLocal: false }, AbortSignal.abort());
  });
});
