import { type Connection, connectDevTools, isClosed, onDisconnected } from '../../src/devtools/connect';
import { listExtensions, uninstall } from '../../src/devtools/extensions';
import type { ServiceClient } from '../../src/service/client';
import { EXTENSIONS_ROOT, type BrowserSession } from '../../src/service/model';
import { eventually } from '../support/eventually';

/** How long Chromium may take to close the tabs of a test, in milliseconds. */
const CLOSE_LIMIT_MS = 10_000;

/**
 * One browser for many tests. It is as good as new after {@link SharedBrowser.clear}: no extension, no file of one, and one empty tab. A browser
 * that has restarted is not, since the extensions uploaded to it stay on its command line; it is replaced.
 */
export class SharedBrowser {
  #current: { session: BrowserSession; connection: Connection; isGone: boolean } | undefined;

  constructor(private readonly client: ServiceClient) {}

  /** The browser, which is started if there is none. */
  async take(): Promise<BrowserSession> {
    if (this.#current) return this.#current.session;
    const session = await this.client.createBrowser({ headless: true, timeout_seconds: 600 });
    const current = { session, connection: await connectDevTools(session.cdp_ws_url), isGone: false };
    onDisconnected(current.connection, () => (current.isGone = true));
    this.#current = current;
    return session;
  }

  /** Removes what a test has left in the browser, or ends the browser where that cannot be done. */
  async clear(): Promise<void> {
    const current = this.#current;
    if (!current) return;
    if (current.isGone || !(await this.#isCleared(current))) await this.end();
  }

  /** Ends the browser. The next test gets another one. */
  async end(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.connection.dispose();
    if (current) await this.client.deleteBrowser(current.session.session_id);
  }

  async #isCleared({ session, connection }: { session: BrowserSession; connection: Connection }): Promise<boolean> {
    try {
      for (const { id } of await listExtensions(connection)) await uninstall(connection, id);
      await leaveOneTab(connection);
      for (const { path } of await this.client.listFiles(session.session_id, EXTENSIONS_ROOT)) {
        await this.client.deleteDirectory(session.session_id, path);
      }
      return (await listExtensions(connection)).length === 0;
    } catch (error) {
      if (isClosed(error)) return false;
      throw error;
    }
  }
}

/** Closes all pages but a new one, which is in a window of its own. */
async function leaveOneTab(connection: Connection): Promise<void> {
  const filter = [{ type: 'page' }, { type: 'tab', exclude: true }];
  const { targetId: kept } = await connection.send('Target.createTarget', { url: 'about:blank', newWindow: true });
  const others = async (): Promise<string[]> => {
    const { targetInfos } = await connection.send('Target.getTargets', { filter });
    return targetInfos.map(({ targetId }) => targetId).filter((id) => id !== kept);
  };
  for (const targetId of await others()) {
    // A page may close with the window that another one was in.
    await connection.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }
  await eventually('the tabs of the test are closed', async () => (await others()).length === 0, CLOSE_LIMIT_MS);
}
