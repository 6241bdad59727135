import { join } from 'node:path';
import { BrowserConsole } from '../../src/console/browserConsole';
import { ConsoleFeed } from '../../src/console/consoleFeed';
import type { ConsoleHost } from '../../src/console/consoleTarget';
import { SourceLocations } from '../../src/console/sourceLocations';
import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import { DevTools, type Target } from '../contract/devtools';
import { atEnd } from '../support/cleanup';
import { PushWindow } from './pushWindow';
import type { Subject } from './subject';
import { attachToWorker } from './workerTarget';
import { addressOf } from '../support/devToolsAddress';

/** How long a line may take, in milliseconds. */
const LIMIT_MS = 10_000;

/** The console of a browser, as the editor has it, up to the lines that are handed to its channel. */
export class ConsoleLines {
  #count = 0;
  #onLine: (text: string) => void = () => undefined;

  private constructor(private readonly worker: Target) {}

  static async prepare(client: ServiceClient, subject: Subject): Promise<ConsoleLines> {
    const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    await new PushWindow(client, true).push(browser, subject.folder, 'load');
    const lines = new ConsoleLines(await workerOf(browser, subject.id));
    const feed = new ConsoleFeed(({ text }) => {
      lines.#onLine(text);
    });
    feed.useLocations(new SourceLocations(subject.id, { folder: subject.folder, root: join(subject.folder, '..') }));
    const opened = await BrowserConsole.open(addressOf(browser), hostOf(subject, feed));
    atEnd('the console', () => {
      opened.close();
      return Promise.resolve();
    });
    return lines;
  }

  /** Milliseconds from a `console.log` in the worker to the line, the way of the call to the browser included. */
  async line(): Promise<number> {
    this.#count += 1;
    const wanted = `line ${this.#count} `;
    const started = performance.now();
    const written = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${wanted} is not written`)), LIMIT_MS);
      this.#onLine = (text) => {
        if (!text.startsWith(wanted)) return;
        clearTimeout(timer);
        resolve(performance.now() - started);
      };
    });
    await this.worker.evaluate(`console.log('line', ${this.#count}, { at: 'the bench' })`);
    return await written;
  }
}

/** The part of a console that lines are pushed to. */
export function hostOf({ id }: Subject, feed: ConsoleFeed): ConsoleHost {
  return {
    extensionId: id,
    pageName: () => undefined,
    push: (message) => {
      feed.push(message);
    },
    addDropped: (count) => {
      feed.addDropped(count);
    },
    shown: new Map(),
  };
}

async function workerOf(browser: Browser, id: string): Promise<Target> {
  const devtools = await DevTools.connect(browser.devToolsUrl);
  atEnd('the connection to the worker', () => {
    devtools.close();
    return Promise.resolve();
  });
  return await attachToWorker(devtools, id);
}
