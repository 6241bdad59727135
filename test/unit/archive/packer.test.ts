import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rename, rm, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_ARCHIVE_BYTES, MAX_FILES } from '../../../src/archive/archiveLimits';
import { FolderSource } from '../../../src/archive/folderSource';
import { FolderPacker, levelFor, replaceFiles, type Archive, type PackOptions } from '../../../src/archive/packer';
import { selectFiles } from '../../support/selectFiles';
import type { SelectedFile } from '../../../src/archive/selection';
import { MemorySource } from '../../standins/memorySource';
import { madeOf, packFiles } from '../../support/packFiles';
import { unzip } from '../../support/unzip';

const MEGABYTE = 1_000_000;

/** Long before every test, in whole seconds, which every file system keeps exactly. */
const REST_TIME = new Date('2024-01-01T00:00:00Z');

async function methodsOf(archive: Archive): Promise<Record<string, number>> {
  const entries = await unzip(await archive.zip());
  return Object.fromEntries([...entries].map(([name, { entry }]) => [name, entry.compressionMethod]));
}

describe('a packer that packs a folder again', () => {
  let folder: string;
  let packer: FolderPacker;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-packer-'));
    packer = new FolderPacker(new FolderSource(folder));
    await write('manifest.json', '{}');
    await write('a.js', 'let a = 1;\n'.repeat(500));
    await write('b.js', 'let b = 2;\n'.repeat(500));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const write = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);
  const pack = async (options: PackOptions = {}): Promise<Archive> =>
    packer.pack((await selectFiles(folder)).files, options);
  const packByNewPacker = async (options: PackOptions = {}): Promise<Archive> =>
    packFiles(folder, (await selectFiles(folder)).files, options);

  it('returns the result of a new packer after files were changed, added, renamed and deleted', async () => {
    await pack();
    await write('a.js', 'let a = 2;\n'.repeat(400));
    assert.deepEqual(await madeOf(pack()), await madeOf(packByNewPacker()));
    await write('c.js', 'let c;');
    await rename(join(folder, 'b.js'), join(folder, 'd.js'));
    assert.deepEqual(await madeOf(pack()), await madeOf(packByNewPacker()));
    await unlink(join(folder, 'c.js'));
    const last = await pack();
    assert.deepEqual(await madeOf(last), await madeOf(packByNewPacker()));
    assert.deepEqual([...last.digests.keys()], ['a.js', 'd.js', 'manifest.json']);
  });

  it('returns the first bytes again when a change is reverted', async () => {
    const first = await pack();
    await write('a.js', 'other');
    await pack();
    await write('a.js', 'let a = 1;\n'.repeat(500));
    assert.deepEqual(await madeOf(pack()), await madeOf(first));
  });

  it('detects a change of the same length within the same moment', async () => {
    for (let build = 0; build < 10; build++) {
      await write('a.js', `let a = ${build};`);
      assert.equal((await pack()).digest, (await packByNewPacker()).digest);
    }
  });

  /** The selection one hour after the last change, apart from `changedMs` on the system's own clock. */
  async function restedFiles(changedMs = 0): Promise<SelectedFile[]> {
    const { files } = await selectFiles(folder);
    for (const { path } of files) await utimes(join(folder, path), REST_TIME, REST_TIME);
    return files.map((file) => ({ ...file, mtimeMs: REST_TIME.getTime(), ctimeMs: REST_TIME.getTime() + changedMs }));
  }

  it('does not read a file again that was unchanged for long when it was read', async () => {
    const files = await restedFiles();
    const first = await madeOf(packer.pack(files));
    await rm(folder, { recursive: true });
    assert.deepEqual(await madeOf(packer.pack(files)), first);
  });

  it('detects a change of the same length with the old modification time, by the time that only the system sets', async () => {
    const before = await packer.pack(await restedFiles());
    await write('a.js', 'let a = 7;\n'.repeat(500));
    const after = await packer.pack(await restedFiles(1));
    assert.notEqual(after.digests.get('a.js'), before.digests.get('a.js'));
  });

  it('keeps its compressed files when a pack fails', async () => {
    const first = await pack();
    const { files } = await selectFiles(folder);
    const missing = { path: 'gone.js', size: 1, mtimeMs: 0, ctimeMs: 0 };
    await assert.rejects(packer.pack([...files, missing]), { name: 'ArchiveError', kind: 'gone' });
    assert.deepEqual(await madeOf(pack()), await madeOf(first));
  });

  it('uses what it has packed ahead', async () => {
    const files = await restedFiles();
    await packer.ahead(files, {});
    const expected = await madeOf(packByNewPacker());
    await rm(folder, { recursive: true });
    assert.deepEqual(await madeOf(packer.pack(files)), expected);
  });

  it('cancels a running pack ahead for a pack, and for another pack ahead', async () => {
    const files = await restedFiles();
    const selected = await selectFiles(folder);
    const ahead = [packer.ahead(files, {}), packer.ahead(files, {})].map((packing) =>
      assert.rejects(packing, { name: 'AbortError' }),
    );
    assert.equal((await packer.pack(selected.files)).digest, (await packByNewPacker()).digest);
    await Promise.all(ahead);
  });

  it('may pack twice at the same time', async () => {
    const [one, two] = await Promise.all([madeOf(pack()), madeOf(pack({ level: 0 }))]);
    assert.deepEqual([one, two], [await madeOf(packByNewPacker()), await madeOf(packByNewPacker({ level: 0 }))]);
    assert.deepEqual(await madeOf(pack()), one);
  });

  it('stores what is compressed already or does not get smaller, and everything at level 0', async () => {
    await write('icon.png', 'x'.repeat(5000));
    await write('noise.bin', randomBytes(5000));
    const expected = { 'a.js': 8, 'b.js': 8, 'icon.png': 0, 'manifest.json': 0, 'noise.bin': 0 };
    assert.deepEqual(await methodsOf(await pack()), expected);
    assert.deepEqual(await methodsOf(await pack()), expected, 'also of kept entries');
    assert.deepEqual(new Set(Object.values(await methodsOf(await pack({ level: 0 })))), new Set([0]));
  });

  it('knows how long the zip will be, which it makes once, when it is asked for', async () => {
    await write('ü €.bin', randomBytes(500));
    await write('empty.css', '');
    for (const level of [0, 4]) {
      const archive = await pack({ level });
      const zip = await archive.zip();
      assert.equal(archive.zipBytes, zip.length, `at level ${level}`);
      assert.equal(await archive.zip(), zip);
    }
  });

  it('replaces the content of one file of an archive', async () => {
    const archive = await pack();
    const contents = new Map([['manifest.json', Buffer.from('{"key":"k"}')]]);
    const replaced = await madeOf(replaceFiles(archive, contents));
    await write('manifest.json', '{"key":"k"}');
    const packed = await madeOf(pack());
    for (const key of ['bytes', 'zipBytes', 'files', 'uncompressedBytes', 'digest', 'digests'] as const) {
      assert.deepEqual(replaced[key], packed[key], key);
    }
  });

  it('compresses what it replaces where that is asked for', async () => {
    const archive = await pack();
    const text = 'let a;\n'.repeat(10_000);
    const contents = new Map([['a.js', Buffer.from(text)]]);
    const [stored, deflated] = [await replaceFiles(archive, contents), await replaceFiles(archive, contents, 4)];
    assert.ok(deflated.zipBytes < stored.zipBytes - 60_000, `${deflated.zipBytes}, ${stored.zipBytes}`);
    assert.equal(deflated.digest, stored.digest);
    assert.equal((await unzip(await deflated.zip())).get('a.js')?.content.toString(), text);
  });

  it('refuses a folder of 500 MB by its sizes, without reading it, and names the largest files', async () => {
    for (const [name, megabytes] of [
      ['video.mov', 400],
      ['data.bin', 100],
    ] as const) {
      await write(name, '');
      await truncate(join(folder, name), megabytes * MEGABYTE);
    }
    const { files } = await selectFiles(folder);
    await rm(folder, { recursive: true });
    await assert.rejects(packer.pack(files), {
      name: 'TooLargeError',
      message: /^The folder has 500\.0 MB .*at most 52\.4 MB.*video\.mov \(400\.0 MB\), data\.bin \(100\.0 MB\)/,
    });
  });

  it('stops reading once the archive exceeds the limit', async () => {
    for (let index = 0; index < 20; index++) await write(`noise-${index}.bin`, Buffer.alloc(1000));
    let last = 0;
    const packing = pack({ level: 0, maxBytes: 5000, onProgress: (done) => (last = done) });
    await assert.rejects(packing, { name: 'TooLargeError', message: /more than 5\.0 kB/ });
    assert.ok(last < 12, `${last} files were packed`);
  });

  it('allows an archive of exactly the limit', async () => {
    const { zipBytes: length } = await pack();
    assert.equal((await packByNewPacker({ maxBytes: length })).zipBytes, length);
    await assert.rejects(packByNewPacker({ maxBytes: length - 1 }), { name: 'TooLargeError' });
  });

  it('says how many files an archive may hold', async () => {
    const files = Array.from({ length: MAX_FILES + 1 }, (_, index) => ({
      path: `${index}`,
      size: 0,
      mtimeMs: 0,
      ctimeMs: 0,
    }));
    await assert.rejects(packer.pack(files), { name: 'ArchiveError', message: /more than 16384 files/ });
  });

  it('refuses a file that is being written while it is packed', async () => {
    const { files } = await selectFiles(folder);
    const file = await open(join(folder, 'a.js'), 'a');
    await file.write('more');
    await file.close();
    await assert.rejects(packer.pack(files), { name: 'ArchiveError', kind: 'changed', path: 'a.js' });
  });
});

