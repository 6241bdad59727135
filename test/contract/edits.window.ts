import { setTimeout as delay } from 'node:timers/promises';
import type { FolderWatch } from '../../src/archive/packers';
import { TestEngine } from '../support/testEngine';
import { QUIET_MS } from '../../src/push/turns/quiet';
import type { PushOutcome } from '../../src/push/pushRun';
import type { ServiceClient } from '../../src/service/client';
import type { Browser } from '../../src/service/model';
import type { Project, State } from './edits.project';

/** How a push ended, and what was saved while it ran: first what lay there at its beginning. */
export interface Report {
  outcome: PushOutcome;
  states: readonly State[];
  browser: Browser;
  /** When it was asked for, in the milliseconds of `performance.now()`. */
  begun: number;
}

const IDLE_MS = 60_000;

/** A window of the editor that pushes a project on save, as far as the push is concerned. */
export class EditorWindow {
  readonly #engine: TestEngine;
  readonly #watch: FolderWatch;
  #quiet: NodeJS.Timeout | undefined;
  #pushes = 0;

  constructor(
    private readonly client: ServiceClient,
    private readonly project: Project,
    public browser: Browser,
    /** Told of every push at its end; the next one waits for it. */
    private readonly onReport: (report: Report) => Promise<void>,
    /** Told of what goes on, for people who look for the cause of a failure. */
    private readonly note: (line: string) => void,
  ) {
    this.#engine = new TestEngine({
      log: { error: note, warn: note, info: note, debug: note, trace: note },
      idleMs: () => IDLE_MS,
      // The watcher has settled; a change that it does not report is found after a second.
      watchTimes: { settleMs: 0, checkAfterMs: 1000, lateMs: 500 },
    });
    this.#watch = this.#engine.watch(project.folder);
  }

  /** Some files were saved. */
  saved(paths: readonly string[]): void {
    this.#watch.changed(paths);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
      void this.#push();
    }, QUIET_MS);
  }

  /** Resolves when all that was saved has been pushed, or has failed to be. */
  async rest(): Promise<void> {
    while (this.#quiet !== undefined || this.#pushes > 0) await delay(QUIET_MS);
  }

  /** Continues with another browser. */
  use(browser: Browser): void {
    this.browser = browser;
  }

  dispose(): void {
    clearTimeout(this.#quiet);
    this.#engine.dispose();
  }

  async #push(): Promise<void> {
    const { browser } = this;
    const begun = performance.now();
    /** How many states there were when it began to read the folder. */
    let count: number | undefined;
    this.#pushes += 1;
    try {
      await this.#engine.push({
        service: this.client,
        browsers: [browser],
        delivery: 'auto',
        tabs: 'all',
        isLocal: true,
        folder: this.project.folder,
        folderName: 'edits',
        exclude: [],
        include: [],
        skipUnchanged: true,
        confirmRestart: () => Promise.resolve('restart' as const),
        onEnd: async ({ outcome }) => {
          this.note(`push ended: ${outcome.kind}`);
          await this.onReport({ outcome, states: this.project.since(count ?? this.project.count), browser, begun });
        },
        onStep: ({ step }) => {
          // A push may have waited for its turn: what it delivers is what is on disk from its check on.
          if (step === 'checking') count ??= this.project.count;
          this.note(`step ${step}`);
        },
      });
    } finally {
      this.#pushes -= 1;
    }
  }
}
