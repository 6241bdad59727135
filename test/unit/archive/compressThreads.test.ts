import { build } from 'esbuild';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_BUNDLE } from '../../../.esbuild';
import { CompressThreads } from '../../../src/archive/compressThreads';
import { FolderSource } from '../../../src/archive/folderSource';
import { FolderPacker } from '../../../src/archive/packer';
import { eventually } from '../../support/eventually';
import { madeOf, packFiles } from '../../support/packFiles';
import { selectFiles } from '../../support/selectFiles';
import { zipFile } from '../../../src/archive/zip';
import { buildCompressBundle } from './compressBundle';

const TEXT = Buffer.from('let a = 1;\n'.repeat(500));

describe('compression in worker threads', function () {
  this.timeout(20_000);
  let folder: string;
  let script: string;
  let threads: CompressThreads;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-threads-'));
    script = await buildCompressBundle(folder);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(() => {
    threads.dispose();
  });

  it('gives the bytes of the calling thread, and starts a thread per busy core', async () => {
    threads = new CompressThreads({ script });
    const names = Array.from({ length: 10 }, (_, index) => `${index}.js`);
    const zips = await Promise.all(names.map((name) => threads.zipFile(name, TEXT, 4)));
    assert.deepEqual(zips, await Promise.all(names.map((name) => zipFile(name, TEXT, 4))));
    assert.equal(threads.count, Math.min(availableParallelism(), 4));
    assert.equal(TEXT.length, 5500, 'the content is not transferred');
  });

  it('ends idle threads, and starts them again', async () => {
    threads = new CompressThreads({ script, idleMs: 0 });
    for (let time = 0; time < 2; time++) {
      await threads.zipFile('a.js', TEXT, 4);
      await eventually('no thread is left', () => threads.count === 0, 10_000);
    }
  });

  const failures: [what: string, code: string][] = [
    ['ends at once', 'process.exit(1);'],
    ['throws', `require('node:worker_threads').parentPort.on('message', () => { throw new Error('out of memory'); });`],
    [
      'cannot compress',
      `const { parentPort } = require('node:worker_threads');
      parentPort.on('message', ({ id }) => parentPort.postMessage({ id, error: 'unknown' }));`,
    ],
  ];
  for (const [what, code] of failures) {
    it(`continues in the calling thread when a thread ${what}`, async () => {
      const broken = join(folder, 'broken.js');
      await writeFile(broken, code);
      threads = new CompressThreads({ script: broken });
      const zips = await Promise.all(['a.js', 'b.js', 'c.js'].map((name) => threads.zipFile(name, TEXT, 4)));
      assert.deepEqual(zips[2], await zipFile('c.js', TEXT, 4));
      assert.deepEqual(await threads.zipFile('a.js', TEXT, 4), zips[0]);
      assert.equal(threads.count, 0);
    });
  }

  it('continues in the calling thread without the script, and after the threads were disposed', async () => {
    threads = new CompressThreads({ script: join(folder, 'missing.js') });
    const expected = await zipFile('a.js', TEXT, 4);
    assert.deepEqual(await threads.zipFile('a.js', TEXT, 4), expected);
    threads = new CompressThreads({ script });
    const zipping = threads.zipFile('a.js', TEXT, 4);
    threads.dispose();
    assert.deepEqual(await zipping, expected);
  });

  describe('of a folder', () => {
    let extension: string;

    beforeEach(async () => {
      extension = join(folder, 'extension');
      await mkdir(extension);
      for (const name of ['a.js', 'b.js', 'c.js']) await writeFile(join(extension, name), TEXT);
      await writeFile(join(extension, 'icon.png'), TEXT);
    });
    afterEach(() => rm(extension, { recursive: true }));

    it('is left to the calling thread while the files are small', async () => {
      threads = new CompressThreads({ script });
      await new FolderPacker(new FolderSource(extension), threads).pack((await selectFiles(extension)).files);
      assert.equal(threads.count, 0);
    });

    it('gives the same archive, and counts only files that are deflated and have changed', async () => {
      threads = new CompressThreads({ script, minBytes: 2 * TEXT.length });
      const packer = new FolderPacker(new FolderSource(extension), threads);
      const { files } = await selectFiles(extension);
      await packer.pack(files, { level: 0 });
      assert.equal(threads.count, 0, 'nothing is deflated');
      await new FolderPacker(new FolderSource(extension), threads).pack(files.slice(1));
      assert.equal(threads.count, 0, 'a few files');
      assert.deepEqual(await madeOf(packer.pack(files)), await madeOf(packFiles(extension, files)));
      assert.ok(threads.count > 0, 'all files');
    });

    it('finds its script beside its bundle, and lets the process end', async () => {
      const contents = `
        export { FolderSource } from './src/archive/folderSource';
        export { FolderPacker } from './src/archive/packer';
        export { CompressThreads } from './src/archive/compressThreads';
        export { selectFiles } from './test/support/selectFiles';
      `;
      const stdin = { contents, resolveDir: NODE_BUNDLE.absWorkingDir ?? '', loader: 'ts' } as const;
      await build({ ...NODE_BUNDLE, stdin, outfile: join(folder, 'archive.js') });
      const code = `
        const { FolderPacker, FolderSource, CompressThreads, selectFiles } = require('./archive.js');
        const threads = new CompressThreads({ minBytes: 0 });
        selectFiles('extension')
          .then(({ files }) => new FolderPacker(new FolderSource('extension'), threads).pack(files))
          .then(({ files }) => console.log(files, threads.count));
      `;
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: folder });
      assert.match(stdout, /^4 [1-4]\n$/);
    });
  });
});
