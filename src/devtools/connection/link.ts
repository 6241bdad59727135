import { type Clock, inTime } from '../../base/clock';
import type { DevToolsAddress } from '../../service/devToolsAddress';
import {
  changeConfiguration,
  countLoads,
  loadsOf,
  reloadExtension,
  setExtensionEnabled,
  switchOnDeveloperMode,
} from '../inPage/extensionsPageCalls';
import { attach } from '../protocol/attach';
import {
  connectDevTools,
  isClosed,
  onDisconnected,
  realWiring,
  type CDPSession,
  type Connection,
  type ConnectionWiring,
  type Protocol,
} from '../protocol/connect';
import { ErrorReports, type ErrorReport, type ExtensionError, type WatchOptions } from '../errors/errorReports';
import type { ErrorTrace } from '../errors/errorTrace';
import { ErrorTraces } from '../errors/errorTraces';
import { extensionOf } from '../protocol/extensionUrl';
import { type Answer, evaluate, type Expression } from '../protocol/evaluate';
import { listExtensions, type LoadedExtension, loadUnpacked, uninstall } from '../protocol/loadedExtensions';
import { LoadRefusedError } from '../protocol/loadRefused';
import { openAttachedHiddenTarget, openHiddenTarget } from '../protocol/hiddenTargets';
import { callOf } from '../protocol/pageCall';
import { KeptProcesses, type ProcessKeeper } from './keptProcesses';
import { ServiceWorkers, type WorkerError } from '../workers/serviceWorkers';
import { type OpenTargets, Targets } from '../protocol/targets';
import { WorkerDebuggers } from '../workers/workerDebuggers';
import { isWatched } from '../workers/workers';

/** How long chrome://extensions may take until its script interface is there, in milliseconds, without the time in which it does not answer. */
const PAGE_LIMIT_MS = 5000;

/**
 * How long that page may not answer at all, in milliseconds: on a machine with no core to spare its process was seen to take 15 s. Whoever asks for
 * the page waits no longer than `WAIT_LIMIT_MS`; what it reports is there as soon as it answers.
 */
const SILENT_LIMIT_MS = 120_000;
const WAIT_LIMIT_MS = 10_000;

/** How long Chromium may take to answer a reload, in milliseconds (C-TIME-RELOAD). */
const RELOAD_LIMIT_MS = 5000;

/** Pause between two polls for that interface, in milliseconds. */
const PAGE_POLL_MS = 5;

/** How long that page may take to answer one, in milliseconds (C-TIME-EVALUATE), before it is asked again: a question can be lost. */
const PAGE_ANSWER_MS = 1000;

/**
 * A page with that interface, which all pages of chrome://extensions have: one of their scripts, shown as text. Unlike the extensions page
 * it draws no list of extensions, neither when it opens nor after each event.
 */
const SCRIPT_PAGE = 'chrome://extensions/strings.m.js';

/** The extensions page, for a browser that has no such script. */
const EXTENSIONS_PAGE = 'chrome://extensions';

/** The function by which the page reports that an extension was loaded, unloaded, installed or removed. */
const CHANGED = 'extensionsChanged';

/** What a connection reports by itself. */
export interface LinkEvents {
  /** The browser has ended or restarted, or the connection broke; not called after `close`. */
  onLost?: () => void;
  /** An extension was loaded, unloaded, installed or removed, by whomever. */
  onExtensions?: () => void;
  /** Pages were opened, closed or navigated; called again when they should have their titles, but not after `close`. */
  onPages?: () => void;
  /** The worker of an extension has started or stopped, or was added or removed. */
  onWorker?: (extensionId: string) => void;
  /** Errors of a watched extension are new, or have occurred again. */
  onErrors?: (report: ErrorReport) => void;
  /** An error in the worker of any extension; errors of watched ones are reported by `onErrors`, too, but without the column. */
  onWorkerError?: (error: WorkerError) => void;
}

/** The hidden page of chrome://extensions on a connection, and what it reports. */
interface ExtensionsPage {
  session: CDPSession;
  errors: ErrorReports;
  workers: ServiceWorkers;
}

/**
 * A DevTools connection that is kept over several pushes, with a hidden page of chrome://extensions on it, from which a reload takes the shortest
 * time (C-RELOAD-FAST). The page is no tab and goes with the connection.
 */
