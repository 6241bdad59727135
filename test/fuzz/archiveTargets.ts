import assert from 'node:assert/strict';
import fc, { type Arbitrary } from 'fast-check';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackArchive, UnpackError } from '../../src/archive/unpackArchive';
import { ArchiveError } from '../../src/local/archive/archiveError';
import { unpack } from '../../src/local/archive/unpack';
import { crxContent } from '../../src/publish/crxFile';
import { bytesLike, textOf } from './inputs';
import { target, type FuzzTarget } from './target';
import { zipBytes, type ZipEntryParts } from './zipBytes';

/** Limits that small archives reach. */
const MOST = { bytes: 20_000, files: 8, entries: 8 };

const names = textOf('a', 'b', '/', '..', '.', 'manifest.json', '\\', 'C:', 'nul', 'x'.repeat(300), '\0');

const entry: Arbitrary<ZipEntryParts> = fc.record({
  name: fc.oneof(fc.constantFrom('a', 'b', 'a/b', 'a/b/c', 'a/', 'manifest.json'), names),
  content: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(Buffer.alloc(MOST.bytes, 'x'))),
  method: fc.constantFrom(0, 0, 8, 8, 8, 1, 9),
  claimed: fc.constantFrom(0, 0, 0, 0, 1, -1, 2 ** 31),
  mode: fc.constantFrom(0o100644, 0o100644, 0o040755, 0, 0o120777, 0o010644),
});

/** Archives as programs write them, claims that are wrong, and damage. */
const zips: Arbitrary<Uint8Array<ArrayBuffer>> = fc
  .array(entry, { maxLength: MOST.files + 1 })
  .chain((entries) => bytesLike(zipBytes(entries)));

/** The header of a crx file of format 3, without proofs, and of format 2, with a key of four bytes. */
const CRX_3 = [...Buffer.from('Cr24'), 3, 0, 0, 0, 4, 0, 0, 0, 0x12, 2, 0x0a, 0];
const CRX_2 = [...Buffer.from('Cr24'), 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4];

function zipOfNames(names: readonly string[]): Uint8Array<ArrayBuffer> {
  const entries = names.map((name) => ({ name, content: Buffer.from('x'), method: 0, claimed: 0, mode: 0 }));
  return new Uint8Array(zipBytes(entries));
}

/** Unpacks into a new folder, and looks whether anything is there that must not be. */
async function unpacked(into: (folder: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'sideload-fuzz-'));
  try {
    const unpacking = into(join(parent, 'target'));
    await unpacking.catch(() => undefined);
    const outside = (await readdir(parent)).filter((name) => name !== 'target');
    assert.deepEqual(outside, [], 'written outside of the folder');
    let bytes = 0;
    for (const name of await readdir(parent, { recursive: true })) {
      const stats = await lstat(join(parent, name));
      assert(stats.isFile() || stats.isDirectory(), `${name} is neither a file nor a folder`);
      if (stats.isFile()) bytes += stats.size;
    }
    assert(bytes <= MOST.bytes, `${bytes} bytes are written`);
    await unpacking;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** Archives of others. */
export const ARCHIVE_TARGETS: readonly FuzzTarget[] = [
  target('archives of old versions', {
    inputs: zips,
    run: (bytes) => unpacked((folder) => unpackArchive(bytes, folder, MOST)),
    mayThrow: (error) => error instanceof UnpackError,
    // They have rejected with errors of the disk.
    found: [['x'.repeat(300)], ['a', 'a/b'], ['a/b', 'a']].map(zipOfNames),
  }),
  target('archives that are sent to the local service', {
    inputs: zips,
    run: (bytes) => unpacked((folder) => unpack(Buffer.from(bytes), folder, MOST)),
    mayThrow: (error) => error instanceof ArchiveError,
  }),
  target('crx files', {
    usual: 1000,
    inputs: bytesLike(Uint8Array.from(CRX_3), Uint8Array.from(CRX_2), Buffer.from('PK\x03\x04')),
    run: (bytes) => {
      const { zip, key } = crxContent(bytes);
      assert(zip.length <= bytes.length && key !== '');
    },
    mayThrow: (error) => error instanceof UnpackError,
  }),
];
