import assert from 'node:assert/strict';
import JSZip from 'jszip';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackArchive, UnpackError } from '../../../src/archive/unpackArchive';

/** A zip as others make it. */
async function zipOf(files: Record<string, string>, more: (zip: JSZip) => void = () => undefined): Promise<Uint8Array> {
  const zip = new JSZip();
  for (const [name, text] of Object.entries(files)) zip.file(name, text, { createFolders: false });
  more(zip);
  return await zip.generateAsync({ type: 'uint8array', platform: 'UNIX', compression: 'DEFLATE' });
}

describe('unpackArchive', () => {
  let target: string;
  beforeEach(async () => {
    target = await mkdtemp(join(tmpdir(), 'sideload-unpack-'));
  });
  afterEach(() => rm(target, { recursive: true, force: true }));

  it('writes files and folders', async () => {
    await unpackArchive(
      await zipOf({ 'a.txt': 'a', 'b/c.txt': 'c'.repeat(5000), 'empty.txt': '' }),
      join(target, 'new'),
    );
    assert.equal(await readFile(join(target, 'new', 'b', 'c.txt'), 'utf8'), 'c'.repeat(5000));
    assert.equal(await readFile(join(target, 'new', 'empty.txt'), 'utf8'), '');
  });

  it('takes the backslashes of Windows PowerShell for slashes, and lets them lead nowhere else', async () => {
    await unpackArchive(await zipOf({ 'icons\\16.png': 'x' }), join(target, 'new'));
    assert.equal(await readFile(join(target, 'new', 'icons', '16.png'), 'utf8'), 'x');
    for (const name of ['..\\b.txt', 'a\\..\\..\\b.txt', 'C:\\b.txt'])
      await assert.rejects(unpackArchive(await zipOf({ [name]: 'b' }), join(target, 'other')), UnpackError, name);
  });

  it('writes nothing of a bomb, of a way out, of a link', async () => {
    const link = (zip: JSZip): void => void zip.file('link', '/etc/passwd', { unixPermissions: 0o120777 });
    const limits = { bytes: 100_000, files: 3 };
    const faults: [Uint8Array, RegExp][] = [
      [await zipOf({ 'a.txt': 'a'.repeat(200_000) }), /it unpacks to more than 100\.0 kB/],
      [await zipOf({ a: '', b: '', c: '', d: '' }), /it holds more than 3 files/],
      [await zipOf({ 'a.txt': 'a', '../b.txt': 'b' }), /it is no zip archive \(invalid relative path/],
      [await zipOf({ 'a.txt': 'a' }, link), /link: it is a link or a special file/],
    ];
    for (const [bytes, message] of faults) {
      await assert.rejects(unpackArchive(bytes, target, limits), (error: unknown) => {
        assert.ok(error instanceof UnpackError);
        assert.match(error.message, message);
        return true;
      });
      assert.deepEqual(await readdir(target), []);
    }
  });

  it('refuses an entry that holds more than it declares', async () => {
    const zip = Buffer.from(await zipOf({ 'a.txt': 'a'.repeat(3000) }));
    // The sizes in the central directory and in the header of the entry.
    for (let at = zip.indexOf(3000 & 0xff); at >= 0; at = zip.indexOf(3000 & 0xff, at + 1)) {
      if (zip.readUInt32LE(Math.min(at, zip.length - 4)) === 3000) zip.writeUInt32LE(30, at);
    }
    await assert.rejects(unpackArchive(zip, target), /a\.txt is damaged/);
    assert.deepEqual(await readdir(target), []);
  });

  it('refuses names that cannot be together, or are too long', async () => {
    const long = 'x'.repeat(300);
    const faults: [Record<string, string>, RegExp][] = [
      [{ a: 'a', 'a/b': 'b' }, /^a\/b is in it twice$/],
      [{ 'a/b': 'b', a: 'a' }, /^a is in it twice$/],
      [{ [long]: 'x' }, /^the name x{80}… is too long$/],
    ];
    for (const [at, [files, message]] of faults.entries()) {
      const unpacking = unpackArchive(await zipOf(files), join(target, String(at)));
      await assert.rejects(unpacking, (error: unknown) => error instanceof UnpackError && message.test(error.message));
    }
  });
});
