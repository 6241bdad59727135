import { posix } from 'node:path';
import { ServiceError } from '../../service/serviceErrors';
import type { FileInfo } from '../../service/model';
import type { PlacedFiles } from '../prepare/changes';
import type { PushService } from '../pushService';

/** The folder of all homes on a browser's machine, which exists on each. */
const HOMES = '/home';

/** Where the interface document places extensions: `/home/<service_user>/extensions/<name>`. */
const EXTENSIONS = 'extensions';
const ROOT = /^\/home\/[^/]+\/extensions$/;

/** The user of the best-known service, which is tried first. */
const FIRST_USER = 'kernel';

/** A folder on a browser's machine that holds an earlier build, so that only what differs from it is sent for the next one. */
export interface Spare {
  path: string;
  files: PlacedFiles;
}

/** What is asked of the service to find out where the folder of extensions is. */
type MachineFiles = Pick<PushService, 'listFiles'>;

/**
 * The machines of one service's browsers, as far as they are known: whose home the extensions are in, and whether the service gives access
 * to files there at all. Both are found out by the first push, and not asked again.
 */
export class BrowserMachines {
  #root: string | undefined;
  /** Roots of extensions that DevTools has shown; any of them may be a folder of the user's own. */
  readonly #shown = new Set<string>();
  /** `perhaps`: a 404 has said so, which may have been about the browser. */
  #lacksFiles: 'no' | 'perhaps' | 'yes' = 'no';

  /** The folder of uploaded extensions: as it was found, or else the best guess. */
  get root(): string {
    const [only, ...others] = this.#shown;
    const shown = others.length === 0 ? only : undefined;
    return this.#root ?? shown ?? rootOf(FIRST_USER);
  }

  /** The root in keys that are made for extensions: it stays the same as long as the root is a guess, although DevTools may show another. */
  get keyRoot(): string {
    return this.#root ?? rootOf(FIRST_USER);
  }

  /** A folder beside that of the extensions, for files that are given to pages. */
  get uploads(): string {
    return posix.join(posix.dirname(this.root), 'uploads');
  }

  /** Whether the root was found, so that it is no guess. */
  get isCertain(): boolean {
    return this.#root !== undefined;
  }

  /** Whether the service has no operations for files, as far as that is known. */
  get lacksFiles(): boolean {
    return this.#lacksFiles !== 'no';
  }

  /** Notes the folders of the extensions that a browser has loaded. */
  noteLoaded(paths: readonly string[]): void {
    for (const path of paths) {
      const root = posix.dirname(path);
      if (ROOT.test(root)) this.#shown.add(root);
    }
  }

  /** An upload to a browser has succeeded: a 404 for its files before was not about the browser. */
  noteUploaded(): void {
    if (this.#lacksFiles === 'perhaps') this.#lacksFiles = 'yes';
  }

  /**
   * What is in the folder of extensions of a browser, which is found first where that is not known yet. Empty when there is no such folder
   * yet, or the service has no operations for files.
   * @throws ServiceError
   */
  async list(service: MachineFiles, browserId: string, signal?: AbortSignal): Promise<FileInfo[]> {
    if (this.#lacksFiles === 'yes') return [];
    const guess = this.root;
    const entries = await this.#entries(service, browserId, guess, signal);
    if (entries) {
      this.#root ??= guess;
      this.#lacksFiles = 'no';
    }
    // Without an extension so far, the folder does not exist.
    if (entries || this.#root !== undefined || this.#isWithoutFiles()) return entries ?? [];
    const homes = await this.#entries(service, browserId, HOMES, signal);
    if (!homes) {
      if (!this.#isWithoutFiles()) this.#lacksFiles = 'perhaps';
      return [];
    }
    this.#lacksFiles = 'no';
    return await this.#findRoot(service, browserId, homes, guess, signal);
  }

  #isWithoutFiles(): boolean {
    return this.#lacksFiles === 'yes';
  }

  async #findRoot(
    service: MachineFiles,
    browserId: string,
    homes: readonly FileInfo[],
    guess: string,
    signal: AbortSignal | undefined,
  ): Promise<FileInfo[]> {
    const roots = homes.filter(({ isFolder }) => isFolder).map(({ name }) => rootOf(name));
    const shown = roots.filter((root) => this.#shown.has(root));
    const [only, ...others] = shown.length > 0 ? shown : roots;
    if (only !== undefined && others.length === 0) {
      this.#root = only;
      return only === guess ? [] : ((await this.#entries(service, browserId, only, signal)) ?? []);
    }
    for (const root of roots.filter((one) => one !== guess)) {
      const entries = await this.#entries(service, browserId, root, signal);
      if (!entries) continue;
      this.#root = root;
      return entries;
    }
    if (roots.includes(guess)) this.#root = guess;
    return [];
  }

  /** The entries of a folder; undefined when there is none, or the service does not have the operation. */
  async #entries(
    service: MachineFiles,
    browserId: string,
    folder: string,
    signal: AbortSignal | undefined,
  ): Promise<FileInfo[] | undefined> {
    try {
      return await service.listFiles(browserId, folder, signal);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind === 'unsupported') this.#lacksFiles = 'yes';
      else if (error.kind !== 'notFound') throw error;
      return undefined;
    }
  }
}

function rootOf(user: string): string {
  return posix.join(HOMES, user, EXTENSIONS);
}
