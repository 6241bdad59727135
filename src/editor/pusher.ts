import {
  commands,
  l10n,
  ProgressLocation,
  window,
  workspace,
  type Disposable,
  type Memento,
  type WorkspaceFolder,
} from 'vscode';
import { FolderPackers } from '../archive/packers';
import { KnownBrowsers } from '../push/browsers';
import type { PushOutcome, PushStep } from '../push/outcome';
import { DeliveryQueue } from '../push/queue';
import { ServiceError } from '../service/errors';
import type { BrowserSession } from '../service/model';
import { signalOf } from './cancellation';
import type { ServiceConnection } from './connection';
import type { Diagnostics } from './diagnostics';
import { findExtensionFolder, isInside } from './extensionFolder';
import type { Log } from './log';
import { secondsText, sentenceFor, UserError } from './messages';
import { browserLabel } from './nodes';
import { outcomeText } from './outcome';
import { readFolderSettings, readIdleSeconds } from './settings';
import type { StatusBar } from './statusBar';
import { stepLine, stepMessage } from './stepText';
import type { PushTarget } from './target';
import type { WorkerFaults } from './workerFaults';

/** Remembered when the user no longer wants to be told that a first push restarts the browser. */
const RESTART_ACCEPTED_KEY = 'restartAccepted';

export interface PusherOptions {
  connection: ServiceConnection;
  diagnostics: Diagnostics;
  faults: WorkerFaults;
  statusBar: StatusBar;
  target: PushTarget;
  log: Log;
  workspaceMemory: Memento;
  globalMemory: Memento;
  /** Called after a push that found its browser gone, so that the lists show it. */
  onBrowserGone: () => void;
}

/** The log's words for what became of the worker. */
const WORKER_LINES = {
  running: 'service worker running',
  kept: 'service worker left as it is, nothing of it has changed',
  none: 'loaded, it has no service worker',
} as const;

/** How a push was asked for: by hand it may ask and answers aloud; on save it is silent while all goes well. */
export type PushOrigin = 'command' | 'save';

/** Runs pushes: one at a time per browser, with progress, cancel, Problems entries, one line in the log and the status bar. */
export class Pusher implements Disposable {
  readonly #options: PusherOptions;
  readonly #browsers = new KnownBrowsers(() => readIdleSeconds() * 1000);
  readonly #packers = new FolderPackers();
  readonly #queues = new Map<string, DeliveryQueue<PushOutcome | undefined>>();
  /** Digest of the archive that each browser was last seen to run, to leave out pushes on save that change nothing. */
  readonly #running = new Map<string, string>();
  #lastFailure = '';

  constructor(options: PusherOptions) {
    this.#options = options;
  }

  /**
   * Pushes the extension of `folder` to `session`. Resolves to how it ended, or undefined when the user backed out or it failed
   * and was reported. Rejects only for what the caller has to report: a missing folder, an untrusted workspace.
   * @throws UserError
   */
  async push(folder: WorkspaceFolder, session: BrowserSession, origin: PushOrigin): Promise<PushOutcome | undefined> {
    if (!workspace.isTrusted) {
      throw new UserError(
        l10n.t(
          'This workspace is not trusted, so its files are not sent to a browser. Run "Workspaces: Manage Workspace Trust" first.',
        ),
      );
    }
    const path = await findExtensionFolder(folder, this.#options.workspaceMemory, origin === 'command');
    if (path === undefined) return undefined;
    if (origin === 'command') await saveFiles(path);
    const queue = this.#queues.get(session.session_id) ?? new DeliveryQueue<PushOutcome | undefined>();
    this.#queues.set(session.session_id, queue);
    return await queue.add(() =>
      origin === 'save'
        ? this.#run(folder, path, session, origin, () => undefined)
        : Promise.resolve(
            window.withProgress(
              {
                location: ProgressLocation.Notification,
                title: l10n.t('Pushing {0} to {1}', folder.name, browserLabel(session)),
                cancellable: true,
              },
              (progress, token) =>
                this.#run(
                  folder,
                  path,
                  session,
                  origin,
                  (message) => {
                    progress.report({ message });
                  },
                  signalOf(token),
                ),
            ),
          ),
    );
  }

  /** Lets go of all browsers. */
  dispose(): void {
    this.#browsers.dispose();
  }

