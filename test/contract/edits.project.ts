import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Chance } from './client.random';

/** What a build would be, and what it says of itself once it runs. */
export interface State {
  /** SHA-256 in hex over names and contents, as archives are told apart. */
  digest: string;
  /** The number of the edit that last changed it, by part. */
  worker: number;
  library: number;
  content: number;
  version: string;
  /** What keeps it from running: a manifest that cannot be read, or a worker that throws. */
  fault: 'manifest' | 'worker' | undefined;
}

type Part = 'worker' | 'library' | 'content' | 'manifest' | 'page' | 'added' | 'removed' | 'badManifest' | 'badWorker';

/** How often in a hundred which file is edited. */
const PARTS: readonly [Part, number][] = [
  ['worker', 25],
  ['library', 12],
  ['content', 14],
  ['manifest', 9],
  ['page', 10],
  ['added', 10],
  ['removed', 12],
  ['badManifest', 4],
  ['badWorker', 4],
];

/** A large file, so that later pushes send only what differs from a spare on the browser. */
const LARGE = 'assets/large.txt';
const LARGE_BYTES = 150_000;

/** An extension whose worker and content script tell which edits they are of, edited file by file. */
export class Project {
  readonly #files = new Map<string, string>();
  readonly #states: State[] = [];
  #current: Omit<State, 'digest'> = {
    worker: 0,
    library: 0,
    content: 0,
    version: '1.0.0',
    fault: undefined,
  };
  #edits = 0;

  private constructor(
    readonly folder: string,
    /** A folder on the same disk, for files that are not whole yet. */
    private readonly drafts: string,
    private readonly chance: Chance,
  ) {}

  /** Writes the first state. */
  static async create(chance: Chance): Promise<Project> {
    const [folder, drafts] = await Promise.all(
      ['sideload-edits-', 'sideload-drafts-'].map((prefix) => mkdtemp(join(tmpdir(), prefix))),
    );
    const project = new Project(folder ?? '', drafts ?? '', chance);
    await project.#write('background.js', workerText(0));
    await project.#write('lib.js', libraryText(0));
    await project.#write('content.js', contentText(0));
    await project.#write('popup.html', '<!doctype html><title>edits</title>');
    await project.#write(LARGE, 'large'.padEnd(LARGE_BYTES, '.'));
    await project.#write('manifest.json', manifestText('1.0.0'));
    return project;
  }

  /** The state that was saved last. */
  get last(): State {
    const last = this.#states.at(-1);
    if (!last) throw new Error('nothing has been saved');
    return last;
  }

  /** How many edits there have been. */
  get edits(): number {
    return this.#edits;
  }

  /** How many states there have been. */
  get count(): number {
    return this.#states.length;
  }

  /** The latest state of that digest. */
  withDigest(digest: string): State | undefined {
    return this.#states.findLast((state) => state.digest === digest);
  }

  /** The states that may have been seen since there had been `count`: the latest of these may not have been on the disk yet. */
  since(count: number): readonly State[] {
    return this.#states.slice(Math.max(count - 2, 0));
  }

  /** The files as they were saved last, by path. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** Saves one file, or removes one, and gives its path. */
  async edit(): Promise<string> {
    this.#edits += 1;
    return join(this.folder, await this.#editPart(this.#pickPart(), this.#edits));
  }

  /** Saves good files where there are bad ones, and gives their paths. */
  async mend(): Promise<string[]> {
    this.#edits += 1;
    const paths = [await this.#editPart('worker', this.#edits), await this.#editPart('manifest', this.#edits)];
    return paths.map((path) => join(this.folder, path));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await rm(this.drafts, { recursive: true, force: true });
  }

  #pickPart(): Part {
    // What is broken is mended before long, as people do.
    if (this.#current.fault && this.chance.next() < 0.5) return this.#current.fault;
    let left = this.chance.below(100);
    for (const [part, share] of PARTS) {
      if (left < share) return part;
      left -= share;
    }
    return 'worker';
  }

  async #editPart(part: Part, edit: number): Promise<string> {
    const current = this.#current;
    const mended = (fault: State['fault']): State['fault'] => (current.fault === fault ? undefined : current.fault);
    switch (part) {
      case 'worker':
        this.#current = { ...current, worker: edit, fault: mended('worker') };
        return this.#write('background.js', workerText(edit));
      case 'library':
        this.#current = { ...current, library: edit };
        return this.#write('lib.js', libraryText(edit));
      case 'content':
        this.#current = { ...current, content: edit };
        return this.#write('content.js', contentText(edit));
      case 'manifest':
        this.#current = { ...current, version: `1.0.${edit}`, fault: mended('manifest') };
        return this.#write('manifest.json', manifestText(`1.0.${edit}`));
      case 'page':
        return this.#write('popup.html', `<!doctype html><title>edit ${edit}</title>`);
      case 'added': {
        const folder = this.chance.pick(['assets', 'assets/deep', `assets/${edit}/deeper`]);
        return this.#write(`${folder}/${edit}.txt`, 'x'.repeat(this.chance.below(20_000)));
      }
      case 'removed': {
        const path = this.#pickAsset();
        if (path === undefined) return this.#editPart('page', edit);
        this.#files.delete(path);
        this.#note();
        await rm(join(this.folder, path));
        return path;
      }
      case 'badManifest':
        if (current.fault) return this.#editPart('page', edit);
        this.#current = { ...current, fault: 'manifest' };
        return this.#write('manifest.json', `{ "manifest_version": 3, "name": "Edits", "edit": ${edit}`);
      case 'badWorker':
        if (current.fault) return this.#editPart('page', edit);
        this.#current = { ...current, fault: 'worker' };
        return this.#write('background.js', `throw new Error("edit ${edit}");`);
    }
  }

  #pickAsset(): string | undefined {
    const assets = [...this.#files.keys()].filter((path) => path.startsWith('assets/') && path !== LARGE);
    return assets.length === 0 ? undefined : this.chance.pick(assets);
  }

  /** Puts a file in place as a whole, so that the folder is never in a state that nobody has saved. */
  async #write(path: string, text: string): Promise<string> {
    const draft = join(this.drafts, 'draft');
    await writeFile(draft, text);
    const place = join(this.folder, path);
    await mkdir(dirname(place), { recursive: true });
    // Noted before: somebody may see it before we know that it is there.
    this.#files.set(path, text);
    this.#note();
    await rename(draft, place);
    return path;
  }

  #note(): void {
    this.#states.push({ ...this.#current, digest: digestOf(this.#files) });
  }
}

/** SHA-256 in hex over names and contents, as archives are told apart. */
export function digestOf(files: ReadonlyMap<string, string | Buffer>): string {
  const all = createHash('sha256');
  for (const path of [...files.keys()].sort()) {
    const content = createHash('sha256').update(files.get(path) ?? '');
    all.update(`${path}\0${content.digest('hex')}\n`);
  }
  return all.digest('hex');
}

function workerText(edit: number): string {
  return `importScripts('lib.js');\nglobalThis.WORKER = ${edit};\n`;
}

function libraryText(edit: number): string {
  return `globalThis.LIBRARY = ${edit};\n`;
}

function contentText(edit: number): string {
  return `document.documentElement.dataset.content = '${edit}';\n`;
}

function manifestText(version: string): string {
  return JSON.stringify({
    manifest_version: 3,
    name: 'Edits',
    version,
    background: { service_worker: 'background.js' },
    action: { default_popup: 'popup.html' },
    content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }],
  });
}
