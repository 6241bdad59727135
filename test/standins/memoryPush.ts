import { DevToolsError } from '../../src/devtools/protocol/connect';
import { BrowserConnections, type BrowserEvents } from '../../src/devtools/connection/browserConnections';
import { KnownBrowsers } from '../../src/push/known/knownBrowsers';
import type { Logger } from '../../src/service/logger';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { TestClock } from '../support/testClock';
import type { Build } from '../transcripts/build';
import { REPLAYED } from '../transcripts/replayScenario';
import { type How, ScenarioRun, told } from '../transcripts/scenario';
import { MemoryChromium } from './memoryChromium';
import { MemoryService, type ServiceFault } from './memoryService';

/** Pushes to a Chromium and a service in memory, with a clock of their own. */
export class MemoryPush {
  readonly clock = new TestClock();
  readonly service = new MemoryService(this.clock);
  readonly chromium = new MemoryChromium(this.service);
  readonly browsers: BrowserConnections;
  readonly run: ScenarioRun;
  /** Whether Chromium shows a dialog that keeps DevTools closed. */
  isBlocked = false;
  /** Warnings and news, as they were logged. */
  readonly logged: string[] = [];

  constructor(faults: readonly ServiceFault[] = [], events: BrowserEvents = {}) {
    this.service.faults.push(...faults);
    this.service.onRestart = () => {
      this.chromium.lose();
      for (const folder of this.service.names()) this.chromium.load(`${EXTENSIONS_ROOT}/${folder}`);
      return Promise.resolve();
    };
    const open = (): Promise<MemoryChromium> =>
      this.isBlocked ? Promise.reject(new DevToolsError('no answer')) : Promise.resolve(this.chromium);
    this.browsers = new BrowserConnections(this.service.baseUrl, () => Infinity, events, {
      open,
      clock: this.clock,
    });
    this.run = new ScenarioRun({
      service: this.service,
      browser: REPLAYED,
      connections: this.browsers,
      known: new KnownBrowsers(this.browsers),
      log: this.#log(),
      act: () => Promise.reject(new Error('There are no acts here.')),
      settle: () => this.settle(),
    });
  }

  /** Pushes a build, and resolves to the outcome as `told` tells it, or to the error. */
  async push(build: Build, how: How = {}, signal?: AbortSignal): Promise<string> {
    return await this.wait(
      this.run
        .push(build, how, signal)
        .then(told, (error: unknown) => `rejected: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  /** Waits for something, for which the clock moves. */
  async wait<T>(work: Promise<T>): Promise<T> {
    return await this.clock.run(work, () => this.service.isBusy);
  }

  /** Resolves when neither the browser nor the service has anything more to do. */
  async settle(): Promise<void> {
    do await this.clock.idle();
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