  async #run(
    folder: WorkspaceFolder,
    path: string,
    session: BrowserSession,
    origin: PushOrigin,
    report: (message: string) => void,
    signal?: AbortSignal,
  ): Promise<PushOutcome | undefined> {
    const { connection, diagnostics, faults, statusBar, target, log } = this.#options;
    const browser = browserLabel(session);
    const settings = readFolderSettings(folder.uri);
    const prefix = `Push ${folder.name} to ${browser}`;
    const onStep = (step: PushStep): void => {
      if (step.step === 'checked') diagnostics.show(path, step.findings);
      const line = stepLine(step);
      if (line !== undefined) log.info(`${prefix}: ${line}`);
      const message = stepMessage(step);
      if (message === undefined) return;
      report(message);
      statusBar.show({ state: 'pushing', browser, step: message });
    };
    try {
      const { push } = await import('../push/push');
      const outcome = await push(
        {
          service: await connection.client(),
          session,
          browsers: this.#browsers,
          delivery: 'auto',
          tabs: settings.tabs,
          isLocal: connection.isLocal,
          packers: this.#packers,
          folder: path,
          folderName: settings.folderName,
          exclude: settings.exclude,
          include: settings.include,
          ...(origin === 'save' ? { unchangedDigest: this.#running.get(session.session_id) } : {}),
          confirmRestart: () => this.#confirmRestart(browser, origin),
          log,
          onStep,
        },
        signal,
      );
      if (outcome.outcome === 'running' || outcome.outcome === 'unchanged' || outcome.outcome === 'unverified') {
        this.#running.set(session.session_id, outcome.digest);
        await target.remember(session.session_id);
      } else if (outcome.outcome !== 'cancelled') {
        this.#running.delete(session.session_id);
      }
      if (outcome.outcome === 'workerFailed') {
        const { extensionId } = outcome;
        await faults.show(session.session_id, { folder: path, root: folder.uri.fsPath, extensionId }, outcome.faults);
      } else if (outcome.outcome === 'running') {
        faults.clear(session.session_id);
      }
      this.#tell(outcome, browser, origin, prefix);
      return outcome;
    } catch (error) {
      this.#running.delete(session.session_id);
      if (error instanceof ServiceError && error.kind === 'notFound') this.#options.onBrowserGone();
      this.#tellFailure(sentenceFor(error) ?? String(error), browser, origin, prefix);
      if (sentenceFor(error) === undefined && error instanceof Error) log.error(error.stack ?? error.message);
      return undefined;
    }
  }

  #tell(outcome: PushOutcome, browser: string, origin: PushOrigin, prefix: string): void {
    const { statusBar, log } = this.#options;
    const text = outcomeText(outcome, browser);
    switch (outcome.outcome) {
      case 'running':
        this.#lastFailure = '';
        log.info(`${prefix}: extension id ${outcome.extensionId}`);
        log.info(`${prefix}: version ${outcome.version}`);
        log.info(`${prefix}: ${WORKER_LINES[outcome.worker]}`);
        log.info(text);
        statusBar.show({
          state: 'running',
          browser,
          name: outcome.name,
          version: outcome.version,
          at: new Date(),
          took: secondsText(outcome.ms),
        });
        if (origin === 'command') void window.showInformationMessage(text);
        return;
      case 'cancelled':
      case 'unchanged':
        log.info(`${prefix}: ${text}`);
        statusBar.settle();
        return;
      case 'workerFailed':
      case 'refusedByCheck':
      case 'tooLarge':
      case 'leftOut':
      case 'needsLocalhost':
      case 'unverified':
      case 'refusedByBrowser':
      case 'doubled':
      case 'wrong':
        break;
    }
    this.#tellFailure(
      text,
      browser,
      origin,
      prefix,
      outcome.outcome === 'refusedByCheck' || outcome.outcome === 'workerFailed',
    );
  }

  /** A failure by hand is always told; one on save once, until something else happens. */
  #tellFailure(text: string, browser: string, origin: PushOrigin, prefix: string, hasProblems = false): void {
    const { statusBar, log } = this.#options;
    log.error(`${prefix}: ${text}`);
    statusBar.show({ state: 'failed', browser, reason: text, at: new Date() });
    if (origin === 'save' && text === this.#lastFailure) return;
    this.#lastFailure = text;
    const showLog = l10n.t('Show Log');
    const showProblems = l10n.t('Show Problems');
    void window.showErrorMessage(text, ...(hasProblems ? [showProblems] : []), showLog).then((choice) => {
      if (choice === showLog) log.show();
      else if (choice === showProblems) void commands.executeCommand('workbench.actions.view.problems');
    });
  }

  async #confirmRestart(browser: string, origin: PushOrigin): Promise<boolean> {
    // A push on save goes to a browser that the user pushed to by hand before, or to the only one there is.
    if (origin === 'save' || this.#options.globalMemory.get<boolean>(RESTART_ACCEPTED_KEY) === true) return true;
    const go = l10n.t('Push');
    const always = l10n.t("Push, Don't Ask Again");
    const choice = await window.showWarningMessage(
      l10n.t('The first push restarts Chromium in {0}.', browser),
      {
        modal: true,
        detail: l10n.t(
          'Its open tabs are closed and DevTools connections break. Logins and storage are kept. Later pushes need no restart.',
        ),
      },
      go,
      always,
    );
    if (choice === always) await this.#options.globalMemory.update(RESTART_ACCEPTED_KEY, true);
    return choice === go || choice === always;
  }
}

/** Unsaved editors of the extension's folder are saved, so that what is seen is what is pushed. */
async function saveFiles(folder: string): Promise<void> {
  const dirty = workspace.textDocuments.filter(
    (document) => document.isDirty && document.uri.scheme === 'file' && isInside(folder, document.uri.fsPath),
  );
  for (const document of dirty) {
    // False also means that somebody else, such as auto-save, was quicker.
    if (!(await document.save()) && document.isDirty) {
      throw new UserError(l10n.t('"{0}" could not be saved, so nothing was pushed.', document.fileName));
    }
  }
}
