import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WatchTimes } from '../../../src/archive/folderList';
import { FolderPackers } from '../../../src/archive/packers';
import { selectFiles } from '../../../src/archive/select';

/** The watcher is relied on at once, what it does not tell counts at once, and the comparison comes at once. */
const AT_ONCE: WatchTimes = { settleMs: 0, checkAfterMs: 0, lateMs: -1000 };

describe('the packers of folders', () => {
  let folder: string;
  let packers: FolderPackers;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-packers-'));
    await writeFile(join(folder, 'a.js'), 'let a;\n'.repeat(1000));
    packers = new FolderPackers({ times: { ...AT_ONCE, checkAfterMs: 3_600_000 } });
  });
  afterEach(async () => {
    packers.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const names = async (): Promise<string[]> => (await packers.select(folder)).files.map(({ path }) => path);

  it('are the same for the same folder, and only those of the latest folders are kept', () => {
    const [first, second] = [packers.of('/1'), packers.of('/2')];
    for (const other of ['/3', '/4']) packers.of(other);
    assert.equal(packers.of('/1'), first);
    packers.of('/5');
    assert.equal(packers.of('/1'), first);
    assert.notEqual(packers.of('/2'), second);
  });

  it('select the files of a folder as a selection of its own does', async () => {
    assert.deepEqual(await packers.select(folder), await selectFiles(folder));
    await writeFile(join(folder, 'b.js'), '');
    assert.deepEqual(
      await packers.select(folder, { exclude: ['a.js'] }),
      await selectFiles(folder, { exclude: ['a.js'] }),
    );
  });

  it('rely on somebody who watches, until the last one ends', async () => {
    const [watch, other] = [packers.watch(folder), packers.watch(folder)];
    assert.deepEqual(await names(), ['a.js']);
    for (const path of ['/1', '/2', '/3', '/4', '/5']) await assert.rejects(packers.select(path), /does not exist/);
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

  it('tell which folder was pushed with less than lies on the disk', async () => {
    let tell = (_folder: string): void => undefined;
    const stale = new Promise<string>((resolve) => (tell = resolve));
    packers = new FolderPackers({
      times: AT_ONCE,
      onStale: (of) => {
        tell(of);
      },
    });
    packers.watch(folder);
    await names();
    await writeFile(join(folder, 'missed.js'), '');
    await names();
    assert.equal(await stale, folder);
  });

  it('pack ahead what the next pack would have to compress, and say nothing of failures', async () => {
    packers.ahead(join(folder, 'gone'), { isLocal: false });
    packers.ahead(folder, { isLocal: false });
    const { files } = await packers.select(folder);
    const packed: number[] = [];
    const archive = await packers.of(folder).pack(files, { onProgress: (done) => packed.push(done) });
    assert.equal(archive.files, 1);
    assert.deepEqual(packed, [1]);
    packers.ahead(folder, { isLocal: false }, AbortSignal.abort());
  });
});