export class BrowserLink {
  /** The page, in Developer mode. */
  #session: Promise<CDPSession | undefined> | undefined;
  #page: Promise<ExtensionsPage | undefined> | undefined;
  /** The extensions whose errors are reported. */
  readonly #watched = new Set<string>();
  /** Those of which it is still to be found out what has occurred before this connection. */
  readonly #again = new Set<string>();
  #traces: Promise<ErrorTraces | undefined> | undefined;
  #isOpen = true;
  readonly targets: OpenTargets;
  readonly processes: ProcessKeeper;

  private constructor(
    readonly connection: Connection,
    private readonly events: LinkEvents,
    /** The debuggers that are attached to workers of the browser, over connections of their own. */
    readonly debuggers: WorkerDebuggers,
    /** The time for limits and polls. */
    readonly clock: Clock,
    /** Opens the connection of the error traces. */
    private readonly openTraces: (onTrace: (trace: ErrorTrace) => void) => Promise<ErrorTraces>,
  ) {
    const onPages = (): void => {
      if (this.#isOpen) events.onPages?.();
    };
    this.targets = new Targets(connection, onPages, undefined, clock);
    this.processes = new KeptProcesses(connection, clock);
    onDisconnected(connection, () => {
      if (this.#isOpen) events.onLost?.();
      this.#isOpen = false;
      this.#closeTraces();
    });
  }

  /** @throws DevToolsError */
  static async open(
    address: DevToolsAddress,
    events: LinkEvents = {},
    signal?: AbortSignal,
    debuggers = new WorkerDebuggers(),
    wiring: ConnectionWiring = realWiring,
  ): Promise<BrowserLink> {
    const connection = await connectDevTools(address, signal, undefined, wiring.open);
    return new BrowserLink(connection, events, debuggers, wiring.clock, (onTrace) =>
      ErrorTraces.open(address, onTrace, wiring),
    );
  }

  /** False once the browser has restarted or ended, or `close` was called. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** See {@link listExtensions}. */
  extensions(): Promise<LoadedExtension[]> {
    return listExtensions(this.connection);
  }

  /** See {@link loadUnpacked}. */
  loadFolder(path: string): Promise<string> {
    return loadUnpacked(this.connection, path);
  }

  /** See {@link uninstall}. */
  uninstall(id: string): Promise<void> {
    return uninstall(this.connection, id);
  }

  /**
   * Switches Developer mode on, and has the browser report errors, workers and loads. Resolves to false where the browser does not allow it, or has no
   * such page.
   */
  async prepare(): Promise<boolean> {
    return (await this.#extensionsPage()) !== undefined;
  }

  /**
   * The first step of `prepare`, which goes on: switches Developer mode on. While it is off, an extension that reloads itself is disabled for good, as by
   * a development build (C-RELOAD-DEVELOPER-MODE). Resolves to false where the browser does not allow it.
   */
  async developerMode(): Promise<boolean> {
    void this.#openedPage();
    return (await inTime(this.#openedSession(), WAIT_LIMIT_MS, this.clock)) !== undefined;
  }

  /**
   * Reloads the extension `id` from its folder; only for an enabled one with an unchanged manifest. Resolves to false where the
   * browser does not support it or does not do it.
   * @throws LoadRefusedError when Chromium refuses the files in the folder: the extension is then disabled (C-LOAD-REFUSED).
   */
  async reload(id: string): Promise<boolean> {
    const page = (await this.#extensionsPage())?.session;
    if (!page) return false;
    await this.debuggers.release(id);
    // The extension may have been disabled just now (C-RELOAD-DISABLED).
    const answer = await evaluate(page, callOf(reloadExtension, id, RELOAD_LIMIT_MS));
    if (typeof answer === 'string') throw new LoadRefusedError(answer);
    return answer === true;
  }

  /** Enables or disables the extension `id`. Resolves to false where the browser does not support it. */
  async setEnabled(id: string, enabled: boolean): Promise<boolean> {
    return (await this.evaluateOnExtensionsPage(callOf(setExtensionEnabled, id, enabled))) === true;
  }

  /**
   * How many times the extension `id` was loaded since this connection opened its page, by whomever; undefined where the browser
   * does not report it.
   */
  async loads(id: string): Promise<number | undefined> {
    const count = await this.evaluateOnExtensionsPage(callOf(loadsOf, id));
    return typeof count === 'number' ? count : undefined;
  }

  /**
   * Evaluates in the hidden page, which has `chrome.developerPrivate` and `chrome.management`, and resolves to its value, promises
   * awaited; undefined where the browser has no such page. Rejects when it throws.
   */
  async evaluateOnExtensionsPage<E extends Expression>(call: E): Promise<Answer<E> | undefined> {
    const page = await this.#extensionsPage();
    return page && (await evaluate(page.session, call));
  }

  /** Shows the icon of the extension `id` in the toolbar, where the browser supports that. */
  async pin(id: string): Promise<void> {
    await this.evaluateOnExtensionsPage(callOf(changeConfiguration, { extensionId: id, pinnedToToolbar: true }));
  }

  /** Reports the errors of the extension `id` from now on, also after a pause; see {@link ErrorReports.watch}. */
  async watchErrors(id: string, options: WatchOptions): Promise<void> {
    this.#watched.add(id);
    if (options.isPushed) this.#again.delete(id);
    else this.#again.add(id);
    // Begun before the first report, which waits for the traces and has those until then.
    const tracing = this.events.onErrors && this.#openTraces();
    await this.#askPage((errors) => errors.watch(id, options));
    await tracing;
  }

  /** Pauses all reports of errors for a reload of the extension `id`, until `watchErrors` is called; see {@link ErrorReports.pause}. */
  async pauseErrors(id: string): Promise<void> {
    this.#again.delete(id);
    void this.#traces?.then((traces) => traces?.forget(id));
    await this.#askPage((errors) => errors.pause(id));
  }

  /**
   * Asks the page to report, or to pause. What waits for the page goes to it in the order of the calls, also when that is after the time that a caller
   * waits: a pause after the `watch` that ends it would take the errors of the new build.
   */
  async #askPage(ask: (errors: ErrorReports) => Promise<void>): Promise<void> {
    const asking = this.#openedPage().then((page) => page && ask(page.errors));
    await inTime(asking, WAIT_LIMIT_MS, this.clock);
  }

  /** The workers of all extensions; undefined where the browser does not report them. */
  async workers(): Promise<ServiceWorkers | undefined> {
    return (await this.#extensionsPage())?.workers;
  }

  /** As `workers`, but only where something else has opened what reports them. */
  async knownWorkers(): Promise<ServiceWorkers | undefined> {
    return this.#page && (await this.workers());
  }

  /** Closes the connection, so that the browser can go to standby. */
  close(): void {
    this.#isOpen = false;
    this.#closeTraces();
    this.connection.dispose();
  }

  /** Never rejects: without traces, errors have the places that Chromium's list has. */
  async #openTraces(): Promise<ErrorTraces | undefined> {
    this.#traces ??= this.openTraces((trace) => {
      const { extensionId } = trace;
      if (!this.#watched.has(extensionId)) return;
      this.events.onErrors?.({ extensionId, isFirst: false, errors: [], traces: [trace] });
    }).catch(() => undefined);
    const traces = await this.#traces;
    if (!this.#isOpen) traces?.close();
    return traces;
  }

  #closeTraces(): void {
    void this.#traces?.then((traces) => traces?.close());
  }

  async #onReport(report: ErrorReport): Promise<void> {
    const traces = await this.#traces;
    const { extensionId, isFirst, isOfPages = false, errors } = report;
    const isOfAll = isFirst && !isOfPages;
    const isAgain = isOfAll && this.#again.has(extensionId);
    this.events.onErrors?.({ ...report, isAgain, traces: isOfAll ? (traces?.since(extensionId) ?? []) : [] });
    if (isAgain || errors.some(isInexact)) await traces?.inspectWorkers(extensionId);
    if (isAgain) this.#reportEarlier(extensionId, traces);
  }

  /** Reports what workers have thrown, perhaps before Chromium recorded it: at a restart, it starts them before anybody is connected. */
  #reportEarlier(extensionId: string, traces: ErrorTraces | undefined): void {
    // A push that has begun meanwhile has made that obsolete.
    if (!this.#again.delete(extensionId)) return;
    const earlier = (traces?.since(extensionId) ?? [])
      .filter(({ isWorker, isWarning }) => isWorker && !isWarning)
      .map((trace) => ({ ...trace, isListed: 'unsure' as const }));
    if (earlier.length > 0) this.events.onErrors?.({ extensionId, isFirst: false, errors: [], traces: earlier });
  }

  /** The page; undefined where there is none, or it does not answer now. */
  #extensionsPage(): Promise<ExtensionsPage | undefined> {
    return inTime(this.#openedPage(), WAIT_LIMIT_MS, this.clock);
  }

  #openedPage(): Promise<ExtensionsPage | undefined> {
    this.#page ??= this.#openPage().catch(() => undefined);
    return this.#page;
  }

  #openedSession(): Promise<CDPSession | undefined> {
    this.#session ??= this.#openSession().catch(() => undefined);
    return this.#session;
  }

  async #openSession(): Promise<CDPSession | undefined> {
    const { targetId, early } = isWatched(this.connection)
      ? { targetId: await openHiddenTarget(this.connection, SCRIPT_PAGE), early: undefined }
      : await openAttachedHiddenTarget(this.connection, SCRIPT_PAGE);
    const [page, first] = await Promise.all([
      attach(this.connection, targetId),
      early && developerModeBy(early, this.clock),
    ]);
    if (!page) return undefined;
    void early?.detach().catch(() => undefined);
    let state = first ?? (await developerModeBy(page, this.clock));
    if (state === 'none') {
      await page.send('Page.navigate', { url: EXTENSIONS_PAGE });
      state = await developerModeBy(page, this.clock);
    }
    if (state !== 'on') return undefined;
    this.#endWith(targetId);
    return page;
  }

