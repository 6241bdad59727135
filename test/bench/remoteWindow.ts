import { join } from 'node:path';
import { BrowserConsole } from '../../src/console/browserConsole';
import { ConsoleFeed } from '../../src/console/consoleFeed';
import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import { DevTools } from '../contract/devtools';
import { atEnd } from '../support/cleanup';
import { within } from '../support/within';
import { SlowNetwork, type NetworkOptions } from '../standins/slowNetwork';
import type { Beacon } from './beacon';
import { hostOf } from './consoleLine';
import type { Bench } from './context';
import type { BenchService } from './localService';
import { PushWindow } from './pushWindow';
import { Subject, type Script } from './subject';
import { attachToWorker } from './workerTarget';
import { addressOf } from '../support/devToolsAddress';

/** Moments of a push that a save has caused, in milliseconds since the save. */
export interface PushTimes {
  /** The save, in the milliseconds of `performance.now()`. */
  readonly started: number;
  /** The new code has run its first statement. */
  readonly ran: number;
  /** The push has ended, and the user reads how. */
  readonly ended: number;
}

const REQUEST = { headless: true, timeoutSeconds: 3600 };

/** What goes on after the end of a push is over when no bytes have passed for so long, in milliseconds. */
const SETTLED_MS = 60;

/** How long traffic may last until it is over, in milliseconds. */
const SETTLE_LIMIT_MS = 30_000;

/** How long a console may take until it has replayed a line, in milliseconds. */
const REPLAY_LIMIT_MS = 20_000;

/** What a window is prepared for. */
export interface WindowOptions {
  /** Tells its files and builds from those of other windows. */
  name: string;
  /** Milliseconds that a round trip takes. */
  roundTripMs: number;
  onBytes?: NetworkOptions['onBytes'];
}

/** A window of the editor with a service that is so many milliseconds away, and one extension in a browser of it. */
export class RemoteWindow {
  readonly client: ServiceClient;
  readonly #window: PushWindow;
  /** The browser with the pushed extension, once there is one. */
  #browser: Promise<Browser> | undefined;
  /** The worker has written a line for the console, and does not fall asleep, which would delete the line. */
  #logged: Promise<void> | undefined;
  /** The address in the tab that is in front. */
  #front = '';

  private constructor(
    readonly network: SlowNetwork,
    readonly subject: Subject,
    private readonly service: BenchService,
    private readonly beacon: Beacon,
    private readonly roundTripMs: number,
  ) {
    this.client = service.clientAt(network.baseUrl);
    this.#window = new PushWindow(this.client, false);
  }

  static async open(bench: Bench, { name, roundTripMs, onBytes }: WindowOptions): Promise<RemoteWindow> {
    const [service, beacon] = [await bench.service(), await bench.beacon()];
    const network = await SlowNetwork.start(service.baseUrl, {
      upMs: roundTripMs / 2,
      downMs: roundTripMs / 2,
      ...(onBytes && { onBytes }),
    });
    atEnd('the slow network', () => network.close());
    const subject = await Subject.create(join(bench.root, 'windows', name), name, beacon);
    return new RemoteWindow(network, subject, service, beacon, roundTripMs);
  }

  /** The browser that later pushes go to: created and pushed to when it is first needed. */
  browser(): Promise<Browser> {
    this.#browser ??= this.#begin();
    return this.#browser;
  }

  /** A DevTools connection to that browser, past the network. */
  async connectPast(): Promise<DevTools> {
    const { id } = await this.browser();
    return await DevTools.connect((await this.service.client.getBrowser(id)).devToolsUrl);
  }

  /** Saves a script and pushes it. A content script is looked at in a tab, a script of a page in the page. */
  async save(script: Script): Promise<PushTimes> {
    await this.#show(script);
    const expected = script === 'page' ? 'pages' : 'reload';
    return this.#pushSaved(() => this.subject.save(script), expected);
  }

  /** Saves worker and manifest, and pushes them. */
  saveManifest(): Promise<PushTimes> {
    return this.#pushSaved(() => this.subject.saveManifest(), 'load');
  }

  /** Creates a browser and deletes it. Milliseconds until it is there. */
  async create(): Promise<number> {
    const started = performance.now();
    const { id } = await this.client.createBrowser(REQUEST);
    const took = performance.now() - started;
    await this.service.client.deleteBrowser(id);
    return took;
  }

  /** Pushes to a browser that was created just now, since the push began: as to other services, which restart it for that. */
  async firstPush(): Promise<PushTimes> {
    const browser = { ...(await this.client.createBrowser(REQUEST)), restartOptional: false };
    const window = new PushWindow(this.client, false);
    try {
      await this.settled();
      const build = await this.subject.saveWorker();
      return await this.#times(build, () => window.push(browser, this.subject.folder, 'load'));
    } finally {
      window.dispose();
      await this.service.client.deleteBrowser(browser.id);
    }
  }

  /** Opens the console of the browser. Milliseconds until it has the first line that the worker wrote before, which is replayed. */
  async openConsole(): Promise<number> {
    const browser = await this.browser();
    await (this.#logged ??= this.#logInWorker());
    await this.settled();
    const started = performance.now();
    let onLine: (value: unknown) => void = () => undefined;
    const written = new Promise((resolve) => (onLine = resolve));
    const opened = await BrowserConsole.open(addressOf(browser), hostOf(this.subject, new ConsoleFeed(onLine)));
    try {
      await within('the console replays the line that the worker has written', REPLAY_LIMIT_MS, written);
      return performance.now() - started;
    } finally {
      opened.close();
    }
  }

  /**
   * Writes one line past the network, which later consoles replay, too. Chromium forgets it when the worker falls asleep, after 30 s, and a
   * round of all cases takes longer: the DevTools session with the worker stays, and keeps it awake.
   */
  async #logInWorker(): Promise<void> {
    const devtools = await this.connectPast();
    atEnd('the connection that keeps a worker awake', () => Promise.resolve(devtools.close()));
    const worker = await attachToWorker(devtools, this.subject.id);
    await worker.evaluate("console.log('for the console')");
  }

  async #begin(): Promise<Browser> {
    const browser = await this.client.createBrowser(REQUEST);
    await this.#window.push(browser, this.subject.folder, 'load');
    return browser;
  }

  async #pushSaved(save: () => Promise<string>, expected: string): Promise<PushTimes> {
    const browser = await this.browser();
    await this.settled();
    return await this.#times(save, () => this.#window.pushSaved(browser, this.subject.folder, expected));
  }

  async #times(saved: string | (() => Promise<string>), push: () => Promise<void>): Promise<PushTimes> {
    const started = performance.now();
    const build = typeof saved === 'string' ? saved : await saved();
    const ending = push().then(() => performance.now());
    const [ran, ended] = await Promise.all([this.beacon.called(build), ending]);
    await this.settled();
    return { started, ran: ran - started, ended: ended - started };
  }

  /** Resolves when nothing more goes over the network. */
  settled(): Promise<void> {
    return this.network.quiet(SETTLED_MS + this.roundTripMs, SETTLE_LIMIT_MS);
  }

  /** Puts the tab in front in which a script is looked at, past the network. */
  async #show(script: Script): Promise<void> {
    const { beacon } = this;
    const url = script === 'page' ? `chrome-extension://${this.subject.id}/popup.html` : `${beacon.origin}/site`;
    if (url === this.#front) return;
    const devtools = await this.connectPast();
    try {
      await devtools.result('Target.createTarget', { url });
      this.#front = url;
    } finally {
      devtools.close();
    }
  }
}
