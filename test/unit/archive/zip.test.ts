import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import JSZip from 'jszip';
import { LARGE_BYTES } from '../../../src/archive/compress';
import { EMPTY_ZIP_BYTES, loadEntry, mergeEntries, storedEntry, zipFile } from '../../../src/archive/zip';
import { unzip } from '../../support/unzip';

const TEXT = 'let a = 1;\n'.repeat(1000);

describe('zips of one file', () => {
  it('deflate a file where that makes it smaller, and store it otherwise', async () => {
    const files: [name: string, content: Buffer, method: string][] = [
      ['a.js', Buffer.from(TEXT), 'DEFLATE'],
      ['tiny.json', Buffer.from('{}'), 'STORE'],
      ['noise.bin', randomBytes(500), 'STORE'],
      ['empty.css', Buffer.alloc(0), 'STORE'],
    ];
    for (const [name, content, expected] of files) {
      const { bytes, method } = await zipFile(name, content, 4);
      assert.equal(method, expected, name);
      const unzipped = (await unzip(bytes)).get(name);
      assert.deepEqual(unzipped?.content, content);
      assert.equal(unzipped.entry.compressionMethod, method === 'STORE' ? 0 : 8);
    }
  });

  it('are the same in every time zone', async () => {
    const before = process.env['TZ'];
    const zips: Uint8Array[] = [];
    try {
      for (const zone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
        process.env['TZ'] = zone;
        const zip = await zipFile('a.js', Buffer.from(TEXT), 4);
        zips.push(zip.bytes, await mergeEntries([await loadEntry('a.js', zip)]));
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
    for (const zip of zips) assert.deepEqual(zip, zips[0]);
  });

  it('are merged in the given order, and nothing is compressed again', async () => {
    const text = Buffer.from(
      Array.from({ length: 2000 }, (_, index) => ((index * 7919) % 1009).toString(36)).join(' '),
    );
    const names = ['z.js', 'a/ü €.js', 'icon.png'];
    const zips = [
      await zipFile('z.js', text, 1),
      await zipFile('a/ü €.js', text, 9),
      await zipFile('icon.png', text, 4),
    ];
    assert.equal(new Set(zips.map(({ bytes }) => bytes.length)).size, 3, 'each level has its own length');
    const merged = await mergeEntries(await Promise.all(zips.map((zip, index) => loadEntry(names[index] ?? '', zip))));
    const parts = zips.reduce((sum, { bytes }) => sum + bytes.length - EMPTY_ZIP_BYTES, 0);
    assert.equal(merged.length, parts + EMPTY_ZIP_BYTES);
    const unzipped = await unzip(merged);
    assert.deepEqual([...unzipped.keys()], names);
    for (const { content } of unzipped.values()) assert.deepEqual(content, text);
  });
});

describe('entries of stored files', () => {
  it('give the bytes of a zip that JSZip writes from the same files', async () => {
    const large = new Uint8Array(new SharedArrayBuffer(LARGE_BYTES + 5)).fill(7);
    const files: [name: string, content: Uint8Array][] = [
      ['manifest.json', Buffer.from('{}')],
      ['empty.css', new Uint8Array()],
      ['a/ü €.js', Buffer.from(TEXT)],
      ['__proto__', Buffer.from('x')],
      ['noise.bin', randomBytes(100_000).subarray(7, 70_000)],
      ['large.bin', large],
    ];
    const zip = new JSZip();
    const options = { createFolders: false, date: new Date(Date.UTC(1980, 0, 1)), unixPermissions: 0o100644 };
    for (const [name, content] of files) zip.file(name, new Uint8Array(content), options);
    const expected = await zip.generateAsync({ type: 'uint8array', platform: 'UNIX' });
    const merged = await mergeEntries(await Promise.all(files.map(([name, content]) => storedEntry(name, content))));
    assert.ok(Buffer.from(merged).equals(expected));
    const unzipped = await unzip(merged);
    assert.deepEqual(
      [...unzipped].map(([name, { content }]) => [name, content.length]),
      files.map(([name, content]) => [name, content.length]),
    );
  });

  it('give the bytes of the zip that JSZip writes of all, also where there are more than it writes at once', async () => {
    const names = Array.from({ length: 560 }, (_, at) =>
      at % 3 === 0 ? `${at}` : `${at % 2 === 0 ? 'ü' : 'a'}/${at}.js`,
    );
    const deflated = await zipFile('deflated.js', Buffer.from(TEXT), 4);
    const stored = names.map((name, at) => storedEntry(name, Buffer.from(`${at}`)));
    const entries = [await loadEntry('deflated.js', deflated), ...(await Promise.all(stored))];
    const whole = new JSZip();
    for (const entry of entries) whole.files[entry.name] = entry;
    const expected = await whole.generateAsync({ type: 'uint8array', platform: 'UNIX' });
    const merging = mergeEntries(entries);
    assert.ok(Buffer.from(await merging).equals(expected));
    assert.equal((await unzip(await merging)).size, 561);
    assert.deepEqual((await mergeEntries([])).length, EMPTY_ZIP_BYTES);
  });

  it('are merged with deflated ones, and again', async () => {
    const text = Buffer.from(TEXT);
    const entries = [await storedEntry('a.js', text), await loadEntry('b.js', await zipFile('b.js', text, 4))];
    const merged = await mergeEntries(entries);
    assert.deepEqual(await mergeEntries(entries), merged);
    assert.deepEqual(
      [...(await unzip(merged))].map(([name, { entry, content }]) => [name, entry.compressionMethod, content]),
      [
        ['a.js', 0, text],
        ['b.js', 8, text],
      ],
    );
  });
});
