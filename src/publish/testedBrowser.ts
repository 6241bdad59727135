import * as l10n from '@vscode/l10n';
import { errorOfFault, withoutFaults } from '../console/buildErrors';
import { ExtensionErrors, WorkerLocations, type PartError } from '../console/extensionErrors';
import { inTime } from '../base/clock';
import { only } from '../base/only';
import { type BrowserConnections, ServiceConnections } from '../devtools/connection/browserConnections';
import type { BrowserLink } from '../devtools/connection/link';
import { noteInstalls } from '../devtools/workers/workers';
import { PushEngine } from '../push/engine';
import type { KnownOutcome } from '../push/outcome';
import type { PushBrowsers } from '../push/pushBrowsers';
import type { PushService } from '../push/pushService';
import type { PushSettings } from '../push/pushRun';
import { OtherPrograms } from '../push/turns/otherPrograms';
import type { Logger } from '../service/logger';
import type { Browser, CreateBrowserRequest } from '../service/model';
import type { CheckedVersion } from './comparedVersions';
import { notLoaded, type TestedVersion } from './refusedVersion';
import { messageOf } from './updateStep';

/** How long a browser of a test lives without use, in seconds, should nobody be there to end it. */
const TIMEOUT_SECONDS = 900;

/** How long Chromium may take to list the errors of an extension, and how long their exact locations are waited for then, in milliseconds. */
const ERRORS_LIMIT_MS = 20_000;
const LOCATIONS_MS = 500;

/** What a test needs of a service: browsers, and what a push needs. */
export interface UpdateService extends PushService {
  createBrowser: (request: CreateBrowserRequest, signal?: AbortSignal) => Promise<Browser>;
  deleteBrowser: (id: string, signal?: AbortSignal) => Promise<void>;
}

/** How builds are pushed to the browser of a test. */
export interface TestedBrowserOptions {
  service: UpdateService;
  log: Logger;
  /** Whether the browsers of the service run on this machine. */
  isLocal: boolean;
  settings: PushSettings;
  /** What is added to the options of the browser. */
  browser: CreateBrowserRequest;
}

/** How a push has ended that has loaded a build. */
export type LoadedOutcome = Extract<KnownOutcome, { kind: 'running' | 'workerFailed' }>;

/** A browser that was started for a test, with connections and pushes of its own. End it. */
export class TestedBrowser {
  readonly #connections: ServiceConnections;
  readonly #engine: PushEngine;
  readonly #locations = new WorkerLocations();
  #errors: ExtensionErrors | undefined;
  #faults: readonly PartError[] = [];
  /** Called when the errors are listed. */
  #onListed = (): void => undefined;

