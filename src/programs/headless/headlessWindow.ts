import type { BuildFolders } from '../../console/errorSpots';
import type { PartError } from '../../console/extensionErrors';
import { ReportedErrors } from '../../console/reportedErrors';
import { isWithin } from '../../base/disk';
import { only } from '../../base/only';
import {
  type BrowserConnections,
  type BrowserEvents,
  ServiceConnections,
} from '../../devtools/connection/browserConnections';
import { newFolder } from '../../bridge/socketMessages';
import { LocalhostBridges } from '../../bridge/localhostBridges';
import { MessageGate } from '../../bridge/messageGate';
import { PushEngine } from '../../push/engine';
import { isServedBy, type LocalhostGrant, type LocalhostUse } from '../../push/localhost';
import { browserKey } from '../../service/browserKey';
import { type PastDelivery, OtherPrograms } from '../../push/turns/otherPrograms';
import type { PushStep } from '../../push/outcome';
import type { BrowserOutcome, PushOrder, PushSettings } from '../../push/pushRun';
import { restartRule } from '../../push/restartRule';
import type { BrowserService } from '../../service/browserService';
import type { Logger } from '../../service/logger';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser, CreateBrowserRequest } from '../../service/model';
import { errorText } from '../../agents/errorText';
import { browserName } from '../../agents/namedBrowsers';
import { LOCAL_VIEWPORT } from './localViewport';
import type { ToolWindow } from '../../agents/tool';

/** How long a connection of agents to a browser elsewhere is kept after its last use, in milliseconds: the default of the editor's setting. */
const IDLE_MS = 120_000;

export interface HeadlessOptions {
  /** The folders that tools may read, absolute. */
  roots: readonly string[];
  /** Whether the browsers of the service run on this machine. */
  isLocal: boolean;
  /** Connects to the service when it is first needed, and when it is needed again after `onLost` was called, because it has ended. */
  connect: (onLost: () => void) => Promise<BrowserService>;
  /** Called when the window no longer uses the service. */
  release?: () => void;
  log: Logger;
  /** How folders are packed; by default as the editor does without settings. */
  settings?: Partial<PushSettings>;
  browserDefaults?: CreateBrowserRequest;
  /** Whether agents push here: their extensions get no access to files of a machine that is the user's. */
  isForAgents?: boolean;
  /** Whether agents may see all pages of browsers, files of this machine included. */
  allPages?: boolean;
  /** The ports of this machine that browsers elsewhere may reach. */
  localhost?: readonly number[];
  /** Called with each step of a push, and its folder. */
  onStep?: (step: PushStep, folder: string) => void;
  /** Called when the errors of an extension may have changed. */
  onErrors?: () => void;
}

/** What a push may skip or must do; neither without it. */
type PushDemands = Partial<Pick<PushOrder, 'mustReload' | 'skipUnchanged'>>;

/** What tools act on in a program without an editor. Dispose of it. */
export class HeadlessWindow implements ToolWindow {
  readonly #connections: ServiceConnections;
  readonly #otherPrograms: OtherPrograms;
  readonly #engine: PushEngine;
  readonly #errors: ReportedErrors;
  readonly #builds = new Map<string, BuildFolders>();
  readonly #created = new Map<string, Browser>();
  readonly #bridges: LocalhostBridges;
  /** The ports where nothing listens, of which the person was warned. */
  #silent: readonly number[] = [];
  /** Whether what servers of this machine speak of has arrived in the browser. */
  readonly gate = new MessageGate();
  #client: Promise<BrowserService> | undefined;

