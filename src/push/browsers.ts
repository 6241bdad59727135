import { DevToolsError } from '../devtools/connect';
import { BrowserLink } from '../devtools/link';
import type { BrowserSession } from '../service/model';
import type { KnownBuild } from './changes';

/** Tells when the folder of a build was made or last added to; undefined where that cannot be learnt. */
export type FolderTime = () => Promise<string | undefined>;

/** A build that was seen to run, and by what it is known again. */
interface SeenBuild {
  build: KnownBuild;
  state: Promise<BuildState | undefined>;
}

/** Is another one when somebody else has pushed to the same folder. */
interface BuildState {
  /** How often the extension has been loaded. */
  loads: number;
  /** Of the folder: each push makes it anew. */
  time: string;
}

/** What a window keeps of one browser between two pushes. */
class KnownBrowser {
  link: BrowserLink | undefined;
  /** By folder on the browser; seen over `link`. */
  readonly builds = new Map<string, SeenBuild>();
  idle: NodeJS.Timeout | undefined;
  users = 0;
  wasReached = false;
}

/**
 * The browsers that this window pushes to: an open DevTools connection each, let go after a while without a push because it
 * keeps a cloud browser awake, and what they were last seen to run.
 */
export class BrowserConnections {
  readonly #browsers = new Map<string, KnownBrowser>();

  /** `idleMs`: how long a connection is kept after the last push; may be infinite. */
  constructor(private readonly idleMs: () => number) {}

  /**
   * Runs `act` with the connection to a browser, opened if need be.
   * @throws DevToolsError
   */
  async use<T>(session: BrowserSession, act: (link: BrowserLink) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const browser = this.#of(session);
    clearTimeout(browser.idle);
    browser.users += 1;
    try {
      if (!browser.link?.isOpen) await this.#open(browser, session, signal);
      if (!browser.link) throw new DevToolsError('the connection was closed');
      return await act(browser.link);
    } catch (error) {
      // What was asked last fails in many words when the connection breaks; the reason is one.
      if (!isClosed(error)) throw error;
      throw new DevToolsError('the connection was lost, because the browser has ended or restarted');
    } finally {
      browser.users -= 1;
      if (browser.users === 0) this.#letGoSoon(browser);
    }
  }

  /** Whether this window has ever had a DevTools connection to the browser. */
  wasReached(session: BrowserSession): boolean {
    return this.#of(session).wasReached;
  }

  /**
   * What runs from `path` on the browser; undefined when this window does not know. It knows only as long as its connection
   * lasts and nobody else has put other files there or has the extension loaded again, as another window may.
   */
  async build(session: BrowserSession, path: string, folderTime: FolderTime): Promise<KnownBuild | undefined> {
    const seen = this.#of(session).builds.get(path);
    if (!seen) return undefined;
    const [then, now] = await Promise.all([seen.state, this.#state(session, seen.build, folderTime)]);
    return then !== undefined && then.loads === now?.loads && then.time === now.time ? seen.build : undefined;
  }

  /** Notes what was just seen to run from `path`. */
  note(session: BrowserSession, path: string, build: KnownBuild, folderTime: FolderTime): void {
    this.#of(session).builds.set(path, { build, state: this.#state(session, build, folderTime) });
  }

  /** Notes that it is no longer certain what runs from `path`. */
  forget(session: BrowserSession, path: string): void {
    this.#of(session).builds.delete(path);
  }

  /** Closes the connection to a browser, which may then fall asleep. */
  letGo(session: BrowserSession): void {
    close(this.#of(session));
  }

  dispose(): void {
    for (const browser of this.#browsers.values()) close(browser);
    this.#browsers.clear();
  }

  async #open(browser: KnownBrowser, session: BrowserSession, signal: AbortSignal | undefined): Promise<void> {
    // Without a connection nobody has seen what happened to the browser, or whether it is the same Chromium still.
    browser.builds.clear();
    browser.link = await BrowserLink.open(session.cdp_ws_url, signal);
    browser.wasReached = true;
    // Developer mode at first contact, and ahead of need: by the time the files are there, a reload can be asked for at once.
    void browser.link.prepare();
  }

  /** Chromium tells of a load, but may be late; the folder tells of new files at once, but not of a load of the same ones. */
  async #state(
    session: BrowserSession,
    { extensionId }: KnownBuild,
    folderTime: FolderTime,
  ): Promise<BuildState | undefined> {
    const [loads, time] = await Promise.all([
      this.use(session, (link) => link.loads(extensionId)).catch(() => undefined),
      folderTime(),
    ]);
    return loads === undefined || time === undefined ? undefined : { loads, time };
  }

  #of({ session_id }: BrowserSession): KnownBrowser {
    const browser = this.#browsers.get(session_id) ?? new KnownBrowser();
    this.#browsers.set(session_id, browser);
    return browser;
  }

  #letGoSoon(browser: KnownBrowser): void {
    const idleMs = this.idleMs();
    if (!Number.isFinite(idleMs)) return;
    browser.idle = setTimeout(close, idleMs, browser);
    browser.idle.unref();
  }
}

/** Whether a command failed because its target or the whole connection is gone. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && /^(TargetCloseError|ConnectionClosedError)$/.test(error.name);
}

function close(browser: KnownBrowser): void {
  clearTimeout(browser.idle);
  browser.link?.close();
  browser.link = undefined;
}
