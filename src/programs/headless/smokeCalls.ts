import { withLink } from '../../agents/namedBrowsers';
import type { ToolWindow } from '../../agents/tool';
import type { BrowserLink } from '../../devtools/connection/link';
import { contentCalls, noteWorkerCalls, pageCalls, workerCalls } from '../../devtools/extensions/apiCalls';
import { WorkerWatch } from '../../devtools/workers/workers';
import { exampleAddress } from '../../manifest/exampleAddress';
import { pagesOf } from '../../manifest/namedPages';
import { pageAddress } from '../../manifest/typedAddress';
import type { Browser } from '../../service/model';

/**
 * The functions of the API that an extension calls while smoke tests run, such as `tabs.query`: those of its worker from the first statement on, also of
 * the one after the idle stop, and those of its pages and content scripts, for which each page, and one of the web, is opened once more.
 */
export class SmokeCalls {
  readonly #calls = new Set<string>();
  /** The connection over which workers are noted. */
  #noting: BrowserLink['connection'] | undefined;

  constructor(
    private readonly window: ToolWindow,
    private readonly browser: Browser,
    private readonly signal: AbortSignal,
  ) {}

  get all(): string[] {
    return [...this.#calls];
  }

  /** Has the calls of workers noted that start in a push from now on. Never rejects. */
  async begin(): Promise<void> {
    await this.#use((link) => {
      this.#noting = link.connection;
      noteWorkerCalls(link.connection);
      return Promise.resolve([]);
    });
  }

  /** After the push: reloads the extension where the push has restarted the browser, since nothing was noted of its worker then. Never rejects. */
  async continue(extensionId: string): Promise<void> {
    await this.#use(async (link) => {
      if (this.#noting === link.connection) return [];
      await this.begin();
      await this.whileStarting(link, extensionId, () => link.reload(extensionId));
      return [];
    });
  }

  /** Adds what the worker that runs now has called. Never rejects. */
  async addWorker(extensionId: string): Promise<void> {
    await this.#use((link) => workerCalls(link, extensionId));
  }

  /** Adds what the worker has called, and what the pages and the first content scripts call that a manifest names. Never rejects. */
  async addAll(extensionId: string, manifest: unknown): Promise<void> {
    await this.addWorker(extensionId);
    for (const path of new Set(pagesOf(manifest).map((page) => page.path))) {
      const url = pageAddress(extensionId, path, () => true);
      if (url !== undefined) await this.#use((link) => pageCalls(link, url, this.signal));
    }
    const address = exampleAddress(manifest);
    if (address === undefined) return;
    await this.#use((link) => contentCalls(link, { id: extensionId, address }, this.signal));
  }

  /** Runs what starts the worker of an extension, whose calls are noted from the first one on. */
  async whileStarting<T>(link: BrowserLink, extensionId: string, start: () => Promise<T>): Promise<T> {
    const watch = await WorkerWatch.begin(link.connection, link.debuggers);
    try {
      const result = await start();
      await watch.started(extensionId, this.signal).catch(() => undefined);
      return result;
    } finally {
      await watch.dispose();
    }
  }

  async #use(read: (link: BrowserLink) => Promise<string[]>): Promise<void> {
    if (this.signal.aborted) return;
    const calls = await withLink(this.window, this.browser, read).catch(() => []);
    for (const call of calls) this.#calls.add(call);
  }
}