  constructor(private readonly options: HeadlessOptions) {
    const events: BrowserEvents = {
      onWorkerError: ({ id }, error) => this.#errors.noteLocation(id, error),
      onErrors: (browser, report) => void this.#errors.add(browser.id, browserName(browser), report),
    };
    const { log, onErrors } = options;
    this.#errors = new ReportedErrors(
      () => onErrors?.(),
      () => '',
    );
    // A browser elsewhere that agents have looked into may go to standby, as in the editor.
    const isKept = options.isLocal || options.isForAgents !== true;
    this.#connections = new ServiceConnections({ idleMs: () => (isKept ? Infinity : IDLE_MS), eventsOf: () => events });
    this.#otherPrograms = new OtherPrograms(log);
    this.#bridges = new LocalhostBridges({
      ...{ log, folder: newFolder() },
      beforeMessage: ({ id }) => this.gate.untilQuiet(id),
    });
    this.#bridges.events.on('change', () => this.#warnOfSilent());
    this.#engine = new PushEngine({ log, connections: this.#connections, otherPrograms: this.#otherPrograms });
  }

  get roots(): readonly string[] {
    return this.options.roots;
  }

  get isLocal(): boolean {
    return this.options.isLocal;
  }

  /** The first of the roots that holds a folder, where its sources are looked for; the folder itself when none does. */
  rootOf(folder: string): string {
    return this.roots.find((root) => isWithin(root, folder)) ?? folder;
  }

  /** The browsers that tools have started here. */
  get created(): readonly Browser[] {
    return [...this.#created.values()];
  }

  client(): Promise<BrowserService> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  /** The connection to the service that `client` has made; another one, or none, once the service has ended. */
  get connecting(): Promise<BrowserService> | undefined {
    return this.#client;
  }

  async connections(): Promise<BrowserConnections> {
    return this.#connections.of(await this.client());
  }

  settingsOf(): PushSettings {
    const usual = {
      exclude: [],
      include: [],
      storeHints: false,
      delivery: 'auto',
      tabs: 'visible',
      folderName: '',
    } as const;
    return { ...usual, ...this.options.settings };
  }

  chosenFolders(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  /** The browsers that were started here, else any. */
  chosenBrowsers(): readonly string[] {
    return [...this.#created.keys()];
  }

  /** The client of a program asks its user itself. */
  isAllowed(): boolean {
    return true;
  }

  maySeeAllPages(): boolean {
    return this.options.allPages ?? false;
  }

  browserDefaults(): CreateBrowserRequest {
    return { ...(this.isLocal && { viewport: LOCAL_VIEWPORT }), ...this.options.browserDefaults };
  }

  onCreated(browser: Browser): Promise<void> {
    this.#created.set(browser.id, browser);
    return Promise.resolve();
  }

  async push(folder: string, browser: Browser, demands: PushDemands, signal?: AbortSignal): Promise<BrowserOutcome> {
    return only(await this.pushSet([folder], browser, demands, signal));
  }

  /** Pushes several folders together, all or none of them. Resolves to an end for each. */
  async pushSet(
    folders: readonly string[],
    browser: Browser,
    demands: PushDemands,
    signal?: AbortSignal,
  ): Promise<BrowserOutcome[]> {
    const service = await this.client();
    const orders = folders.map((folder) => this.#orderOf(service, folder, browser, demands));
    const outcomes = (await this.#engine.pushSet(orders, signal)).flat();
    for (const browserOutcome of outcomes) this.#record(browserOutcome);
    return outcomes;
  }

  /** Whether all files are there that the manifest in a folder names: see {@link PushEngine.isComplete}. */
  isComplete(folder: string, written: readonly string[]): Promise<boolean> {
    return this.#engine.isComplete(folder, this.settingsOf(), written);
  }

  #orderOf(
    service: BrowserService,
    folder: string,
    browser: Browser,
    { mustReload = false, skipUnchanged = false }: PushDemands,
  ): PushOrder {
    const { log, onStep } = this.options;
    const settings = this.settingsOf();
    return {
      ...settings,
      service,
      localhost: { grantFor: (uses) => Promise.resolve(this.#grantFor(service, uses)) },
      isLocal: this.isLocal,
      folder,
      browsers: [browser],
      skipUnchanged,
      mustReload,
      withoutFiles: this.isLocal && (this.options.isForAgents ?? false),
      confirmRestart: ({ id }: Browser, canAvoid: boolean) => {
        const wasStarted = this.#created.has(id);
        const { delivery } = settings;
        const known = { wasStarted, wasPushedTo: false, isInUse: true };
        const says = restartRule({ origin: 'agent', delivery, ...known, canAvoid });
        // There is nobody to ask.
        return Promise.resolve(says === 'ask' ? 'no' : says);
      },
      onStep: (step: PushStep) => {
        if (step.step === 'waiting') log.warn(`Waiting for the push of another program to ${browserName(browser)}.`);
        onStep?.(step, folder);
      },
    };
  }

  /** There is nobody to ask: all that a build needs was allowed before, or nothing is. */
  #grantFor(service: BrowserService, uses: readonly LocalhostUse[]): LocalhostGrant | undefined {
    const { localhost = [] } = this.options;
    return isServedBy(uses, localhost) ? this.#bridges.grant(service, localhost) : undefined;
  }

  build(browserId: string): BuildFolders | undefined {
    return this.#builds.get(browserId);
  }

  builds(browserId: string): readonly BuildFolders[] {
    return this.#errors.buildsIn(browserId);
  }

  async deliveries(browserId: string): Promise<readonly PastDelivery[]> {
    const client = await this.client().catch(() => undefined);
    return client ? await this.#otherPrograms.deliveries(browserKey(client.baseUrl, browserId)) : [];
  }

  async settledDeliveries(browserId: string, signal: AbortSignal): Promise<readonly PastDelivery[]> {
    const client = await this.client().catch(() => undefined);
    if (!client) return [];
    return await this.#otherPrograms.settledDeliveries(browserKey(client.baseUrl, browserId), signal);
  }

  errors({ id }: Browser, extensionId: string): readonly PartError[] {
    return this.#errors.errorsOf(id, extensionId);
  }

  /** Ends the browsers that were started here. Never rejects. */
  async endCreated(): Promise<void> {
    // Where there are none, no service is started for it.
    const client = await this.#client?.catch(() => undefined);
    const ends = this.created.map(async (browser) => {
      this.#created.delete(browser.id);
      await client?.deleteBrowser(browser.id).catch((error: unknown) => {
        if (error instanceof ServiceError && error.kind === 'notFound') return;
        this.options.log.warn(`The browser ${browserName(browser)} could not be ended: ${errorText(error, 'person')}`);
      });
    });
    await Promise.all(ends);
  }

  /** Closes all connections. */
  async dispose(): Promise<void> {
    this.#bridges.closeAll();
    this.#engine.dispose();
    this.#connections.dispose();
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
    this.options.release?.();
  }

  async #connect(): Promise<BrowserService> {
    const isOver = (): void => {
      this.#client = undefined;
      this.#created.clear();
    };
    try {
      return await this.options.connect(isOver);
    } catch (error) {
      isOver();
      throw error;
    }
  }

  /** Says of each server that a browser has asked in vain what to do, once until it listens. */
  #warnOfSilent(): void {
    const silent = this.#bridges.all.flatMap(({ bridge }) => bridge.requests.silent);
    for (const port of silent.filter((one) => !this.#silent.includes(one))) {
      this.options.log.warn(
        `Nothing listens at localhost:${port} on this computer. Start the development server: the browser reaches it from then on.`,
      );
    }
    this.#silent = silent;
  }

  #record({ browser, folder, outcome }: BrowserOutcome): void {
    if (!('extensionId' in outcome)) return;
    const { extensionId } = outcome;
    const build: BuildFolders = {
      folder,
      root: this.rootOf(folder),
      extensionId,
      servers: () => (this.isLocal ? 'any' : (this.options.localhost ?? [])),
    };
    this.#builds.set(browser.id, build);
    const faults = outcome.kind === 'workerFailed' ? outcome.faults : [];
    this.#errors.setBuild(browser.id, browserName(browser), build, faults);
  }
}
