import * as l10n from '@vscode/l10n';
import { basename } from 'node:path';
import { commands, type WorkspaceFolder } from 'vscode';
import { present } from '../../base/fields';
import type { BrowserConnections } from '../../devtools/connection/browserConnections';
import type { ConfirmRestart, DeliveryMode, RestartAnswer } from '../../push/browserDelivery';
import type { PushEngine } from '../../push/engine';
import type { PushStep } from '../../push/outcome';
import type { BrowserOutcome, Copies } from '../../push/pushRun';
import { type PushOrigin, restartRule } from '../../push/restartRule';
import type { Browser } from '../../service/model';
import { CONTEXT } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import { mayBeGone, removeIfGone } from '../browsers/gone';
import type { PushedBuild } from '../../push/known/pushRecords';
import { RefusedError } from '../errorTexts';
import { eachOf, pickExtensionFolder, type ExtensionFolder } from '../folder/extensionFolder';
import { FolderWatches } from '../folder/folderWatches';
import { saveFiles } from '../folder/saveFiles';
import { browserLabel, browsersLabel } from '../lists/labels';
import { withProgress } from '../notify';
import type { ProblemWiring } from '../problems/problemWiring';
import { readFolderSettings } from '../settings';
import { isChosen } from '../targets/target';
import { requireTrust } from '../trust';
import { openAfterPush } from './openAfterPush';
import { mayRemoveCopies, otherCopies } from './otherCopies';
import { outcomeText } from '../../push/outcomeText';
import type { Presence } from './presence';
import type { PushHistory } from './pushHistory';
import type { StatusBar } from './statusBar';
import { PushReport } from './pushReport';
import { amongTogether, recordOf, recordOfSet } from './recordOf';
import { askToRestart, hasBlankTabsOnly } from './restartQuestion';
import { stepLine, stepMessage } from './stepText';

/** What a push uses. */
export interface PusherWiring extends BrowserWiring, ProblemWiring {
  presence: Presence;
  statusBar: StatusBar;
  history: PushHistory;
}

/** A push as it was asked for. */
interface Request {
  extension: ExtensionFolder;
  browsers: readonly Browser[];
  origin: PushOrigin;
  /** Copies of the extension to remove from the browsers first. */
  copies?: Copies;
  /** Whether the extension is reloaded also when none of its files has changed. */
  mustReload?: boolean;
  /** Nobody has asked for a push to just these browsers: one that is no longer chosen when the push has packed the files gets none. */
  isToChosen?: boolean;
}

/** Runs pushes of the workspace: checks trust, saves files, shows progress, Problems entries and a report. */
export class Pusher {
  readonly #report: PushReport;
  /** The last push of each extension folder, by its path, and the key of the service that it went to. */
  readonly #requests = new Map<string, Request & { service: string }>();
  /** The watchers that report changes to the engine, once it is loaded. */
  #watches: FolderWatches | undefined;

