import { BrowserConnections, type BrowserEvents } from '../../src/devtools/connection/browserConnections';
import { KnownBrowsers } from '../../src/push/known/knownBrowsers';
import type { Logger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { MemoryService, type ServiceFault } from '../standins/memoryService';
import { TestClock } from '../support/testClock';
import { Replay } from './replay';
import { actName, type Scenario, ScenarioRun, told } from './scenario';
import { readTranscript } from './stored';
import type { Transcript } from './transcript';

/** The browser of a replay. */
export const REPLAYED: Browser = {
  id: 'replayed',
  createdAt: '2026-05-01T12:00:00Z',
  devToolsUrl: 'wss://browser.test/',
  webDriverUrl: '',
  headless: true,
  stealth: false,
  timeoutSeconds: 60,
};

export interface ReplayedOptions {
  /** See {@link Replay}. */
  seed?: number;
  /** See {@link Replay}. */
  isLoose?: boolean;
  /** Changes what Chromium says. */
  edit?: (transcript: Transcript) => Transcript;
  faults?: readonly ServiceFault[];
  events?: BrowserEvents;
}

/** A push, or a few, over a replayed browser and a service in memory, with a clock of their own. */
export class ReplayedBrowser {
  readonly clock = new TestClock();
  readonly service = new MemoryService(this.clock);
  readonly replay: Replay;
  readonly browsers: BrowserConnections;
  readonly run: ScenarioRun;
  /** Warnings and news, as they were logged. */
  readonly logged: string[] = [];

  constructor(
    private readonly scenario: Scenario,
    { seed, isLoose = false, edit = (transcript) => transcript, faults = [], events = {} }: ReplayedOptions = {},
  ) {
    this.replay = new Replay(edit(readTranscript(scenario.name)), { isLoose, ...(seed !== undefined && { seed }) });
    this.service.faults.push(...faults);
    this.service.onRestart = async () => {
      this.replay.mark('restart');
      await this.replay.idle();
    };
    const wiring = { open: this.replay.opener(), clock: this.clock };
    this.browsers = new BrowserConnections(this.service.baseUrl, () => Infinity, events, wiring);
    this.run = new ScenarioRun({
      service: this.service,
      browser: REPLAYED,
      connections: this.browsers,
      known: new KnownBrowsers(this.browsers),
      log: this.#log(),
      act: (act) => {
        this.replay.mark(actName(act));
        return Promise.resolve();
      },
      settle: () => this.settle(),
    });
  }

  /** The outcomes of the scenario's pushes, as {@link told}. Rejects when a push does, or waits in vain. */
  async play(act = this.scenario.run): Promise<string[]> {
    await this.wait(act(this.run));
    return this.run.outcomes.map(told);
  }

  /** Waits for something, for which the clock moves. */
  async wait<T>(work: Promise<T>): Promise<T> {
    return await this.clock.run(work, () => this.replay.isBusy || this.service.isBusy);
  }

  /** Resolves when neither the browser nor the service has anything more to do. */
  async settle(): Promise<void> {
    do await this.replay.idle();
    while (this.service.isBusy);
  }

  /** Ends the connections. */
  end(): void {
    this.browsers.dispose();
  }

  #log(): Logger {
    const note = (text: string): void => {
      this.logged.push(text);
    };
    return { error: note, warn: note, info: note, debug: () => undefined, trace: () => undefined };
  }
}
