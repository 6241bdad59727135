import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE } from '../support/paths';
import type { Beacon } from './beacon';
import { idOf, newKey } from './extensionKey';
import { textOf } from './text';

/** The scripts of the sample extension. */
const SCRIPTS = { worker: 'background.js', content: 'content.js', page: 'popup.js' } as const;

/** What the extension's own scripts are padded to beside many files, in bytes. */
export const SCRIPT_BYTES = 5000;

export type Script = keyof typeof SCRIPTS;

/** A copy of the sample extension whose scripts call the beacon with their first statement, once they were saved. */
export class Subject {
  #builds = 0;

  private constructor(
    readonly folder: string,
    private readonly name: string,
    private readonly beacon: Beacon,
    private readonly scripts: Record<Script, string>,
    private readonly manifest: Readonly<Record<string, unknown>>,
    /** By which the browser knows the extension. */
    readonly id: string,
  ) {}

  /** Copies it to `folder`; `name` tells its builds from those of other copies. */
  static async create(folder: string, name: string, beacon: Beacon): Promise<Subject> {
    await cp(SAMPLE, folder, { recursive: true });
    const read = (script: Script): Promise<string> => readFile(join(folder, SCRIPTS[script]), 'utf8');
    const scripts = { worker: await read('worker'), content: await read('content'), page: await read('page') };
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const key = newKey();
    const fields = {
      ...(manifest as Record<string, unknown>),
      key: key.toString('base64'),
      host_permissions: [`${beacon.origin}/*`],
    };
    const subject = new Subject(folder, name, beacon, scripts, fields, idOf(key));
    await subject.saveManifest();
    return subject;
  }

  /** The paths of what is saved: its scripts and its manifest. */
  get files(): string[] {
    return [...Object.values(SCRIPTS), 'manifest.json'].map((file) => join(this.folder, file));
  }

  /** Adds `count` files of script, of `bytes` each, that nothing refers to, and makes the extension's own scripts `scriptBytes` long. */
  async pad(count: number, bytes: number, scriptBytes: number): Promise<void> {
    for (const [seed, script] of (['worker', 'content', 'page'] as const).entries()) {
      const padding = textOf(scriptBytes - this.scripts[script].length, seed).replaceAll('\n', ' ');
      this.scripts[script] += `\n// ${padding}\n`;
      await writeFile(join(this.folder, SCRIPTS[script]), this.scripts[script]);
    }
    const folder = join(this.folder, 'lib');
    await mkdir(folder, { recursive: true });
    for (let index = 0; index < count; index++) {
      await writeFile(join(folder, `file-${index}.js`), textOf(bytes, index + 1));
    }
  }

  /** Writes the worker's file again and returns the name by which the beacon will know the build. */
  saveWorker(): Promise<string> {
    return this.save('worker');
  }

  /** Writes a script again, with new text, and returns the name by which the beacon will know the build. */
  async save(script: Script): Promise<string> {
    const build = `${this.name}-${++this.#builds}`;
    const call = `fetch(${JSON.stringify(`${this.beacon.origin}/${build}`)});\n`;
    await writeFile(join(this.folder, SCRIPTS[script]), call + this.scripts[script]);
    return build;
  }

  /** Writes worker and manifest again, the manifest with the next version. */
  async saveManifest(): Promise<string> {
    const build = await this.saveWorker();
    const manifest = { ...this.manifest, version: `1.0.${this.#builds}` };
    await writeFile(join(this.folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    return build;
  }
}
