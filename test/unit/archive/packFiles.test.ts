import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFLATE_LEVEL, LARGE_BYTES, STORE_LEVEL } from '../../../src/archive/compress';
import { packFiles } from '../../support/packFiles';
import { selectFiles } from '../../support/selectFiles';
import { unzip } from '../../support/unzip';

describe('an archive', () => {
  let folder: string;

  const pack = async (options = {}) => packFiles(folder, (await selectFiles(folder)).files, options);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-zip-'));
    await mkdir(join(folder, 'js'));
    await writeFile(join(folder, 'manifest.json'), '{}');
    await writeFile(join(folder, 'js/wörker.js'), 'let a = 1;\n'.repeat(1000));
    await writeFile(join(folder, 'empty.css'), '');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('holds every file once with its content, the manifest at its root, mode 0644 and no folder entries', async () => {
    const archive = await pack();
    const entries = await unzip(await archive.zip());
    assert.deepEqual([...entries.keys()], ['empty.css', 'js/wörker.js', 'manifest.json']);
    assert.equal(entries.get('js/wörker.js')?.content.toString(), 'let a = 1;\n'.repeat(1000));
    for (const { entry } of entries.values()) {
      assert.equal(entry.externalFileAttributes >>> 16, 0o100644);
      assert.equal(entry.versionMadeBy >>> 8, 3, 'made on UNIX');
    }
    assert.equal(archive.files, 3);
    assert.equal(archive.uncompressedBytes, 11_002);
    assert.ok(archive.zipBytes < 1000, 'repeated text is compressed');
  });

  it('holds large files with their content and digest, compressed or stored', async () => {
    const large = Buffer.alloc(LARGE_BYTES + 1, 'large ');
    await writeFile(join(folder, 'large.txt'), large);
    for (const level of [STORE_LEVEL, DEFLATE_LEVEL]) {
      const archive = await pack({ level });
      assert.ok((await unzip(await archive.zip())).get('large.txt')?.content.equals(large));
      assert.equal(archive.digests.get('large.txt'), createHash('sha256').update(large).digest('hex'));
    }
  });

  it('holds files of every size up to which they are read in one way', async () => {
    const sizes = [1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 600 * 1024];
    for (const size of sizes) await writeFile(join(folder, `${size}.txt`), Buffer.alloc(size, `${size} `));
    const entries = await unzip(await (await pack({ level: STORE_LEVEL })).zip());
    for (const size of sizes) assert.ok(entries.get(`${size}.txt`)?.content.equals(Buffer.alloc(size, `${size} `)));
  });

  it('has the same bytes for the same content, whatever its times, its modes and the order of the list', async () => {
    const first = await pack();
    await utimes(join(folder, 'manifest.json'), 1_000_000_000, 1_000_000_000);
    await chmod(join(folder, 'manifest.json'), 0o755);
    const { files } = await selectFiles(folder);
    const second = await packFiles(folder, files.reverse());
    assert.deepEqual(await second.zip(), await first.zip());
    assert.equal(second.digest, first.digest);
  });

  it('has a digest of names and contents, and a digest of each file', async () => {
    const first = await pack();
    assert.equal(first.digests.get('manifest.json'), createHash('sha256').update('{}').digest('hex'));
    await writeFile(join(folder, 'manifest.json'), '[]');
    const second = await pack();
    assert.notEqual(second.digest, first.digest);
    assert.equal(second.digests.get('empty.css'), first.digests.get('empty.css'));
    assert.equal((await pack({ level: 1 })).digest, second.digest);
  });

  it('holds files with names that are properties of every JavaScript object', async () => {
    for (const name of ['__proto__', 'constructor']) await writeFile(join(folder, name), name);
    const entries = await unzip(await (await pack()).zip());
    assert.equal(entries.get('__proto__')?.content.toString(), '__proto__');
    assert.equal(entries.get('constructor')?.content.toString(), 'constructor');
  });

  it('is refused with the name of a file that was deleted after it was selected', async () => {
    const { files } = await selectFiles(folder);
    await unlink(join(folder, 'empty.css'));
    await assert.rejects(packFiles(folder, files), {
      name: 'ArchiveError',
      kind: 'gone',
      path: 'empty.css',
      message: /^empty\.css was deleted/,
    });
  });

  it('is refused with the name of a file that changed after it was selected', async () => {
    const { files } = await selectFiles(folder);
    await writeFile(join(folder, 'empty.css'), 'a{}');
    await assert.rejects(packFiles(folder, files), { name: 'ArchiveError', kind: 'changed', path: 'empty.css' });
  });

  it('does not follow a link that has replaced a selected file', async function () {
    if (process.platform === 'win32') this.skip();
    const { files } = await selectFiles(folder);
    await unlink(join(folder, 'empty.css'));
    await symlink('/etc/hostname', join(folder, 'empty.css'));
    await assert.rejects(packFiles(folder, files), { name: 'ArchiveError', kind: 'changed' });
  });

  it('reports its progress in rising numbers up to that of all files', async () => {
    for (let index = 0; index < 20; index++) await writeFile(join(folder, `f${index}.js`), String(index).repeat(500));
    const seen: number[] = [];
    await pack({
      onProgress: (done: number, total: number) => {
        assert.equal(total, 23);
        seen.push(done);
      },
    });
    assert.equal(seen.at(-1), 23);
    assert.ok(seen.length > 3, 'not only the beginning and the end');
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    );
  });

  it('is abandoned between two files when it is aborted', async () => {
    for (let index = 0; index < 50; index++) await writeFile(join(folder, `f${index}.js`), String(index).repeat(500));
    const controller = new AbortController();
    let last = 0;
    const packing = pack({
      signal: controller.signal,
      onProgress: (done: number) => {
        last = done;
        controller.abort();
      },
    });
    await assert.rejects(packing, { name: 'AbortError' });
    assert.ok(last < 50);
  });
});
