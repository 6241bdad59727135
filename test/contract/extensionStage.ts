import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { HiddenPage } from '../../src/devtools/protocol/hiddenPage';
import { findWorker } from '../../src/devtools/extensions/inject';
import { listExtensionPages } from '../../src/devtools/pages/tabs';
import { BrowserLink, type LinkEvents } from '../../src/devtools/connection/link';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { TestService } from './service';
import { addressOf } from '../support/devToolsAddress';
import { eventually } from '../support/eventually';

/** How long a worker may take to run its script, in milliseconds. */
const WORKER_LIMIT_MS = 10_000;

/** A browser of a local service for a whole suite, with Sideload's connection to it; extensions are loaded from folders of their own. */
export class ExtensionStage {
  readonly #folders: string[] = [];

  private constructor(
    public link: BrowserLink,
    readonly browserId: string,
    readonly service: TestService,
    readonly client: ServiceClient,
  ) {}

  static async start(events: LinkEvents = {}): Promise<ExtensionStage> {
    const service = await TestService.start();
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.baseUrl),
      token: service.token,
      log: silentLogger,
    });
    const { id, devToolsUrl } = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const link = await BrowserLink.open(addressOf({ devToolsUrl }), events);
    await link.prepare();
    return new ExtensionStage(link, id, service, client);
  }

  /** Connects to the browser after it has restarted. */
  async connectAgain(): Promise<BrowserLink> {
    const { devToolsUrl } = await this.client.getBrowser(this.browserId);
    this.link = await BrowserLink.open(addressOf({ devToolsUrl }));
    await this.link.prepare();
    return this.link;
  }

  /** Loads an extension with these keys in its manifest, and this service worker, from a new folder or again; resolves to its id and folder. */
  async load(
    keys: object,
    worker = '',
    folder?: string,
    files: Record<string, string> = {},
  ): Promise<{ id: string; path: string }> {
    const path = folder ?? (await mkdtemp(join(tmpdir(), 'sideload-extension-')));
    if (folder === undefined) this.#folders.push(path);
    const manifest = {
      manifest_version: 3,
      name: 'Stage',
      version: '1.0',
      background: { service_worker: 'worker.js' },
      ...keys,
    };
    await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(path, 'worker.js'), worker);
    for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
    return { id: await loadUnpacked(this.link.connection, path), path };
  }

  /** A hidden page of an extension; it ends with the browser. */
  async page(id: string): Promise<HiddenPage> {
    const page = await HiddenPage.open(this.link.connection, id);
    if (!page) throw new Error(`${id} is not loaded`);
    return page;
  }

  /** The value of an expression in the worker of an extension, which is woken if it sleeps, and attached to for it. */
  async inWorker(id: string, expression: string): Promise<unknown> {
    const worker = (await findWorker(this.link.connection, id)) ?? (await this.#wake(id));
    if (!worker) throw new Error(`no worker of ${id} runs`);
    try {
      return await evaluate(worker, expression);
    } finally {
      await worker.detach();
    }
  }

  /** Waits until the worker of an extension has run so far that it has this global function: `load` resolves before that. */
  async untilDefined(id: string, name: string): Promise<void> {
    const isDefined = async (): Promise<boolean> =>
      (await this.inWorker(id, `typeof globalThis.${name}`)) === 'function';
    await eventually(`the worker has ${name}`, isDefined, WORKER_LIMIT_MS);
  }

  /** A worker sleeps after 30 s without work, which a busy machine takes for a test before. */
  async #wake(id: string): ReturnType<typeof findWorker> {
    await (await this.link.workers())?.start(id);
    return await findWorker(this.link.connection, id);
  }

  /** Closes the pages of an extension, such as its popup. */
  async closePages(id: string): Promise<void> {
    for (const page of await listExtensionPages(this.link, id)) {
      await this.link.connection.send('Target.closeTarget', { targetId: page.targetId }).catch(() => undefined);
    }
  }

  async end(): Promise<void> {
    this.link.close();
    await this.client.deleteBrowser(this.browserId);
    await this.client.close();
    await this.service.stop();
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
