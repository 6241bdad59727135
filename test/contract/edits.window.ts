import { FolderPackers, type FolderWatch } from '../../src/archive/packers';
import { BrowserConnections } from '../../src/push/browsers';
import type { PushOutcome } from '../../src/push/outcome';
import { push } from '../../src/push/push';
import { DeliveryQueue } from '../../src/push/queue';
import { QUIET_MS } from '../../src/push/quiet';
import type { ServiceClient } from '../../src/service/client';
import type { Logger } from '../../src/service/log';
import type { BrowserSession } from '../../src/service/model';
import type { Project, State } from './edits.project';

/** How a push ended, and what was saved while it ran: first what lay there at its beginning. */
export interface Report {
  end: PushOutcome | { outcome: 'failed'; error: unknown };
  states: readonly State[];
  session: BrowserSession;
}

const IDLE_MS = 60_000;

/** A window of the editor that pushes a project on save, as far as the push is concerned. */
export class EditorWindow {
  readonly #browsers = new BrowserConnections(() => IDLE_MS);
  // A watcher that has settled; what it does not tell would be found out after a second.
  readonly #packers = new FolderPackers({ times: { settleMs: 0, checkAfterMs: 1000, lateMs: 500 } });
  readonly #watch: FolderWatch;
  #queue = new DeliveryQueue<void>();
  #runningDigest: string | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #idle: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: ServiceClient,
    private readonly project: Project,
    public session: BrowserSession,
    /** Told of every push at its end; the next one waits for it. */
    private readonly onReport: (report: Report) => Promise<void>,
    /** Told of what goes on, for people who look for the cause of a failure. */
    private readonly note: (line: string) => void,
  ) {
    this.#watch = this.#packers.watch(project.folder);
  }

  /** Some files were saved. */
  saved(paths: readonly string[]): void {
    this.#watch.changed(paths);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      this.#idle = this.#queue.add(() => this.#run());
    }, QUIET_MS);
  }

  /** Resolves when all that was saved has been pushed, or has failed to be. */
  async rest(): Promise<void> {
    while (this.#quiet !== undefined || this.#queue.isBusy) {
      if (this.#quiet === undefined) await this.#idle;
      else await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  }

  /** Goes on with another browser. */
  use(session: BrowserSession): void {
    this.session = session;
    this.#queue = new DeliveryQueue<void>();
    this.#runningDigest = undefined;
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    this.#browsers.dispose();
    this.#packers.dispose();
  }

  async #run(): Promise<void> {
    const { session } = this;
    const count = this.project.count;
    this.note('push');
    const end = await this.#push(session).catch((error: unknown) => ({ outcome: 'failed' as const, error }));
    if ('digest' in end) this.#runningDigest = end.digest;
    else if (end.outcome !== 'cancelled') this.#runningDigest = undefined;
    this.note(`push ended: ${end.outcome}`);
    await this.onReport({ end, states: this.project.since(count), session });
  }

  #push(session: BrowserSession): Promise<PushOutcome> {
    return push({
      service: this.client,
      session,
      browsers: this.#browsers,
      packers: this.#packers,
      delivery: 'auto',
      tabs: 'all',
      isLocal: true,
      folder: this.project.folder,
      folderName: 'edits',
      exclude: [],
      include: [],
      unchangedDigest: this.#runningDigest,
      confirmRestart: () => Promise.resolve(true),
      log: this.#log(),
      onStep: (step) => {
        this.note(`step ${step.step}`);
      },
    });
  }

  #log(): Logger {
    const { note } = this;
    return { error: note, warn: note, info: note, debug: note, trace: note };
  }
}
