import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { CompressThreads } from '../../src/archive/compressThreads';
import { FolderSource } from '../../src/archive/folderSource';
import { FolderPacker, levelFor } from '../../src/archive/packer';
import { selectFiles } from '../support/selectFiles';
import { runChild } from '../support/child';
import { ROOT } from '../support/paths';
import { textOf } from './text';

const FILES = 150;
const TOTAL_BYTES = 25_000_000;
const ZIP_LIMIT_MS = 60_000;

/** Resolution of the event-loop measurement, in milliseconds. */
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

/** The worker thread as it ships. */
const COMPRESS_SCRIPT = join(ROOT, 'dist', 'compress.js');

/** 25 MB of script in 150 files, packed by us and by `zip -r`. */
export class LargeFolder {
  #edits = 0;
  readonly #packer: FolderPacker;

  private constructor(
    private readonly root: string,
    private readonly folder: string,
  ) {
    this.#packer = new FolderPacker(new FolderSource(folder), new CompressThreads({ script: COMPRESS_SCRIPT }));
  }

  /** Writes the files below `root`. */
  static async create(root: string): Promise<LargeFolder> {
    const folder = join(root, 'large');
    await writeFiles(folder, FILES, Math.round(TOTAL_BYTES / FILES));
    return new LargeFolder(root, folder);
  }

  /** Milliseconds to find and pack the files with nothing known from before and no thread running, for a browser over a network. */
  cold(): Promise<number> {
    return this.#packCold(false);
  }

  /** The same for a browser on this machine. */
  coldLocal(): Promise<number> {
    return this.#packCold(true);
  }

  /** Milliseconds to find and pack the files after one of them has changed. */
  async afterOneChange(): Promise<number> {
    this.#edits += 1;
    const file = join(this.folder, 'part-0', 'file-7.js');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `// edit ${this.#edits}\n${text.slice(text.indexOf('\n') + 1)}`);
    const started = performance.now();
    const archive = await this.#packer.pack((await selectFiles(this.folder)).files);
    await archive.zip();
    return performance.now() - started;
  }

  async #packCold(isLocal: boolean): Promise<number> {
    const threads = new CompressThreads({ script: COMPRESS_SCRIPT });
    const started = performance.now();
    const { files, totalBytes } = await selectFiles(this.folder);
    const archive = await new FolderPacker(new FolderSource(this.folder), threads).pack(files, {
      level: levelFor(isLocal, totalBytes),
    });
    await archive.zip();
    const ms = performance.now() - started;
    threads.dispose();
    return ms;
  }

  /** Milliseconds of `zip -r` over the same folder, its start included. */
  async zip(): Promise<number> {
    const archive = join(this.root, 'large.zip');
    await rm(archive, { force: true });
    const started = performance.now();
    const { code } = await runChild('zip', ['-q', '-r', archive, '.'], { cwd: this.folder, limitMs: ZIP_LIMIT_MS });
    if (code !== 0) throw new Error(`zip ended with code ${code}`);
    return performance.now() - started;
  }

  /** Milliseconds that the event loop of this process was held up, 99th percentile, while packing cold. */
  async eventLoopDelay(): Promise<number> {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
    await this.cold();
    delays.disable();
    return delays.percentile(99) / NANOSECONDS_PER_MS;
  }
}

/** Rejects with what to do when this machine has no `zip`. */
export async function requireZip(): Promise<void> {
  const silent = { line: () => undefined };
  const found = await runChild('zip', ['-v'], { limitMs: ZIP_LIMIT_MS, output: silent }).catch(() => undefined);
  if (found?.code !== 0)
    throw new Error('Install the program "zip" (Debian: apt-get install zip) and run the bench again.');
}

/** Writes `count` script files of `bytes` each below `folder`, fifty to a folder, beside a manifest. */
export async function writeFiles(folder: string, count: number, bytes: number): Promise<void> {
  const perFolder = 50;
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ manifest_version: 3, name: 'Large', version: '1.0' }),
  );
  for (let index = 0; index < count; index++) {
    const part = join(folder, `part-${Math.floor(index / perFolder)}`);
    await mkdir(part, { recursive: true });
    await writeFile(join(part, `file-${index}.js`), textOf(bytes, index + 1));
  }
}
