import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Browser } from '../../src/service/model';
import { DevTools } from './devtools';
import { eventually } from '../support/eventually';

/** What a browser says that it runs, by its workers and by the content script in a page that was opened for it. */
export interface Said {
  /** One for each worker that answers, as `worker, library, version`. */
  workers: string[];
  /** `undefined` when no content script ran. */
  content: string | undefined;
}

/** How long a page may take to be shown, and then to answer, in milliseconds. */
const PAGE_LIMIT_MS = 10_000;

/** What a worker says of itself; one without these names is a stranger's, or has thrown. */
const ASK_WORKER =
  '[globalThis.WORKER, globalThis.LIBRARY, globalThis.chrome?.runtime?.getManifest?.().version].join(", ")';

const ASK_PAGE = `new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', () => resolve());
}).then(() => document.documentElement.dataset.content)`;

/** How what a worker says begins before its first statement. */
const NOT_STARTED = ', , ';

/** How long a worker may take to start, in milliseconds. */
const START_LIMIT_MS = 10_000;

/**
 * What the workers say once there is one and all have started: Chromium may end a worker soon after its own restart, and start it again. One
 * that never starts is among them.
 */
async function startedWorkers(devtools: DevTools): Promise<string[]> {
  let workers: string[] = [];
  const haveStarted = async (): Promise<boolean> => {
    // One that does not answer in time is asked again.
    workers = (await devtools.askWorkers(ASK_WORKER).catch(() => [])).map(String);
    return workers.length > 0 && !workers.some((said) => said.startsWith(NOT_STARTED));
  };
  await eventually('all workers have started', haveStarted, START_LIMIT_MS).catch(() => undefined);
  return workers;
}

/** Looks at browsers over DevTools connections of its own, which know nothing of pushes. */
export class Observer {
  private constructor(private readonly site: Server) {}

  /** Begins to serve the page in which content scripts are looked at. */
  static async create(): Promise<Observer> {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>site</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return new Observer(site);
  }

  close(): void {
    this.site.closeAllConnections();
    this.site.close();
  }

  /** Waits until a browser that may be restarting can be asked, at most so many milliseconds; a rejection has the reason of the last try. */
  async whenAnswered(browser: Browser, limitMs: number): Promise<void> {
    let failure: unknown;
    const isAnswered = (): Promise<boolean> =>
      this.ask(browser).then(
        () => true,
        (error: unknown) => {
          failure = error;
          return false;
        },
      );
    await eventually(() => `the browser can be asked: ${inspect(failure)}`, isAnswered, limitMs);
  }

  /** Asks a browser; rejects when it cannot be reached or does not answer. */
  async ask(browser: Browser): Promise<Said> {
    const devtools = await DevTools.connect(browser.devToolsUrl);
    try {
      return { workers: await startedWorkers(devtools), content: await this.#askPage(devtools) };
    } finally {
      devtools.close();
    }
  }

  async #askPage(devtools: DevTools): Promise<string | undefined> {
    const { port } = this.site.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const { targetId } = await devtools.result('Target.createTarget', { url, background: true });
    try {
      const page = await devtools.attachTo(String(targetId));
      // A page that has only been asked for still is the empty one before.
      const isShown = async (): Promise<boolean> => (await page.evaluate('location.href')) === url;
      await eventually('the page is shown', isShown, PAGE_LIMIT_MS);
      const content = await page.evaluate(ASK_PAGE, PAGE_LIMIT_MS);
      return typeof content === 'string' ? content : undefined;
    } finally {
      await devtools.result('Target.closeTarget', { targetId }).catch(() => undefined);
    }
  }
}
