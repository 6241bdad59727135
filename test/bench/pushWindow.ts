import { setTimeout as delay } from 'node:timers/promises';
import type { Relay } from '../../src/debugger/relay';
import type { HiddenTargets } from '../../src/devtools/protocol/hiddenTargets';
import { TestEngine } from '../support/testEngine';
import { QUIET_MS } from '../../src/push/turns/quiet';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { atEnd } from '../support/cleanup';
import { USUAL_ORDER } from '../support/usualOrder';

/** Longer than a run of the bench: the connection is kept, as between two saves in an editor. */
const IDLE_MS = 600_000;

/** A little more than a watcher needs until it is trusted, in milliseconds. */
const WATCH_SETTLE_MS = 5500;

/** A window of the editor, as far as pushes are concerned: it pushes as the editor does. */
export class PushWindow {
  readonly #engine = new TestEngine({ log: silentLogger, idleMs: () => IDLE_MS });

  constructor(
    private readonly client: ServiceClient,
    /** Whether the browsers run on this machine. */
    private readonly isLocal: boolean,
  ) {
    atEnd('the connections to browsers', () => Promise.resolve(this.#engine.dispose()));
  }

  /** Pushes a folder of which a file was saved just now; rejects when the push ends otherwise than with the `expected` reload. */
  async pushSaved(browser: Browser, folder: string, expected: string): Promise<void> {
    await Promise.all([delay(QUIET_MS), this.#askFor(browser)]);
    await this.push(browser, folder, expected);
  }

  /** Pushes a folder that a build has written, once its end was noticed; rejects as `pushSaved` does. */
  async pushBuilt(browser: Browser, folder: string, expected: string): Promise<void> {
    await this.#askFor(browser);
    await this.push(browser, folder, expected);
  }

  /** Watches a folder as the editor does; resolves, when the watcher is trusted, to what is called with the paths that were saved. */
  async watch(folder: string): Promise<(paths: Iterable<string>) => void> {
    const { changed, dispose } = this.#engine.watch(folder);
    atEnd('a watch', () => Promise.resolve(dispose()));
    await delay(WATCH_SETTLE_MS);
    return changed;
  }

  /** Whether all files that the manifest in a folder names are there. */
  isComplete(folder: string): Promise<boolean> {
    return this.#engine.isComplete(folder, { exclude: [], include: [] });
  }

  /** Pushes a folder; rejects when the push ends otherwise than with the `expected` reload. */
  async push(browser: Browser, folder: string, expected: string): Promise<void> {
    await this.#run([browser], folder, expected, false);
  }

  /** Pushes a folder to several browsers at once; rejects when the push ends otherwise in one of them than with the `expected` reload. */
  async pushToAll(browsers: readonly Browser[], folder: string, expected: string): Promise<void> {
    await this.#run(browsers, folder, expected, false);
  }

  /** Pushes a folder in whatever way the browser needs; rejects when the extension does not run after that. */
  async pushAnyhow(browser: Browser, folder: string): Promise<void> {
    await this.#run([browser], folder, undefined, false);
  }

  /** Reloads an extension that was pushed, whether its folder has changed or not; rejects when it does not run after that. */
  async reload(browser: Browser, folder: string): Promise<void> {
    await this.#run([browser], folder, 'reload', true);
  }

  /** Tells pushes to a browser of a debugger, as long as its session lasts. */
  addDebugger(browser: Browser, relay: Relay): void {
    const debuggers = this.#engine.connections.of(this.client).debuggersOf(browser);
    const remove = debuggers.add(relay);
    relay.events.on('pause', () => {
      debuggers.changed();
    });
    relay.events.once('end', remove);
  }

  /** The hidden pages that pushes open in a browser. */
  hiddenOf(browser: Browser): HiddenTargets {
    return this.#engine.connections.of(this.client).hiddenOf(browser);
  }

  /** Closes the connections to browsers. */
  dispose(): void {
    this.#engine.dispose();
  }

  /** The editor asks whether its target is still there, unless a connection would tell. */
  async #askFor({ id }: Browser): Promise<void> {
    if (!this.#engine.connections.of(this.client).isOpen(id)) await this.client.getBrowser(id);
  }

  async #run(
    browsers: readonly Browser[],
    folder: string,
    expected: string | undefined,
    mustReload: boolean,
  ): Promise<void> {
    const outcomes = await this.#engine.push({
      ...USUAL_ORDER,
      service: this.client,
      browsers,
      isLocal: this.isLocal,
      folder,
      mustReload,
    });
    for (const { outcome } of outcomes) {
      if (outcome.kind === 'running' && (expected === undefined || outcome.reload === expected)) continue;
      const error = outcome.kind === 'failed' ? String(outcome.error) : JSON.stringify(outcome);
      throw new Error(`the push ended otherwise than expected: ${error}`);
    }
    if (outcomes.length < browsers.length) throw new Error('the push has no outcome in some of the browsers');
  }
}
