import { setTimeout as delay } from 'node:timers/promises';
import { connectDevTools, onDisconnected, type CDPSession, type Connection, type Protocol } from './connect';
import { LoadRefusedError } from './extensions';
import { Targets } from './targets';

/** How long chrome://extensions may take until its script interface is there, in milliseconds. */
const PAGE_LIMIT_MS = 5000;

/** How long Chromium may take to answer a reload, in milliseconds (measured: 10 to 100). */
const RELOAD_LIMIT_MS = 5000;

/** Pause between two polls for that interface, in milliseconds. */
const PAGE_POLL_MS = 5;

/** The function by which the page reports that an extension was loaded, unloaded, installed or removed. */
const CHANGED = 'extensionsChanged';

/** Makes the page count the loads of each extension. */
const COUNT_LOADS = `
  self.loads = {};
  chrome.developerPrivate.onItemStateChanged.addListener(({ event_type, item_id }) => {
    if (event_type === 'LOADED') loads[item_id] = (loads[item_id] ?? 0) + 1;
    self.${CHANGED}?.(event_type);
  });`;

/** What a connection reports by itself. */
export interface LinkEvents {
  /** The browser has ended or restarted, or the connection broke; not called after `close`. */
  onLost?: () => void;
  /** An extension was loaded, unloaded, installed or removed, by whomever. */
  onExtensions?: () => void;
}

/**
 * A DevTools connection that is kept over several pushes, with a hidden chrome://extensions page on it (measured: reload from
 * such a page 116 ms to the new worker's first line, `Extensions.loadUnpacked` 310 ms). The page is no tab and goes with the
 * connection.
 */
export class BrowserLink {
  #page: Promise<CDPSession | undefined> | undefined;
  #isOpen = true;
  readonly targets: Targets;

  private constructor(
    readonly connection: Connection,
    private readonly events: LinkEvents,
  ) {
    this.targets = new Targets(connection);
    onDisconnected(connection, () => {
      if (this.#isOpen) events.onLost?.();
      this.#isOpen = false;
    });
  }

  /** @throws DevToolsError */
  static async open(url: string, events: LinkEvents = {}, signal?: AbortSignal): Promise<BrowserLink> {
    return new BrowserLink(await connectDevTools(url, signal), events);
  }

  /** False once the browser has restarted or ended, or `close` was called. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Switches Developer mode on. While it is off, any `chrome.runtime.reload()` disables an unpacked extension for good, also one
   * that a development build calls by itself. Resolves to false where the browser does not allow it.
   */
  async prepare(): Promise<boolean> {
    return (await this.#extensionsPage()) !== undefined;
  }

  /**
   * Reloads the extension `id` from its folder; only for an enabled one with an unchanged manifest. Resolves to false where the
   * browser does not support it or does not do it.
   * @throws LoadRefusedError when Chromium refuses the files in the folder: the extension is then disabled.
   */
  async reload(id: string): Promise<boolean> {
    const page = await this.#extensionsPage();
    if (!page) return false;
    // For an extension that was disabled just now, Chromium never answers.
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

  /** Enables or disables the extension `id`. Resolves to false where the browser does not support it. */
  async setEnabled(id: string, enabled: boolean): Promise<boolean> {
    const page = await this.#extensionsPage();
    if (!page) return false;
    await evaluate(page, `chrome.management.setEnabled(${JSON.stringify(id)}, ${enabled})`);
    return true;
  }

  /**
   * How many times the extension `id` was loaded since this connection opened its page, by whomever; undefined where the browser
   * does not report it.
   */
  async loads(id: string): Promise<number | undefined> {
    const page = await this.#extensionsPage();
    const count = page && (await evaluate(page, `self.loads[${JSON.stringify(id)}] ?? 0`));
    return typeof count === 'number' ? count : undefined;
  }

  /** Shows the icon of the extension `id` in the toolbar, where the browser supports that. */
  async pin(id: string): Promise<void> {
    const page = await this.#extensionsPage();
    const change = JSON.stringify({ extensionId: id, pinnedToToolbar: true });
    if (page) await evaluate(page, `chrome.developerPrivate.updateExtensionConfiguration(${change})`);
  }

  /** Closes the connection, so that the session can go to standby. */
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
      await delay(PAGE_POLL_MS);
    }
    page.on('Runtime.bindingCalled', ({ name }: Protocol.Runtime.BindingCalledEvent) => {
      if (name === CHANGED) this.events.onExtensions?.();
    });
    await Promise.all([
      page.send('Runtime.addBinding', { name: CHANGED }),
      evaluate(page, COUNT_LOADS),
      evaluate(page, 'chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })'),
    ]);
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
