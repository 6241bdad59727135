import { setTimeout as delay } from 'node:timers/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserSession } from '../../src/service/model';
import { DevTools } from './devtools';

/** What a browser says that it runs, by its workers and by the content script in a page that was opened for it. */
export interface Said {
  /** One for each worker that answers, as `worker, library, version`. */
  workers: string[];
  /** `undefined` when no content script ran. */
  content: string | undefined;
}

/** How long a worker or a page may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 2000;

/** What a worker says of itself; one without these names is a stranger's, or has thrown. */
const ASK_WORKER =
  '[globalThis.WORKER, globalThis.LIBRARY, globalThis.chrome?.runtime?.getManifest?.().version].join(", ")';

const ASK_PAGE = `new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else addEventListener('load', () => resolve());
}).then(() => document.documentElement.dataset.content)`;

/** Looks at browsers over DevTools connections of its own, which know nothing of pushes. */
export class Witness {
  private constructor(private readonly site: Server) {}

  /** Begins to serve the page in which content scripts are looked at. */
  static async create(): Promise<Witness> {
    const site = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>site</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    return new Witness(site);
  }

  close(): void {
    this.site.closeAllConnections();
    this.site.close();
  }

  /** Asks a browser; rejects when it cannot be reached or does not answer. */
  async ask(session: BrowserSession): Promise<Said> {
    const devtools = await DevTools.connect(session.cdp_ws_url);
    try {
      const workers = await devtools.attachAll('service_worker');
      const answers = await Promise.allSettled(workers.map((worker) => soon(worker.evaluate(ASK_WORKER))));
      return {
        workers: answers.flatMap((answer) => (answer.status === 'fulfilled' ? [String(answer.value)] : [])),
        content: await soon(this.#askPage(devtools)),
      };
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
      while ((await page.evaluate('location.href')) !== url) await delay(5);
      const content = await page.evaluate(ASK_PAGE);
      return typeof content === 'string' ? content : undefined;
    } finally {
      await devtools.result('Target.closeTarget', { targetId }).catch(() => undefined);
    }
  }
}

async function soon<T>(answer: Promise<T>): Promise<T> {
  const limit = new AbortController();
  try {
    const late = delay(ANSWER_LIMIT_MS, undefined, { signal: limit.signal }).then(() =>
      Promise.reject(new Error(`no answer within ${ANSWER_LIMIT_MS} ms`)),
    );
    return await Promise.race([answer, late]);
  } finally {
    limit.abort();
  }
}