  constructor(private readonly wiring: PusherWiring) {
    const { devTools, log } = wiring;
    this.#report = new PushReport(log, (browser) => devTools.current?.debuggersOf(browser));
    const withdraw = (): void => this.#report.withdraw();
    wiring.own(
      { dispose: withdraw },
      wiring.engines.onStale((path) => this.#pushAgain(path)),
      // What was said is about browsers that pushes no longer go to.
      wiring.target.onDidChange(withdraw),
      wiring.pins.onDidChange(withdraw),
      { dispose: () => this.#watches?.dispose() },
    );
  }

  /**
   * Finds the extension for a push that the user asked for, in the workspace folder that the user named if it holds one. Undefined when the
   * user cancels.
   * @throws UserError
   */
  async find(named?: WorkspaceFolder): Promise<ExtensionFolder | undefined> {
    requireTrust();
    return await pickExtensionFolder(this.wiring.context.workspaceState, named);
  }

  /**
   * Saves and checks an extension before anything is started for it.
   * @throws UserError when Chromium would refuse it; the Problems panel then has the entries.
   */
  async check(extension: ExtensionFolder): Promise<void> {
    for (const one of eachOf(extension)) await this.#check(one);
  }

  async #check({ workspaceFolder, path }: ExtensionFolder): Promise<void> {
    await saveFiles(path);
    const { checkInThread } = await import('../../push/prepare/checkThread');
    const { exclude, include, storeHints } = readFolderSettings(workspaceFolder.uri);
    const { findings } = await checkInThread({ folder: path, exclude, include, storeHints });
    this.wiring.diagnostics.show(path, findings);
    if (!findings.some(({ severity }) => severity === 'error')) return;
    throw new RefusedError(outcomeText({ kind: 'refusedByCheck', findings }, ''));
  }

  /**
   * Pushes an extension, and those that are pushed together with it, to all of `browsers` because the user asked for it, and reports the
   * results: those of the extension first.
   * `mustReload`: the extension is reloaded also when none of its files has changed. `signal` cancels, as the user may.
   * @throws UserError, or an error of the service, when no push could begin: the caller reports it.
   */
  async push(
    extension: ExtensionFolder,
    browsers: readonly Browser[],
    { mustReload = false, signal }: { mustReload?: boolean; signal?: AbortSignal } = {},
  ): Promise<readonly BrowserOutcome[]> {
    requireTrust();
    for (const { path } of eachOf(extension)) {
      await saveFiles(path);
      // A build in a terminal may have ended just now, and the file watcher reports late.
      this.#watches?.invalidate(path);
    }
    return await this.#pushVisibly({ extension, browsers, origin: 'command', mustReload }, signal);
  }

  /**
   * Pushes an extension for an agent or a test, which gets the result. About one of an agent no question is asked: the user has allowed it to act there.
   * @throws UserError, or an error of the service, when no push could begin
   */
  async pushFor(
    origin: 'agent' | 'test',
    extension: ExtensionFolder,
    browser: Browser,
    { mustReload }: { mustReload: boolean },
    signal: AbortSignal,
  ): Promise<readonly BrowserOutcome[]> {
    requireTrust();
    await saveFiles(extension.path);
    this.#watches?.invalidate(extension.path);
    return await this.#push({ extension, browsers: [browser], origin, mustReload }, signal);
  }

  /** Pushes after a save or a build: silently while all goes well, and not to browsers that run the same files already. */
  async pushSaved(extension: ExtensionFolder, browsers: readonly Browser[]): Promise<void> {
    requireTrust();
    const outcomes = await this.#push({ extension, browsers, origin: 'save', isToChosen: true });
    await openAfterPush(this.wiring, extension, outcomes, { mayAsk: false });
  }

  /** Packs the folder in the background and watches it from now on. */
  async ahead(extension: ExtensionFolder): Promise<void> {
    const { exclude, include } = readFolderSettings(extension.workspaceFolder.uri);
    const { engine, watches } = await this.#load();
    for (const { path } of eachOf(extension)) {
      watches.begin(path);
      engine.ahead(path, { exclude, include, isLocal: this.wiring.connection.isLocal });
    }
  }

  /** Whether the build in a folder is complete, of which these files were `written` last: see {@link PushEngine.isComplete}. */
  async isComplete({ workspaceFolder, path }: ExtensionFolder, written?: readonly string[]): Promise<boolean> {
    const engine = await this.wiring.engines.load();
    return await engine.isComplete(path, readFolderSettings(workspaceFolder.uri), written);
  }

  /** Reports files that have changed, absolute paths, before a push that they cause. */
  changed(paths: readonly string[]): void {
    this.#watches?.changed(paths);
  }

  async #pushVisibly(request: Request, outer?: AbortSignal): Promise<readonly BrowserOutcome[]> {
    const { extension, browsers } = request;
    const outcomes = await withProgress(
      l10n.t('Pushing {0} to {1}', extension.workspaceFolder.name, browsersLabel(browsers)),
      (signal, report) => this.#push(request, outer ? AbortSignal.any([signal, outer]) : signal, report),
    );
    await openAfterPush(this.wiring, extension, outcomes, { mayAsk: true });
    return outcomes;
  }