  /** Ends the connection with a page that it cannot be without: whoever needs it connects again, and opens another. */
  #endWith(page: string): void {
    const onEnd = ({ targetId }: { targetId: string }): void => {
      if (targetId === page) this.connection.dispose();
    };
    this.connection.on('Target.targetCrashed', onEnd);
    this.connection.on('Target.targetDestroyed', onEnd);
  }

  async #openPage(): Promise<ExtensionsPage | undefined> {
    const page = await this.#openedSession();
    if (!page) return undefined;
    page.on('Runtime.bindingCalled', ({ name }: Protocol.Runtime.BindingCalledEvent) => {
      if (name === CHANGED) this.events.onExtensions?.();
    });
    const { events } = this;
    const onWorker = (id: string): void => events.onWorker?.(id);
    const onError = (error: WorkerError): void => events.onWorkerError?.(error);
    const onReport = (report: ErrorReport): void => void this.#onReport(report);
    const [errors, workers] = await Promise.all([
      ErrorReports.begin(page, onReport),
      ServiceWorkers.begin(page, { onWorker, onError }),
      page.send('Runtime.addBinding', { name: CHANGED }),
      evaluate(page, callOf(countLoads, CHANGED)),
    ]);
    return { session: page, errors, workers };
  }
}

/** Whether the place of a worker's error is not known to the column, which its inspector knows. */
function isInexact({ isWorker, isOfManifest, frames }: ExtensionError): boolean {
  return isWorker && !isOfManifest && !frames.some(({ url, column }) => column !== undefined && extensionOf(url));
}

/**
 * Switches Developer mode on as soon as a page has the script interface of the extensions page, in one question: over a long line each takes a trip.
 * `none` when the page has been loaded without, or takes too long.
 */
async function developerModeBy(page: CDPSession, clock: Clock): Promise<'on' | 'refused' | 'none'> {
  const left = { answering: PAGE_LIMIT_MS, silent: SILENT_LIMIT_MS };
  while (left.answering > 0 && left.silent > 0) {
    const asked = clock.now();
    const asking = evaluate(page, callOf(switchOnDeveloperMode)).catch((error: unknown) =>
      isClosed(error) ? 'none' : 'loading',
    );
    const state = await inTime(asking, PAGE_ANSWER_MS, clock);
    if (state !== undefined && state !== 'loading') return state;
    await clock.delay(PAGE_POLL_MS);
    left[state === undefined ? 'silent' : 'answering'] -= clock.now() - asked;
  }
  return 'none';
}
