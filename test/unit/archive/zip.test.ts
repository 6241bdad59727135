import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBuffer, type Entry } from 'yauzl';
import { largestFiles, MAX_ARCHIVE_BYTES, refuseTooLarge } from '../../../src/archive/limits';
import { packFiles } from '../../../src/archive/packer';
import { selectFiles } from '../../../src/archive/select';

/** Reads an archive with a second library, so that the test does not trust the one that wrote it. */
function unpack(bytes: Uint8Array): Promise<Map<string, { entry: Entry; text: string }>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true }, (error, zip) => {
      if (error) return reject(error);
      const found = new Map<string, { entry: Entry; text: string }>();
      zip.on('error', reject).on('end', () => {
        resolve(found);
      });
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          stream
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => {
              found.set(entry.fileName, { entry, text: Buffer.concat(chunks).toString() });
              zip.readEntry();
            });
        });
      });
      zip.readEntry();
    });
  });
}

describe('archive', () => {
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
    const entries = await unpack(archive.bytes);
    assert.deepEqual([...entries.keys()], ['empty.css', 'js/wörker.js', 'manifest.json']);
    assert.equal(entries.get('js/wörker.js')?.text, 'let a = 1;\n'.repeat(1000));
    for (const { entry } of entries.values()) {
      assert.equal(entry.externalFileAttributes >>> 16, 0o100644);
      assert.equal(entry.versionMadeBy >>> 8, 3, 'made on UNIX');
    }
    assert.equal(archive.files, 3);
    assert.equal(archive.uncompressedBytes, 11_002);
    assert.ok(archive.bytes.byteLength < 1000, 'repeated text is compressed');
  });

  it('gives the same bytes for the same content, whatever its times, modes and the order it is listed in', async () => {
    const first = await pack();
    await utimes(join(folder, 'manifest.json'), 1_000_000_000, 1_000_000_000);
    await chmod(join(folder, 'manifest.json'), 0o755);
    const { files } = await selectFiles(folder);
    const second = await packFiles(folder, files.reverse());
    assert.deepEqual(second.bytes, first.bytes);
    assert.equal(second.digest, first.digest);
  });

  it('digests names and contents: each file by itself, and all of them together', async () => {
    const first = await pack();
    assert.equal(first.digests.get('manifest.json'), createHash('sha256').update('{}').digest('hex'));
    await writeFile(join(folder, 'manifest.json'), '[]');
    const second = await pack();
    assert.notEqual(second.digest, first.digest);
    assert.equal(second.digests.get('empty.css'), first.digests.get('empty.css'));
    assert.equal((await pack({ level: 1 })).digest, second.digest);
  });

  it('packs files whose names mean something to JavaScript objects', async () => {
    for (const name of ['__proto__', 'constructor']) await writeFile(join(folder, name), name);
    const entries = await unpack((await pack()).bytes);
    assert.equal(entries.get('__proto__')?.text, '__proto__');
    assert.equal(entries.get('constructor')?.text, 'constructor');
  });

  it('names the file that vanished after it was selected', async () => {
    const { files } = await selectFiles(folder);
    await unlink(join(folder, 'empty.css'));
    await assert.rejects(packFiles(folder, files), {
      name: 'ArchiveError',
      kind: 'gone',
      path: 'empty.css',
      message: /^empty\.css vanished/,
    });
  });

  it('names the file that changed after it was selected', async () => {
    const { files } = await selectFiles(folder);
    await writeFile(join(folder, 'empty.css'), 'a{}');
    await assert.rejects(packFiles(folder, files), { name: 'ArchiveError', kind: 'changed', path: 'empty.css' });
  });

  it('does not follow a link that took the place of a selected file', async function () {
    if (process.platform === 'win32') this.skip();
    const { files } = await selectFiles(folder);
    await unlink(join(folder, 'empty.css'));
    await symlink('/etc/hostname', join(folder, 'empty.css'));
    await assert.rejects(packFiles(folder, files), { name: 'ArchiveError', kind: 'changed' });
  });

  it('counts the files it has packed, in rising order, up to all of them', async () => {
    for (let index = 0; index < 20; index++)
      await writeFile(join(folder, `f${index}.js`), String(index).repeat(50_000));
    const seen: number[] = [];
    await pack({
      onProgress: (done: number, total: number) => {
        assert.equal(total, 23);
        seen.push(done);
      },
    });
    assert.equal(seen.at(-1), 23);
    assert.ok(seen.length > 3, 'more than begin and end');
    assert.deepEqual(
      seen,
      [...new Set(seen)].sort((a, b) => a - b),
    );
  });

  it('stops in the middle of compression when it is aborted', async () => {
    for (let index = 0; index < 50; index++)
      await writeFile(join(folder, `f${index}.js`), String(index).repeat(50_000));
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

describe('limits of an archive', () => {
  const files = [1, 40, 9, 30].map((mib, index) => ({
    path: `${index}.bin`,
    size: mib * 1024 * 1024,
    mtimeMs: 0,
    ctimeMs: 0,
  }));

  it('accept 50 MiB and not a byte more, and the refusal names the largest files', () => {
    assert.equal(refuseTooLarge(MAX_ARCHIVE_BYTES, files), undefined);
    const refusal = refuseTooLarge(MAX_ARCHIVE_BYTES + 1024 * 1024, files);
    assert.match(refusal ?? '', /has 51\.0 MiB.*at most 50\.0 MiB.*1\.bin \(40\.0 MiB\), 3\.bin \(30\.0 MiB\), 2\.bin/);
  });

  it('rank files by size without touching the list', () => {
    assert.deepEqual(
      largestFiles(files, 2).map(({ path }) => path),
      ['1.bin', '3.bin'],
    );
    assert.equal(files[0]?.path, '0.bin');
  });
});
