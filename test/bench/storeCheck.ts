import { build } from 'esbuild';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLES } from '../../.esbuild';
import { JobThreads } from '../../src/base/jobThreads';
import type { CheckResult } from '../../src/manifest/check';
import type { FolderCheck } from '../../src/push/prepare/folderCheck';
import type { Measure } from './series';

const FILES = 1000;

/** Functions in each file, which make it 2 to 3 kB. */
const FUNCTIONS = 12;

/** An extension of a thousand scripts, whose check for a store reads all of them, in the threads that ship. */
export class StoreCheck {
  #edits = 0;

  private constructor(
    private readonly folder: string,
    private readonly threads: JobThreads<FolderCheck, CheckResult>,
  ) {}

  /** Writes the extension below `root`. */
  static async create(root: string): Promise<StoreCheck> {
    const folder = join(root, 'store');
    await mkdir(folder, { recursive: true });
    const background = { service_worker: 'worker.js', type: 'module' };
    const permissions = ['storage', 'tabs', 'alarms', 'scripting'];
    const manifest = { manifest_version: 3, name: 'Store', version: '1', background, permissions };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const imports = Array.from({ length: FILES }, (_, index) => `import './part-${index}.js';`);
    await writeFile(join(folder, 'worker.js'), imports.join('\n'));
    const check = new StoreCheck(folder, await builtThreads(join(root, 'programs')));
    await check.#write(FILES);
    return check;
  }

  /** Milliseconds of a check that knows none of the scripts. */
  async cold(): Promise<number> {
    await this.#write(FILES);
    return await this.#check(true);
  }

  /** Milliseconds of a check after one script has changed. */
  async afterOneChange(): Promise<number> {
    await this.#check(true);
    await this.#write(1);
    return await this.#check(true);
  }

  /** Milliseconds of the check of a push, which reads no code. */
  push(): Promise<number> {
    return this.#check(false);
  }

  async #check(readsCode: boolean): Promise<number> {
    const started = performance.now();
    const { findings } = await this.threads.run({
      folder: this.folder,
      exclude: [],
      include: [],
      storeHints: true,
      readsCode,
    });
    const ms = performance.now() - started;
    if (readsCode !== findings.some(({ rule }) => rule === 'R-STORE-UNUSED')) throw new Error('The check found no use');
    return ms;
  }

  async #write(count: number): Promise<void> {
    this.#edits += 1;
    for (let index = 0; index < count; index++)
      await writeFile(join(this.folder, `part-${index}.js`), scriptOf(index, this.#edits));
  }
}

/** The thread of checks as it ships, beside the script of those that read code. */
async function builtThreads(outdir: string): Promise<JobThreads<FolderCheck, CheckResult>> {
  for (const [name, options] of Object.entries({ check: BUNDLES.check, code: BUNDLES.code })) {
    const outfile = join(outdir, `${name}.js`);
    await build({ ...options, outfile, minify: true, define: { SIDELOAD_BUNDLES: 'true' } });
  }
  const limits = { limitMs: 60_000, heapMb: 2048, parallel: 1, idleMs: 60_000 };
  return new JobThreads({ script: join(outdir, 'check.js'), name: 'check', ...limits });
}

/** The measures of the group `check`. */
export async function storeCheckMeasures(root: string): Promise<Measure[]> {
  const check = await StoreCheck.create(root);
  return [
    { name: `check for a store of ${FILES} scripts, none known`, run: () => check.cold() },
    { name: `check for a store of ${FILES} scripts, one changed`, run: () => check.afterOneChange() },
    { name: `check at a push of ${FILES} scripts`, run: () => check.push() },
  ];
}

function scriptOf(index: number, edit: number): string {
  const bodies = Array.from(
    { length: FUNCTIONS },
    (_, at) => `export async function step${at}({ id, items = [] }, options) {
  const found = items.filter((item) => item.id === id && options?.kind !== 'none').map(({ name }) => name.trim());
  if (found.length > ${at}) await chrome.storage.local.set({ [\`part-${index}-\${id}\`]: found.join(', ') });
  return found.length ? { id, found } : null;
}`,
  );
  return `// edit ${edit}\n${bodies.join('\n')}\n`;
}
