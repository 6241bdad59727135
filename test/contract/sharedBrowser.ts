import { type Connection, connectDevTools, onDisconnected } from '../../src/devtools/protocol/connect';
import { listExtensions, uninstall } from '../../src/devtools/protocol/loadedExtensions';
import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { eventually } from '../support/eventually';
import { addressOf } from '../support/devToolsAddress';

/** How long Chromium may take to close the tabs of a test, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;

/** What the only tab of a new browser shows. */
const EMPTY = 'about:blank';

interface Current {
  browser: Browser;
  connection: Connection;
  hasRestarted: boolean;
}

/**
 * One browser for many tests, each of which finds it as good as new: no extension, no file of one, and one empty tab. A browser that has
 * restarted is replaced, since the extensions uploaded to it stay on its command line.
 */
export class SharedBrowser {
  #current: Current | undefined;

  constructor(private readonly client: ServiceClient) {}

  /** The browser, without what the previous test has left in it. */
  async take(): Promise<Browser> {
    if (this.#current && !(await this.#isCleared(this.#current))) await this.end();
    this.#current ??= await this.#start();
    return this.#current.browser;
  }

  /** Ends the browser. The next test gets another one. */
  async end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.connection.dispose();
    if (current) await this.client.deleteBrowser(current.browser.id);
  }

  async #start(): Promise<Current> {
    const browser = await this.client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const current = { browser, connection: await connectDevTools(addressOf(browser)), hasRestarted: false };
    onDisconnected(current.connection, () => (current.hasRestarted = true));
    return current;
  }

  /** Removes what a test has left; false where that cannot be done. */
  async #isCleared({ browser, connection, hasRestarted }: Current): Promise<boolean> {
    if (hasRestarted) return false;
    try {
      for (const { id } of await listExtensions(connection)) await uninstall(connection, id);
      await leaveOneTab(connection);
      for (const { path } of await this.client.listFiles(browser.id, EXTENSIONS_ROOT)) {
        await this.client.deleteDirectory(browser.id, path);
      }
      return (await listExtensions(connection)).length === 0;
    } catch {
      // Whatever the test has done to it: another one is as good.
      return false;
    }
  }
}

/** Closes all pages but an empty one. */
async function leaveOneTab(connection: Connection): Promise<void> {
  const pages = async (): Promise<{ targetId: string; url: string }[]> => {
    const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'page' }] });
    return targetInfos;
  };
  const before = await pages();
  if (before.length === 1 && before[0]?.url === EMPTY) return;
  const { targetId: kept } = await connection.send('Target.createTarget', { url: EMPTY, newWindow: true });
  for (const { targetId } of before) {
    // A page may close with the window that another one was in.
    await connection.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }
  const isAlone = async (): Promise<boolean> => (await pages()).every(({ targetId }) => targetId === kept);
  await eventually('the tabs of the test are closed', isAlone, CLOSE_LIMIT_MS);
}