describe('the level of an archive', () => {
  it('is none for a browser on this machine while the uncompressed files fit, and otherwise that of JSZip for speed', () => {
    assert.deepEqual(
      [levelFor(true, MEGABYTE), levelFor(true, MAX_ARCHIVE_BYTES), levelFor(false, MEGABYTE)],
      [0, 4, 4],
    );
  });
});

describe('a packer of a source in memory', () => {
  it('returns what a packer of a folder with the same files returns, and reads again only what was written', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-memory-'));
    const texts: Record<string, string> = { 'a.js': 'let a;\n'.repeat(500), 'manifest.json': '{}' };
    const source = new MemorySource(texts);
    const packer = new FolderPacker(source);
    for (const text of ['let a = 1;', 'let a = 2;']) {
      texts['a.js'] = text;
      source.write('a.js', text);
      for (const [path, content] of Object.entries(texts)) await writeFile(join(folder, path), content);
      const inFolder = await packFiles(folder, (await selectFiles(folder)).files);
      assert.deepEqual(await madeOf(packer.pack((await source.list()).files)), await madeOf(inFolder));
    }
    assert.deepEqual(source.reads.toSorted(), ['a.js', 'a.js', 'manifest.json']);
    await rm(folder, { recursive: true });
  });

  it('rejects for a file that was written after it was listed', async () => {
    const source = new MemorySource({ 'a.js': '1' });
    const { files } = await source.list();
    source.write('a.js', '2');
    await assert.rejects(new FolderPacker(source).pack(files), { kind: 'changed', path: 'a.js' });
  });
});
