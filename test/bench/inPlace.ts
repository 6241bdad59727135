import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import type { Beacon } from './beacon';
import { PushWindow } from './pushWindow';
import type { Subject } from './subject';

/** Pushes as the editor does them after a save. */
export class InPlace {
  /** Called with the paths that were saved, where the folder is watched. */
  #changed: (paths: Iterable<string>) => void = () => undefined;

  private constructor(
    private readonly window: PushWindow,
    readonly browser: Browser,
    private readonly subject: Subject,
    private readonly beacon: Beacon,
  ) {}

  /** Creates a browser and pushes to it for the first time, so that every later push is one in place. */
  static async prepare(client: ServiceClient, subject: Subject, beacon: Beacon): Promise<InPlace> {
    const browser = await client.createBrowser({ headless: true, timeoutSeconds: 3600 });
    const window = new PushWindow(client, true);
    await window.push(browser, subject.folder, 'load');
    return new InPlace(window, browser, subject, beacon);
  }

  /** Watches the folder from now on, as the editor does where each save is pushed: a push reads only what was saved. */
  async watch(): Promise<void> {
    this.#changed = await this.window.watch(this.subject.folder);
  }

  /** Milliseconds from the save of the worker's file to the first statement of the new worker. */
  worker(): Promise<number> {
    return this.#sample(() => this.subject.saveWorker(), 'reload');
  }

  /** The same when the manifest was saved, too. */
  manifest(): Promise<number> {
    return this.#sample(() => this.subject.saveManifest(), 'load');
  }

  /** Closes the connections to the browser. */
  dispose(): void {
    this.window.dispose();
  }

  async #sample(save: () => Promise<string>, expected: 'reload' | 'load'): Promise<number> {
    const saved = performance.now();
    const build = await save();
    this.#changed(this.subject.files);
    const pushing = this.window.pushSaved(this.browser, this.subject.folder, expected);
    const [called] = await Promise.all([this.beacon.called(build), pushing]);
    return called - saved;
  }
}
