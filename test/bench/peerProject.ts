import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Beacon } from './beacon';
import { newKey, idOf } from './extensionKey';
import type { Script } from './subject';

const SCRIPTS: readonly Script[] = ['worker', 'content', 'page'];

/** How a tool wants its sources. */
export interface Idiom {
  /** Where the options page is in the built extension. */
  readonly optionsPage: string;
  /** Where the source of each script is, from the project's folder. */
  readonly paths: Readonly<Record<Script, string>>;
  /** The text of a script whose first statement is `statement`. */
  readonly text: (script: Script, statement: string) => string;
  /** Other files, by path. */
  readonly files: (manifest: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;
}

/** The same extension in each idiom: a worker, a content script in one page, an options page. Each calls the beacon first. */
export class PeerProject {
  /** By which the browser knows the extension. */
  readonly id: string;
  readonly #key = newKey();
  #builds = 0;
  /** The last build of each script. */
  readonly #last = new Map<Script, string>();

  private constructor(
    readonly folder: string,
    private readonly name: string,
    private readonly idiom: Idiom,
    private readonly beacon: Beacon,
    private readonly permissions: readonly string[],
  ) {
    this.id = idOf(this.#key);
  }

  static async create(
    folder: string,
    name: string,
    idiom: Idiom,
    beacon: Beacon,
    permissions: readonly string[] = [],
  ): Promise<PeerProject> {
    const project = new PeerProject(folder, name, idiom, beacon, permissions);
    for (const [path, text] of Object.entries(idiom.files(project.#manifest()))) await project.#write(path, text);
    for (const script of SCRIPTS) await project.save(script);
    return project;
  }

  /** Writes a script again and returns the name by which the beacon will know the build. */
  async save(script: Script): Promise<string> {
    const build = `${this.name}-${script}-${++this.#builds}`;
    const statement = `fetch(${JSON.stringify(`${this.beacon.origin}/${build}`)});`;
    this.#last.set(script, build);
    await this.#write(this.idiom.paths[script], this.idiom.text(script, statement));
    return build;
  }

  /** The address of the options page. */
  get optionsPage(): string {
    return `chrome-extension://${this.id}/${this.idiom.optionsPage}`;
  }

  /** The last build of a script. */
  last(script: Script): string {
    return this.#last.get(script) ?? '';
  }

  async #write(path: string, text: string): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  #manifest(): Readonly<Record<string, unknown>> {
    return {
      manifest_version: 3,
      name: `Bench ${this.name}`,
      version: '1.0',
      key: this.#key.toString('base64'),
      permissions: this.permissions,
      host_permissions: [`${this.beacon.origin}/*`],
    };
  }
}

/** What the manifest names, for tools that do not find it by themselves. */
export function withScripts(manifest: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    ...manifest,
    background: { service_worker: 'background.js', type: 'module' },
    content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
    options_page: 'options.html',
  };
}

/** Scripts at the top of the folder, as the manifest names them. */
export const PLAIN_PATHS = { worker: 'background.js', content: 'content.js', page: 'options.js' } as const;

/** The options page. */
export const OPTIONS_PAGE =
  '<!doctype html><title>options</title><body><input><script type="module" src="./options.js"></script>';

/** Plain files, without a bundler. */
export const PLAIN: Idiom = {
  optionsPage: 'options.html',
  paths: PLAIN_PATHS,
  text: (_script, statement) => `${statement}\n`,
  files: (manifest) => ({ 'manifest.json': JSON.stringify(withScripts(manifest)), 'options.html': OPTIONS_PAGE }),
};
