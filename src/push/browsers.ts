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
      if (!browser.link?.isOpen) {
        browser.link = await BrowserLink.open(session.cdp_ws_url, signal);
        // Developer mode at first contact, and ahead of need: by the time the files are there, a reload can be asked for at once.
        void browser.link.prepare();
      }
      return await act(browser.link);
    } finally {
      browser.users -= 1;
      if (browser.users === 0) this.#letGoSoon(browser);
    }
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

  dispose(): void {
    for (const browser of this.#browsers.values()) {
      clearTimeout(browser.idle);
      browser.link?.close();
    }
    this.#browsers.clear();
  }

  #of({ session_id }: BrowserSession): KnownBrowser {
    const browser = this.#browsers.get(session_id) ?? new KnownBrowser();
    this.#browsers.set(session_id, browser);
    return browser;
  }

  #letGoSoon(browser: KnownBrowser): void {
    browser.idle = setTimeout(() => {
      browser.link?.close();
      browser.link = undefined;
    }, this.idleMs());
    browser.idle.unref();
  }
}
