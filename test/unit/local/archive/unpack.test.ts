import JSZip from 'jszip';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ArchiveError } from '../../../../src/local/archive/archiveError';
import { unpack } from '../../../../src/local/archive/unpack';

const LIMITS = { bytes: 10_000, entries: 5 };
/** The offset of the uncompressed size in a central directory entry (APPNOTE 4.3.12). */
const UNCOMPRESSED_SIZE_AT = 24;
/** The offset of the checksum. */
const CHECKSUM_AT = 16;
const CENTRAL_SIGNATURE = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

describe('unpacking an archive', () => {
  let folder: string;
  let target: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sideload-unpack-'));
    target = path.join(folder, 'target');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function archive(files: Record<string, string>, change?: (bytes: Buffer) => void): Promise<string> {
    const zip = new JSZip();
    for (const [name, content] of Object.entries(files)) zip.file(name, content, { createFolders: false });
    const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
    change?.(bytes);
    const file = path.join(folder, 'archive.zip');
    await writeFile(file, bytes);
    return file;
  }

  it('writes files and folders over existing ones', async () => {
    await unpack(await archive({ 'a.txt': 'old', 'b/c.txt': 'deep' }), target, LIMITS);
    await unpack(await archive({ 'a.txt': 'new', 'empty/': '' }), target, LIMITS);
    assert.equal(await readFile(path.join(target, 'a.txt'), 'utf8'), 'new');
    assert.deepEqual((await readdir(target)).sort(), ['a.txt', 'b', 'empty']);
  });

  for (const name of ['../x', 'a/../../x', '/x', 'a\\x', 'C:/x', 'C:\\x']) {
    it(`refuses an entry named ${name} and writes nothing`, async () => {
      const file = await archive({ 'first.txt': 'x', [name]: 'x' });
      await assert.rejects(unpack(file, target, LIMITS), ArchiveError);
      assert.deepEqual((await readdir(folder)).sort(), ['archive.zip']);
    });
  }

  it('refuses more entries than allowed', async () => {
    const many = Object.fromEntries(Array.from({ length: LIMITS.entries + 1 }, (_, at) => [`${at}.txt`, 'x']));
    await assert.rejects(unpack(await archive(many), target, LIMITS), /more than 5 entries/);
  });

  it('refuses a small archive whose content exceeds the limit', async () => {
    const file = await archive({ 'zeros.txt': '0'.repeat(LIMITS.bytes + 1) });
    await assert.rejects(unpack(file, target, LIMITS), /more than 10000 bytes/);
    assert.deepEqual(await readdir(folder), ['archive.zip']);
  });

  it('refuses an archive that declares less than its content', async () => {
    const file = await archive({ 'zeros.txt': '0'.repeat(5 * LIMITS.bytes) }, (bytes) => {
      bytes.writeUInt32LE(10, bytes.indexOf(CENTRAL_SIGNATURE) + UNCOMPRESSED_SIZE_AT);
    });
    await assert.rejects(unpack(file, target, LIMITS), ArchiveError);
    const written = await readFile(path.join(target, 'zeros.txt')).catch(() => Buffer.alloc(0));
    assert(written.length <= LIMITS.bytes);
  });

  it('refuses a file inside another file', async () => {
    await assert.rejects(unpack(await archive({ a: 'file', 'a/b': 'inside' }), target, LIMITS), ArchiveError);
  });

  it('refuses damaged content', async () => {
    const file = await archive({ 'a.txt': 'some words that are packed, some words that are packed' }, (bytes) => {
      bytes.writeUInt8(0xff, 45);
    });
    await assert.rejects(unpack(file, target, LIMITS), ArchiveError);
  });

  it('refuses uncompressed content with a wrong checksum', async () => {
    const zip = new JSZip().file('a.txt', 'right');
    const bytes = await zip.generateAsync({ type: 'nodebuffer', compression: 'STORE' });
    bytes.write('wrong', bytes.indexOf('right'));
    await assert.rejects(unpack(bytes, target, LIMITS), { name: 'ArchiveError', message: /"a\.txt" is damaged/ });
  });

  it('writes many files in parallel, in folders without entries', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `part-${at % 7}/${at % 3}/file-${at}.txt`);
    const files = Object.fromEntries(names.map((name) => [name, `content of ${name}`]));
    await unpack(await archive(files), target);
    for (const name of names) assert.equal(await readFile(path.join(target, name), 'utf8'), files[name]);
    assert.equal((await readdir(target, { recursive: true })).filter((name) => name.endsWith('.txt')).length, 100);
  });

  it('answers others while it writes many small files', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `part-${at % 7}/file-${at}.txt`);
    const file = await archive(Object.fromEntries(names.map((name) => [name, name])));
    let turns = 0;
    let isWriting = true;
    const count = (): void => {
      turns += 1;
      if (isWriting) setImmediate(count);
    };
    count();
    await unpack(file, target);
    isWriting = false;
    assert.ok(turns > names.length / 8, `${turns} turns of the event loop`);
  });

  it('ends all writing before it rejects, also in other folders', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `part-${at % 10}/file-${at}.txt`);
    const file = await archive({
      'part-3/damaged.txt': 'right',
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
    });
    const bytes = await readFile(file);
    bytes.writeUInt32LE(0, bytes.indexOf(CENTRAL_SIGNATURE) + CHECKSUM_AT);
    await assert.rejects(unpack(bytes, target), { name: 'ArchiveError', message: /damaged\.txt" is damaged/ });
    const written = await readdir(target, { recursive: true });
    assert.ok(written.length < names.length, 'the others are not written any more');
    // What is under way has had its turns: to open a file, to write it, to close it.
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 64 }, () => stat(target)));
    assert.deepEqual(await readdir(target, { recursive: true }), written);
  });

  for (const compression of ['STORE', 'DEFLATE'] as const) {
    it(`streams a large file, from memory and from disk (${compression})`, async () => {
      // The pattern repeats within the window of deflate, so that packing takes little time.
      const content = Buffer.alloc(4 * 1024 * 1024 + 1, randomBytes(1024));
      const bytes = await new JSZip().file('large.bin', content).generateAsync({ type: 'nodebuffer', compression });
      await unpack(bytes, target);
      assert((await readFile(path.join(target, 'large.bin'))).equals(content));
      bytes.writeUInt32LE(0, bytes.indexOf(CENTRAL_SIGNATURE) + CHECKSUM_AT);
      await writeFile(path.join(folder, 'archive.zip'), bytes);
      await assert.rejects(unpack(path.join(folder, 'archive.zip'), target), /"large\.bin" is damaged/);
    });
  }

  it('writes the last of several entries with the same name', async () => {
    const zip = new JSZip().file('a.txt', 'first '.repeat(100)).file('b.txt', 'last');
    const bytes = await zip.generateAsync({ type: 'nodebuffer' });
    for (let at = bytes.indexOf('b.txt'); at >= 0; at = bytes.indexOf('b.txt')) bytes.write('a.txt', at);
    for (let round = 0; round < 20; round++) {
      await unpack(bytes, target, LIMITS);
      assert.equal(await readFile(path.join(target, 'a.txt'), 'utf8'), 'last');
    }
  });

  it('writes nothing after a failure', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `${at}.txt`);
    const file = await archive({ a: 'file', 'a/b': 'inside', ...Object.fromEntries(names.map((name) => [name, 'x'])) });
    await assert.rejects(unpack(file, target), ArchiveError);
    await rm(target, { recursive: true });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await readdir(folder), ['archive.zip']);
  });
});
