import { setTimeout as delay } from 'node:timers/promises';
import { PushEngine } from '../../src/push/engine';
import { QUIET_MS } from '../../src/push/quiet';
import type { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/log';
import type { BrowserSession } from '../../src/service/model';
import { atEnd } from '../support/cleanup';
import type { Beacon } from './beacon';
import type { Subject } from './subject';

/** Longer than a run of the bench: the connection is kept, as between two saves in an editor. */
const IDLE_MS = 600_000;

/** Pushes as the editor does them after a save. */
export class InPlace {
  readonly #engine = new PushEngine({ log: silentLogger, idleMs: () => IDLE_MS });

  private constructor(
    private readonly client: ServiceClient,
    private readonly session: BrowserSession,
    private readonly subject: Subject,
    private readonly beacon: Beacon,
  ) {
    atEnd('the connection to the browser', () => Promise.resolve(this.#engine.dispose()));
  }

  /** Creates a browser and pushes to it for the first time, so that every later push is one in place. */
  static async prepare(client: ServiceClient, subject: Subject, beacon: Beacon): Promise<InPlace> {
    const session = await client.createBrowser({ headless: true, timeout_seconds: 3600 });
    const inPlace = new InPlace(client, session, subject, beacon);
    await inPlace.#push('load');
    return inPlace;
  }

  /** Milliseconds from the save of the worker's file to the first statement of the new worker. */
  worker(): Promise<number> {
    return this.#sample(() => this.subject.saveWorker(), 'reload');
  }

  /** The same when the manifest was saved, too. */
  manifest(): Promise<number> {
    return this.#sample(() => this.subject.saveManifest(), 'load');
  }

  async #sample(save: () => Promise<string>, expected: 'reload' | 'load'): Promise<number> {
    const saved = performance.now();
    const build = await save();
    // Meanwhile the editor asks whether its target is still there.
    await Promise.all([delay(QUIET_MS), this.client.getBrowser(this.session.session_id)]);
    const [called] = await Promise.all([this.beacon.called(build), this.#push(expected)]);
    return called - saved;
  }

  async #push(expected: 'reload' | 'load'): Promise<void> {
    const [browserEnd] = await this.#engine.push({
      service: this.client,
      sessions: [this.session],
      tabs: 'visible',
      delivery: 'auto',
      isLocal: true,
      folder: this.subject.folder,
      folderName: '',
      exclude: [],
      include: [],
      skipUnchanged: false,
      confirmRestart: () => Promise.resolve('restart' as const),
      onStep: () => undefined,
    });
    if (browserEnd?.end.outcome !== 'running' || browserEnd.end.reload !== expected) {
      throw new Error(`the push ended otherwise than expected: ${JSON.stringify(browserEnd?.end)}`);
    }
  }
}
