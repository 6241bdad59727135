import { chromium, type Browser } from 'playwright-core';
import type { LocalService } from '../support/localService';

/** Longest time until the worker of a pushed extension is seen, in milliseconds. */
const WORKER_LIMIT_MS = 30_000;

/** Polling interval, in milliseconds. */
const LOOK_MS = 100;

/** An extension as the browser itself lists it. */
export interface LoadedExtension {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly enabled: boolean;
}

/** A DevTools connection to a browser of the local service, independent of Sideload. */
export interface Witness {
  /** The extensions that are loaded from folders. */
  extensions(): Promise<LoadedExtension[]>;
  /**
   * The value of a global variable in the service worker of an extension, as JSON. One that has gone to sleep, as workers do after 30 s
   * without an event, is started again. Rejects with a sentence when none comes.
   */
  workerGlobal(extensionId: string, name: string): Promise<unknown>;
  /** The value of an expression there, promises awaited. */
  inWorker(extensionId: string, expression: string): Promise<unknown>;
  /** Loads a folder of this machine without Sideload; returns the id. */
  loadCopy(folder: string): Promise<string>;
  /** Opens a page in a new tab, as somebody who uses the browser. */
  openPage(address: string): Promise<void>;
  /** The value of an expression in the first page whose address begins so. */
  inPage(address: string, expression: string): Promise<unknown>;
  /** The addresses of the open pages. */
  pages(): string[];
  /** The addresses of all targets of DevTools, hidden pages included. */
  targets(): Promise<string[]>;
  /** The types of the targets of DevTools whose address ends so. */
  typesAt(address: string): Promise<string[]>;
  /** Uninstalls an extension. */
  uninstall(extensionId: string): Promise<void>;
  close(): Promise<void>;
}

/** Connects to the browser with this name. Rejects when the service has none. */
export async function witnessOf(service: LocalService, browserName: string): Promise<Witness> {
  const answer = await fetch(new URL('browsers', `${service.baseUrl}/`), {
    headers: { authorization: `Bearer ${service.token}` },
  });
  if (!answer.ok) throw new Error(`The local service answered ${answer.status} when it was asked for its browsers.`);
  const address = addressOf(await answer.json(), browserName);
  if (address === undefined) throw new Error(`The local service has no running browser "${browserName}".`);
  const browser = await chromium.connectOverCDP(address);
  const session = await browser.newBrowserCDPSession();
  // The protocol types of Playwright do not have the domain of extensions yet.
  const send = session.send.bind(session) as (method: string, params?: object) => Promise<unknown>;
  const inWorker = async (extensionId: string, expression: string): Promise<unknown> => {
    const end = performance.now() + WORKER_LIMIT_MS;
    for (;;) {
      const workers = browser.contexts().flatMap((context) => context.serviceWorkers());
      const worker = workers.find((one) => one.url().startsWith(`chrome-extension://${extensionId}/`));
      if (worker) return worker.evaluate<unknown>(expression);
      if (performance.now() > end) throw new Error(`No service worker of ${extensionId} runs in ${browserName}.`);
      await startWorker(browser, extensionId);
      await new Promise((settle) => setTimeout(settle, LOOK_MS));
    }
  };
  return {
    inWorker,
    async extensions() {
      return loadedExtensions(await send('Extensions.getExtensions'));
    },
    async loadCopy(folder) {
      const answer = await send('Extensions.loadUnpacked', { path: folder });
      if (typeof answer !== 'object' || answer === null || !('id' in answer)) throw new Error('No id was answered.');
      return String(answer.id);
    },
    workerGlobal: (extensionId, name) => inWorker(extensionId, `globalThis[${JSON.stringify(name)}]`),
    async openPage(address) {
      const [context] = browser.contexts();
      await (await context?.newPage())?.goto(address);
    },
    async inPage(address, expression) {
      const pages = browser.contexts().flatMap((context) => context.pages());
      const page = pages.find((one) => one.url().startsWith(address));
      if (!page) throw new Error(`No page of ${address} is open in ${browserName}.`);
      return page.evaluate<unknown>(expression);
    },
    pages() {
      return browser.contexts().flatMap((context) => context.pages().map((page) => page.url()));
    },
    async targets() {
      const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'tab', exclude: true }, {}] });
      return targetInfos.map(({ url }) => url);
    },
    async typesAt(address) {
      // Also popups have a target of the type `tab`.
      const { targetInfos } = await session.send('Target.getTargets', { filter: [{ type: 'tab', exclude: true }, {}] });
      return targetInfos.flatMap(({ type, url }) => (url.endsWith(address) ? [type] : []));
    },
    async uninstall(extensionId) {
      await send('Extensions.uninstall', { id: extensionId });
    },
    // Ends the connection, not the browser.
    close: () => browser.close(),
  };
}

/** Starts the worker of an extension, if it has one that does not run. */
async function startWorker(browser: Browser, extensionId: string): Promise<void> {
  const [page] = browser.contexts().flatMap((context) => context.pages());
  if (!page) return;
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.startWorker', { scopeURL: `chrome-extension://${extensionId}/` });
  } finally {
    await session.detach();
  }
}

function addressOf(sessions: unknown, name: string): string | undefined {
  for (const session of Array.isArray(sessions) ? (sessions as readonly unknown[]) : []) {
    if (typeof session !== 'object' || session === null || !('name' in session) || session.name !== name) continue;
    if ('cdp_ws_url' in session && typeof session.cdp_ws_url === 'string') return session.cdp_ws_url;
  }
  return undefined;
}

function loadedExtensions(answer: unknown): LoadedExtension[] {
  if (typeof answer !== 'object' || answer === null || !('extensions' in answer) || !Array.isArray(answer.extensions)) {
    throw new Error('The browser answered Extensions.getExtensions with something else than a list.');
  }
  return (answer.extensions as readonly unknown[]).flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return [];
    if (!('id' in entry) || !('name' in entry) || !('version' in entry) || !('enabled' in entry)) return [];
    const { id, name, version, enabled } = entry;
    if (typeof id !== 'string' || typeof name !== 'string' || typeof version !== 'string') return [];
    return [{ id, name, version, enabled: enabled === true }];
  });
}