  async #push(
    request: Request,
    signal?: AbortSignal,
    showProgress: (message: string) => void = () => undefined,
  ): Promise<readonly BrowserOutcome[]> {
    const { extension, browsers, origin, copies, mustReload = false, isToChosen = false } = request;
    const { workspaceFolder } = extension;
    const { connection, devTools, diagnostics, statusBar, target, pins, log, records, localhost, history } =
      this.wiring;
    const all = eachOf(extension);
    // Another service may be in use when the push ends, and another browser be chosen.
    const { key } = connection;
    for (const one of all) this.#requests.set(one.path, { ...request, extension: one, service: key });
    const { browserId } = target;
    const [{ engine, watches }, service, connections] = await Promise.all([
      this.#load(),
      connection.client(),
      devTools.load(),
    ]);
    const settings = readFolderSettings(workspaceFolder.uri);
    const tell = (message: string): void => {
      showProgress(message);
      statusBar.showStep(request, browsers, workspaceFolder.name, message);
    };
    const onAsk = (): void => {
      tell(l10n.t('waiting for your answer'));
    };
    const access = localhost.access(service, key, origin, {
      onAsk,
      onRefused: (addresses) => {
        if (origin === 'save') statusBar.showWaiting(l10n.t('click to push'), allowText(addresses));
      },
    });
    const confirmRestart = this.#restartQuestion(connections.of(service), key, request, settings.delivery, onAsk);
    const packed: Parameters<typeof history.keep>[0][] = [];
    const orders = all.map(({ path }) => {
      watches.begin(path);
      const name = all.length > 1 ? basename(path) : workspaceFolder.name;
      return {
        ...settings,
        service,
        recordedAs: key,
        isLocal: connection.isLocal,
        folder: path,
        browsers,
        ...(access && { localhost: access }),
        skipUnchanged: origin === 'save',
        mustReload,
        ...(isToChosen && { isWanted: ({ id }: Browser) => key === connection.key && isChosen(this.wiring, id) }),
        // Elsewhere, the files are those of the service's machine.
        withoutFiles: origin === 'agent' && connection.isLocal,
        ...(copies && { copies }),
        confirmRestart,
        onStep: (step: PushStep, concerned: readonly Browser[]) => {
          const line = stepLine(step);
          if (line !== undefined) log.info(`Push ${name} to ${browsersLabel(concerned)}: ${line}`);
          if (step.step === 'checked') diagnostics.show(path, step.findings);
          const message = stepMessage(step);
          if (message !== undefined) tell(message);
        },
        onPacked: (archive: (typeof packed)[number]) => packed.push(archive),
        onEnd: (browserOutcome: BrowserOutcome) => this.#onEnd(extension, name, browserOutcome, origin, key),
      };
    });
    const ids = browsers.map(({ id }) => id);
    const pushing = records.during(ids, async () => (await engine.pushSet(orders, signal)).flat());
    localhost.gate.begin(
      ids,
      pushing.catch(() => undefined),
    );
    const outcomes = await pushing.finally(() => {
      statusBar.endStep(request);
    });
    this.#tellWaiting(outcomes);
    // Written now, so that no delivery waits for the disk; what is asked below may keep this function for long.
    for (const archive of packed.splice(0)) void history.keep(archive);
    if (all.length > 1) for (const browser of browsers) this.#recordSet(extension, browser, outcomes, key);
    const [only] = outcomes;
    const isTarget =
      // Neither an agent nor a test chooses for the user, nor a save that goes to the only pinned browser that still runs.
      (origin === 'command' || (isToChosen && pins.isEmpty)) &&
      browsers.length === 1 &&
      key === connection.key &&
      target.browserId === browserId;
    if (isTarget && only && 'digest' in only.outcome) await target.remember(only.browser);
    this.#report.show(outcomes, origin, () => {
      this.#removeCopies(request, outcomes).catch((error: unknown) => {
        log.error(`Remove Other Copies: ${String(error)}`);
      });
    });
    return outcomes;
  }

  /** Pushes again after a push that has missed a change, because the file watcher did not report it. */
  #pushAgain(path: string): void {
    const { log, connection } = this.wiring;
    const request = this.#requests.get(path);
    if (request?.service !== connection.key) return;
    log.warn(`The file watcher missed a change in ${path}; pushing again.`);
    const { extension, browsers, isToChosen = false } = request;
    // What an agent has pushed stays without access to files, and chooses no browser.
    const origin = request.origin === 'agent' ? 'agent' : 'save';
    this.#push({ extension, browsers, origin, isToChosen }).catch((error: unknown) => {
      log.error(`Push ${extension.workspaceFolder.name}: ${String(error)}`);
    });
  }

  /** Removes other copies of the extension and pushes again, which verifies that it runs alone. */
  async #removeCopies({ extension, browsers }: Request, outcomes: readonly BrowserOutcome[]): Promise<void> {
    if (!(await mayRemoveCopies(outcomes))) return;
    const copies = otherCopies(outcomes);
    const doubled = browsers.filter(({ id }) => copies.has(id));
    await this.#pushVisibly({ extension, browsers: doubled, origin: 'command', copies });
  }

  /**
   * Answers by the rule whether a push may restart a browser, or asks the user, once for all browsers of the push. `service` identifies the service of
   * the push.
   */
  #restartQuestion(
    connections: BrowserConnections,
    service: string,
    { origin, browsers }: Request,
    delivery: DeliveryMode,
    onAsk: () => void,
  ): ConfirmRestart {
    let answer: Promise<RestartAnswer> | undefined;
    const { ownBrowsers, context } = this.wiring;
    return async (browser, canAvoid) => {
      const wasStarted = ownBrowsers.wasStarted(browser.id, service);
      const wasPushedTo = ownBrowsers.wasPushedTo(browser.id, service);
      const isInUse = !wasStarted || !(await hasBlankTabsOnly(connections, browser));
      const says = restartRule({ origin, wasStarted, wasPushedTo, delivery, isInUse, canAvoid });
      if (says !== 'ask') return says;
      return await (answer ??= askToRestart({ browsers, canAvoid, delivery }, context.globalState, onAsk));
    };
  }

  /** Says what a push by itself waits for, when it is over: its steps would take that back. */
  #tellWaiting(outcomes: readonly BrowserOutcome[]): void {
    for (const { browser, outcome } of outcomes) {
      if (outcome.kind !== 'cancelled' || outcome.why !== 'restartNotAsked') continue;
      const reason = outcomeText(outcome, browserLabel(browser));
      this.wiring.statusBar.showWaiting(l10n.t('click to push'), reason);
      this.wiring.log.warn(`Push on save waits: ${reason}`);
    }
  }

  /** Records what a browser has of extensions that were pushed together: one state for all of them. */
  #recordSet(extension: ExtensionFolder, browser: Browser, outcomes: readonly BrowserOutcome[], service: string): void {
    const { records } = this.wiring;
    const id = browser.id;
    const own = outcomes.filter((browserOutcome) => browserOutcome.browser === browser);
    const record = recordOfSet(own, Date.now());
    const first = own.find(({ folder }) => folder === extension.path);
    if (first && 'extensionId' in first.outcome)
      records.setBuild(this.#buildOf(extension, first, first.outcome), service);
    if (record) records.set(id, record, service);
  }

  #buildOf(
    { workspaceFolder }: ExtensionFolder,
    { browser, folder, archive }: BrowserOutcome,
    { extensionId }: { extensionId: string },
  ): PushedBuild {
    const { localhost } = this.wiring;
    const root = workspaceFolder.uri.fsPath;
    const known = present({ name: archive?.name, lacks: archive?.lacks });
    return { browser, folder, root, extensionId, ...known, servers: () => localhost.serversOf(browser) };
  }

  async #onEnd(
    extension: ExtensionFolder,
    name: string,
    browserOutcome: BrowserOutcome,
    origin: PushOrigin,
    service: string,
  ): Promise<void> {
    const { connection, errors, history, records, presence, ownBrowsers } = this.wiring;
    const { outcome, browser, folder } = browserOutcome;
    const id = browser.id;
    if ('extensionId' in outcome) {
      const build = this.#buildOf(extension, browserOutcome, outcome);
      records.setBuild(build, service);
      const faults = outcome.kind === 'workerFailed' ? outcome.faults : [];
      errors.reported.setBuild(id, browserLabel(browser), build, faults, service);
    }
    const pushed = recordOf(browserOutcome, Date.now());
    const record = pushed && amongTogether(pushed, records.get(id, service));
    if (record) records.set(id, record, service);
    if (record) presence.watch(browser, service);
    if (origin === 'command' && 'digest' in outcome) await ownBrowsers.remember('pushedTo', id, service);
    if ('digest' in outcome) void commands.executeCommand('setContext', CONTEXT.hasPushed, true);
    const isInUse = service === connection.key;
    if (
      isInUse &&
      outcome.kind === 'failed' &&
      mayBeGone(outcome.error) &&
      (await removeIfGone(this.wiring, browser))
    ) {
      errors.reported.clear(id);
    }
    history.add({ folder, outcome: browserOutcome, origin }, Date.now(), service);
    this.#report.line(name, browserOutcome);
  }

  async #load(): Promise<{ engine: PushEngine; watches: FolderWatches }> {
    const engine = await this.wiring.engines.load();
    this.#watches ??= new FolderWatches((folder) => engine.watch(folder), this.wiring.changes);
    return { engine, watches: this.#watches };
  }
}

/** What a push by itself waits for that needs servers of this computer. */
function allowText(addresses: string): string {
  return l10n.t('The build needs {0} on this computer. Push once by hand to allow it.', addresses);
}
