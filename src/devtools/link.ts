import { connectDevTools, onDisconnected, type CDPSession, type Connection } from './connect';
import { LoadRefusedError } from './extensions';

/** How long chrome://extensions may take until its script interface is there, in milliseconds. */
const PAGE_LIMIT_MS = 5000;

/** How long Chromium may take to answer a reload, in milliseconds (measured: 10 to 100). */
const RELOAD_LIMIT_MS = 5000;

/** Pause between two looks for that interface, in milliseconds. */
const PAGE_POLL_MS = 5;

/** Has the page count how often each extension is loaded. */
const COUNT_LOADS = `
  self.loads = {};
  chrome.developerPrivate.onItemStateChanged.addListener(({ event_type, item_id }) => {
    if (event_type === 'LOADED') loads[item_id] = (loads[item_id] ?? 0) + 1;
  });`;

/**
 * A DevTools connection that is kept over several pushes, with a hidden chrome://extensions page on it (measured: reload from
 * such a page 116 ms to the new worker's first line, `Extensions.loadUnpacked` 310 ms). The page is no tab and goes with the
 * connection.
 */
export class BrowserLink {
  #page: Promise<CDPSession | undefined> | undefined;
  #isOpen = true;

  private constructor(readonly connection: Connection) {
    onDisconnected(connection, () => {
      this.#isOpen = false;
    });
  }

  /** @throws DevToolsError */
  static async open(url: string, signal?: AbortSignal): Promise<BrowserLink> {
    return new BrowserLink(await connectDevTools(url, signal));
  }

  /** False once the browser has restarted or ended, or `close` was called. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Switches Developer mode on. While it is off, any `chrome.runtime.reload()` disables an unpacked extension for good, also
   * one that a development build calls by itself. Resolves to false where the browser does not let us.
   */
  async prepare(): Promise<boolean> {
    return (await this.#extensionsPage()) !== undefined;
  }

  /**
   * Reloads the extension `id` from its folder; for one that is switched on, and a manifest that is the same as before only.
   * Resolves to false where the browser does not offer it or does not do it.
   * @throws LoadRefusedError when Chromium refuses what it finds in the folder: the extension is then switched off.
   */
  async reload(id: string): Promise<boolean> {
    const page = await this.#extensionsPage();
    if (!page) return false;
    // For an extension that somebody has just switched off, Chromium never answers.
    const answer = await evaluate(
      page,
      `Promise.race([
        chrome.developerPrivate.reload(${JSON.stringify(id)}, { failQuietly: true, populateErrorForUnpacked: true })
          .then((failure) => failure?.error ?? true),
        new Promise((resolve) => setTimeout(resolve, ${RELOAD_LIMIT_MS}, false)),
      ])`,
    );
    if (typeof answer === 'string') throw new LoadRefusedError(answer);
    return answer === true;
  }

  /** Switches the extension `id` on or off. Resolves to false where the browser does not offer it. */
  async setEnabled(id: string, enabled: boolean): Promise<boolean> {
    const page = await this.#extensionsPage();
    if (!page) return false;
    await evaluate(page, `chrome.management.setEnabled(${JSON.stringify(id)}, ${enabled})`);
    return true;
  }

  /**
   * How often the extension `id` was loaded since this connection has its page, whoever asked for it; undefined where the browser
   * does not tell.
   */
  async loads(id: string): Promise<number | undefined> {
    const page = await this.#extensionsPage();
    const count = page && (await evaluate(page, `self.loads[${JSON.stringify(id)}] ?? 0`));
    return typeof count === 'number' ? count : undefined;
  }

  /** Lets go of the browser, which may then fall asleep. */
  close(): void {
    this.#isOpen = false;
    this.connection.dispose();
  }

  #extensionsPage(): Promise<CDPSession | undefined> {
    this.#page ??= this.#openPage().catch(() => undefined);
    return this.#page;
  }

  async #openPage(): Promise<CDPSession | undefined> {
    const { targetId } = await this.connection.send('Target.createTarget', {
      url: 'chrome://extensions',
      hidden: true,
    });
    const { sessionId } = await this.connection.send('Target.attachToTarget', { targetId, flatten: true });
    const page = this.connection.session(sessionId);
    if (!page) return undefined;
    const deadline = performance.now() + PAGE_LIMIT_MS;
    while ((await evaluate(page, 'typeof chrome?.developerPrivate?.reload').catch(() => '')) !== 'function') {
      if (performance.now() > deadline) return undefined;
      await new Promise((resolve) => setTimeout(resolve, PAGE_POLL_MS));
    }
    await evaluate(page, COUNT_LOADS);
    await evaluate(page, 'chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })');
    return page;
  }
}

/** The value of an expression in a page, promises awaited; rejects when it throws. */
export async function evaluate(session: CDPSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as unknown;
}
