import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CompressThreads } from '../../../src/archive/compressThreads';
import { FolderSource } from '../../../src/archive/folderSource';
import { FolderPacker } from '../../../src/archive/packer';
import { selectFiles } from '../../support/selectFiles';
import { type Chance, seededChance } from '../../support/random';
import { testSeed } from '../../runner/seed';
import { buildCompressBundle } from './compressBundle';
import { unzip } from '../../support/unzip';

const SEED = testSeed();
const EDITS = 25;

/** Names that a sorted list, a JavaScript object and a zip may treat differently. */
const NAMES = [
  'manifest.json',
  '10',
  '9',
  'a.js',
  'a/b.js',
  'a-b.js',
  'B.js',
  'ü.js',
  '€/𝄞.js',
  '__proto__',
  'icon.png',
];

const LEVELS = [0, 4];

describe('archives of the same names and contents', function () {
  this.timeout(20_000);
  let root: string;
  let threads: CompressThreads;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-bytes-'));
    threads = new CompressThreads({ script: await buildCompressBundle(root), minBytes: 0 });
  });
  after(async () => {
    threads.dispose();
    await rm(root, { recursive: true, force: true });
  });

  it(`have the same bytes however they were packed, after each of ${EDITS} random edits (seed ${SEED})`, async () => {
    const chance = seededChance(SEED);
    const folder = join(root, 'extension');
    await mkdir(folder);
    const contents = new Map<string, string>();
    const packer = new FolderPacker(new FolderSource(folder));
    for (let edit = 0; edit < EDITS; edit++) {
      await editRandomly(chance, folder, contents);
      const level = chance.pick(LEVELS);
      const { files } = await selectFiles(folder);
      const repacked = await packer.pack(files, { level });
      const packed = await new FolderPacker(new FolderSource(folder)).pack(files, { level });
      const byThreads = await new FolderPacker(new FolderSource(folder), threads).pack(files.toReversed(), { level });
      const zip = await packed.zip();
      assert.deepEqual(await repacked.zip(), zip, `edit ${edit}, repacked`);
      assert.deepEqual(await byThreads.zip(), zip, `edit ${edit}, by threads`);
      assert.deepEqual([repacked.zipBytes, byThreads.zipBytes], [zip.length, zip.length], `edit ${edit}, length`);
      assert.equal(repacked.digest, packed.digest);
      const unzipped = [...(await unzip(zip))].map(([name, { content }]) => [name, content.toString()] as const);
      assert.deepEqual(new Map(unzipped), contents, `edit ${edit}, unzipped`);
    }
    assert.ok(threads.count > 0);
  });
});

/** Writes or deletes a few files of `folder`; `contents` follows. */
async function editRandomly(chance: Chance, folder: string, contents: Map<string, string>): Promise<void> {
  for (let count = 1 + chance.below(3); count > 0; count--) {
    const name = chance.pick(NAMES);
    const path = join(folder, name);
    if (contents.has(name) && chance.happens(0.3)) {
      await unlink(path);
      contents.delete(name);
    } else {
      const content = contentOf(chance);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      contents.set(name, content);
    }
  }
}

/** Text that is empty, does not get smaller, or does. */
function contentOf(chance: Chance): string {
  const words = Array.from({ length: chance.below(3) * chance.below(200) }, () =>
    chance.number().toString(36).slice(2),
  );
  return chance.happens(0.5) ? words.join(' ') : words.slice(0, 3).join(' ').repeat(chance.below(300));
}
