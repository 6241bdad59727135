import { generateKeyPairSync } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE } from '../support/paths';
import type { Beacon } from './beacon';

/** A copy of the sample extension whose worker calls the beacon with its first statement. */
export class Subject {
  #builds = 0;

  private constructor(
    readonly folder: string,
    private readonly name: string,
    private readonly beacon: Beacon,
    private readonly worker: string,
    private readonly manifest: Record<string, unknown>,
  ) {}

  /** Copies it to `folder`; `name` tells its builds from those of other copies. */
  static async create(folder: string, name: string, beacon: Beacon): Promise<Subject> {
    await cp(SAMPLE, folder, { recursive: true });
    const worker = await readFile(join(folder, 'background.js'), 'utf8');
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
    const fields = {
      ...(manifest as Record<string, unknown>),
      key: newKey(),
      host_permissions: [`${beacon.origin}/*`],
    };
    const subject = new Subject(folder, name, beacon, worker, fields);
    await subject.saveManifest();
    return subject;
  }

  /** Writes the worker's file anew and gives the name by which the beacon will know the build. */
  async saveWorker(): Promise<string> {
    const build = `${this.name}-${++this.#builds}`;
    const call = `fetch(${JSON.stringify(`${this.beacon.origin}/${build}`)});\n`;
    await writeFile(join(this.folder, 'background.js'), call + this.worker);
    return build;
  }

  /** Writes worker and manifest anew, the manifest with the next version. */
  async saveManifest(): Promise<string> {
    const build = await this.saveWorker();
    const manifest = { ...this.manifest, version: `1.0.${this.#builds}` };
    await writeFile(join(this.folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    return build;
  }
}

/** A public key as a manifest holds it: the extension's id stays the same wherever it is loaded from. */
function newKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}
