import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { EMPTY_ZIP_BYTES, loadEntry, mergeEntries, zipFile } from '../../../src/archive/zip';
import { unzip } from './unzip';

const TEXT = 'let a = 1;\n'.repeat(1000);

describe('zips of one file', () => {
  it('deflate a file where that makes it smaller, and store it otherwise and at level 0', async () => {
    const files: [name: string, content: Buffer, level: number, method: string][] = [
      ['a.js', Buffer.from(TEXT), 4, 'DEFLATE'],
      ['a.js', Buffer.from(TEXT), 0, 'STORE'],
      ['icon.PNG', Buffer.from(TEXT), 4, 'STORE'],
      ['tiny.json', Buffer.from('{}'), 4, 'STORE'],
      ['noise.bin', randomBytes(500), 4, 'STORE'],
      ['empty.css', Buffer.alloc(0), 4, 'STORE'],
    ];
    for (const [name, content, level, expected] of files) {
      const { bytes, method } = await zipFile(name, content, level);
      assert.equal(method, expected, `${name} at level ${level}`);
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
