import { basename } from 'node:path/posix';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import type { Browser } from '../../service/model';
import { BrowserMachines, type Spare } from '../place/browserMachines';
import type { KnownBuild } from '../prepare/changes';
import { RecentMap } from '../../base/recentMap';
import { isFolderOf } from '../folderName';
import type { PushBrowsers } from '../pushBrowsers';
import type { PushLink } from '../pushLink';

/** So many browsers are known of, those that were pushed to last: nobody says here that one has ended. */
const MOST_BROWSERS = 500;

/** Reads the modification time of a build's folder; undefined where it is not available. */
export type FolderTime = () => Promise<string | undefined>;

/** A build that was verified to run, and the state by which it is recognised. */
interface RecordedBuild {
  build: KnownBuild;
  state: Promise<BuildState | undefined>;
}

/** Differs when somebody else has pushed to the same folder. */
interface BuildState {
  /** How many times the extension has been loaded. */
  loads: number;
  /** Modification time of the folder, which each push creates again. */
  time: string;
}

/** What deliveries have found out about one browser. */
class KnownBrowser {
  /** The connection over which the builds were verified: while there was none, the browser may have changed or restarted. */
  link: PushLink | undefined;
  /** By folder on the browser. */
  readonly builds = new Map<string, RecordedBuild>();
  /** By folder on the browser that the next build goes to. */
  readonly spares = new Map<string, Promise<Spare | undefined>>();
  /** Folders of uploads that have failed, and may still come. */
  readonly unfinished = new Set<string>();
  wasReached = false;
}

/**
 * What the next delivery to a browser of one service saves work by: the files of builds that were verified over the connection that is open, and
 * what is on the machines. It is evidence, which `build` and `confirm` hold against the browser, and gone with the connection; what runs
 * where is for `PushRecords` to say.
 */
export class KnownBrowsers {
  readonly #browsers = new RecentMap<string, KnownBrowser>(MOST_BROWSERS);
  readonly machines = new BrowserMachines();

  constructor(private readonly connections: PushBrowsers) {}

  /** Whether the browser has ever answered this window over DevTools. */
  wasReached(browser: Browser): boolean {
    return this.#of(browser).wasReached;
  }

  /** The browser has answered over DevTools. */
  noteReached(browser: Browser): void {
    this.#of(browser).wasReached = true;
  }

  /**
   * The build that runs from `path` on the browser; undefined when this window does not know. It knows only as long as its
   * connection lasts and nobody else, such as another window, has replaced the files or loaded the extension again.
   */
  async build(browser: Browser, path: string, folderTime: FolderTime): Promise<KnownBuild | undefined> {
    const seen = this.#of(browser).builds.get(path);
    if (!seen) return undefined;
    const [then, now] = await Promise.all([seen.state, this.#state(browser, seen.build, folderTime)]);
    const isSame = then !== undefined && then.loads === now?.loads && then.time === now.time;
    // The connection may have been opened again for it, to a browser that has restarted.
    return isSame && this.#of(browser).builds.get(path) === seen ? seen.build : undefined;
  }

  /**
   * The build that was verified last in the folder `folderName`, or in one that was made for it, and its path; whether it still runs is for
   * `confirm` to say.
   */
  expectedBuild(browser: Browser, folderName: string): { path: string; build: KnownBuild } | undefined {
    const { link, builds } = this.#of(browser);
    const found = link?.isOpen && [...builds].find(([path]) => isFolderOf(folderName, basename(path)));
    return found ? { path: found[0], build: found[1].build } : undefined;
  }

  /** The extension that runs the known build from `path`; undefined when another one does, it is disabled, or nobody knows. */
  async confirm(
    browser: Browser,
    path: string,
    folderTime: FolderTime,
    signal?: AbortSignal,
  ): Promise<LoadedExtension | undefined> {
    const [extensions, known] = await Promise.all([
      this.connections.use(browser, (link) => link.extensions(), signal),
      this.build(browser, path, folderTime),
    ]);
    return known && extensions.find((extension) => extension.path === path && extension.enabled);
  }

  /** Records the build that was just verified to run from `path`. */
  record(browser: Browser, path: string, build: KnownBuild, folderTime: FolderTime): void {
    this.#of(browser).builds.set(path, { build, state: this.#state(browser, build, folderTime) });
  }

  /** Drops the record of `path`: what runs there is no longer certain. */
  drop(browser: Browser, path: string): void {
    this.#of(browser).builds.delete(path);
  }

  /**
   * The folder for the next build at `path`, which is the caller's from now on; undefined when there is none. Of one that is not expected to
   * run any more, it is only good for being removed.
   */
  async takeSpare(browser: Browser, path: string): Promise<Spare | undefined> {
    const { spares } = this.#of(browser);
    const spare = spares.get(path);
    spares.delete(path);
    return await spare;
  }

  /** Keeps a folder for the next build at `path`. `spare` must not reject. */
  keepSpare(browser: Browser, path: string, spare: Promise<Spare | undefined>): void {
    this.#of(browser).spares.set(path, spare);
  }

  /** An upload to the folder `path` has failed, but the service may still make the folder. */
  noteUnfinished(browser: Browser, path: string): void {
    this.#of(browser).unfinished.add(path);
  }

  /** The folders that were noted so, which are the caller's to remove. */
  takeUnfinished(browser: Browser): readonly string[] {
    const { unfinished } = this.#of(browser);
    const paths = [...unfinished];
    unfinished.clear();
    return paths;
  }

  /** Chromium's event of a load may come late (C-LOAD-EVENT); the folder's time shows new files at once, but not a load of the same files. */
  async #state(browser: Browser, { extensionId }: KnownBuild, folderTime: FolderTime): Promise<BuildState | undefined> {
    const [loads, time] = await Promise.all([
      this.connections.use(browser, (link) => link.loads(extensionId)).catch(() => undefined),
      folderTime(),
    ]);
    return loads === undefined || time === undefined ? undefined : { loads, time };
  }

  #of(browser: Browser): KnownBrowser {
    const known = this.#browsers.latest(browser.id, () => new KnownBrowser());
    const link = this.connections.last(browser);
    if (link !== known.link) known.builds.clear();
    known.link = link;
    return known;
  }
}
