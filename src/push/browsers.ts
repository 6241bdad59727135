import { DevToolsError } from '../devtools/connect';
import { BrowserLink } from '../devtools/link';
import type { BrowserSession } from '../service/model';
import type { KnownBuild } from './changes';

/** What a window keeps of one browser between two pushes. */
class KnownBrowser {
  link: BrowserLink | undefined;
  /** By folder on the browser. */
  readonly builds = new Map<string, KnownBuild>();
  idle: NodeJS.Timeout | undefined;
  users = 0;
  /** The process that `builds` were seen in. */
  process: number | undefined;
  wasReached = false;
}

/**
 * The browsers that this window pushes to: an open DevTools connection each, let go after a while without a push because it
 * keeps a cloud browser awake, and what they were last seen to run.
 */
export class KnownBrowsers {
  readonly #browsers = new Map<string, KnownBrowser>();

  /** `idleMs`: how long a connection is kept after the last push. */
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

  /** What `path` on the browser was last seen to run; undefined when this window does not know. */
  build(session: BrowserSession, path: string): KnownBuild | undefined {
    return this.#of(session).builds.get(path);
  }

  /** Notes what runs; undefined when it is no longer certain. */
  note(session: BrowserSession, path: string, build: KnownBuild | undefined): void {
    const { builds } = this.#of(session);
    if (build) builds.set(path, build);
    else builds.delete(path);
  }

  /** Closes the connection to a browser, which may then fall asleep. What it was seen to run is kept. */
  letGo(session: BrowserSession): void {
    close(this.#of(session));
  }

  dispose(): void {
    for (const browser of this.#browsers.values()) close(browser);
    this.#browsers.clear();
  }

  /**
   * Opens the connection. The address leads to whichever Chromium runs now: when it is another process than before, what was
   * seen to run says nothing about it.
   */
  async #open(browser: KnownBrowser, session: BrowserSession, signal: AbortSignal | undefined): Promise<void> {
    const link = await BrowserLink.open(session.cdp_ws_url, signal);
    browser.link = link;
    browser.wasReached = true;
    // Developer mode at first contact, and ahead of need: by the time the files are there, a reload can be asked for at once.
    void link.prepare();
    const process = await link.process();
    if (process === undefined || process !== browser.process) browser.builds.clear();
    browser.process = process;
  }

  #of({ session_id }: BrowserSession): KnownBrowser {
    const browser = this.#browsers.get(session_id) ?? new KnownBrowser();
    this.#browsers.set(session_id, browser);
    return browser;
  }

  #letGoSoon(browser: KnownBrowser): void {
    browser.idle = setTimeout(close, this.idleMs(), browser);
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