  private constructor(
    private readonly options: TestedBrowserOptions,
    private readonly browser: Browser,
  ) {
    this.#connections = new ServiceConnections({
      idleMs: () => Infinity,
      eventsOf: () => ({
        onWorkerError: (_browser, error) => this.#locations.note(error),
        onErrors: (_browser, report) => {
          this.#errors ??= new ExtensionErrors(report.extensionId);
          this.#errors.add(report, this.#locations);
          if (report.isFirst) this.#onListed();
        },
      }),
    });
    const { log, service } = options;
    const connections = withoutErrors(this.#connections.of(service));
    this.#engine = new PushEngine({
      log,
      connections: { of: () => connections },
      otherPrograms: new OtherPrograms(log),
    });
  }

  /** Starts a browser. Rejects with an error of the service, or the signal's reason: then there is none. */
  static async start(options: TestedBrowserOptions, signal?: AbortSignal): Promise<TestedBrowser> {
    signal?.throwIfAborted();
    // Without the signal: a service goes on starting a browser whose answer nobody waits for, and nobody would end it.
    const browser = await options.service.createBrowser({ timeoutSeconds: TIMEOUT_SECONDS, ...options.browser });
    const tested = new TestedBrowser(options, browser);
    if (signal?.aborted) await tested.end();
    signal?.throwIfAborted();
    return tested;
  }

  /** Runs `act` with the connection to it. */
  use<T>(act: (link: BrowserLink) => Promise<T>): Promise<T> {
    return this.#connections.of(this.options.service).use(this.browser, act);
  }

  /**
   * Pushes the build of a version in place of the previous one of the same folder name, and resolves to its outcome.
   * @throws Error with a sentence for people when it was not loaded
   */
  async push(
    version: TestedVersion,
    { folder, check, lists }: CheckedVersion,
    { key, folderName }: { key: string | undefined; folderName: string },
    signal?: AbortSignal,
  ): Promise<LoadedOutcome> {
    const { service, isLocal, settings } = this.options;
    await this.use(({ connection }) => {
      noteInstalls(connection);
      return Promise.resolve();
    });
    this.#errors = undefined;
    const order = {
      ...settings,
      ...lists,
      service,
      isLocal,
      folder,
      checked: check,
      folderName,
      browsers: [this.browser],
      skipUnchanged: false,
      mustReload: true,
      ...(key !== undefined && { key }),
      // A restart would end what is tested.
      confirmRestart: (_browser: Browser, canAvoid: boolean) =>
        Promise.resolve(canAvoid ? ('inPlace' as const) : ('restart' as const)),
      onStep: () => undefined,
    };
    const { outcome } = only(await this.#engine.push(order, signal));
    signal?.throwIfAborted();
    if (outcome.kind === 'failed') throw new Error(messageOf(outcome.error), { cause: outcome.error });
    if (outcome.kind !== 'running' && outcome.kind !== 'workerFailed') {
      throw new Error(notLoaded(version, outcome, this.browser.name ?? this.browser.id));
    }
    this.#faults = outcome.kind === 'workerFailed' ? outcome.faults.map(errorOfFault) : [];
    return outcome;
  }

  /** Packs a folder in the background, whose path is absolute, so that its push finds its files compressed. */
  packAhead(folder: string): void {
    const { isLocal, settings } = this.options;
    this.#engine.ahead(folder, { ...settings, isLocal });
  }

  /**
   * Has the errors of the extension since its last push listed, and those that come from then on: `errors` has them.
   * @throws Error with a sentence for people when Chromium does not list them
   */
  async listErrors(extensionId: string): Promise<void> {
    const { clock } = this.#connections.of(this.options.service);
    const listed = new Promise<boolean>((resolve) => {
      this.#onListed = (): void => resolve(true);
    });
    await this.use((link) => link.watchErrors(extensionId, { isPushed: true }));
    if (!(await inTime(listed, ERRORS_LIMIT_MS, clock))) {
      throw new Error(
        l10n.t('Chromium has not listed the errors of the extension within {0} s.', ERRORS_LIMIT_MS / 1000),
      );
    }
  }

  /** The errors that are listed, when those that were found last have had time for their exact locations. */
  async errors(signal?: AbortSignal): Promise<readonly PartError[]> {
    const { clock } = this.#connections.of(this.options.service);
    if (this.#errors && this.#errors.all.length > 0) await clock.delay(LOCATIONS_MS, { signal });
    return [...this.#faults, ...withoutFaults(this.#errors?.all ?? [], this.#faults)];
  }

  /** Ends the browser and closes its connections. Never rejects. */
  async end(): Promise<void> {
    const { service, log } = this.options;
    this.#engine.dispose();
    this.#connections.dispose();
    await service.deleteBrowser(this.browser.id).catch((error: unknown) => {
      log.warn(`The browser of the update test could not be ended: ${messageOf(error)}`);
    });
  }
}

/**
 * Connections of pushes after which nobody listens for errors: Chromium would describe the whole extension with each page that opens or closes
 * (C-RELOAD-EVENTS), which takes more than a second where it has hundreds of content scripts. It keeps the errors until they are read.
 */
function withoutErrors(connections: BrowserConnections): PushBrowsers {
  const { clock, wiring } = connections;
  return {
    clock,
    wiring,
    use: (browser, act, signal) => connections.use(browser, act, signal),
    last: (browser) => connections.last(browser),
    reopenWhenLost: (browser) => connections.reopenWhenLost(browser),
    watchErrors: () => undefined,
  };
}
