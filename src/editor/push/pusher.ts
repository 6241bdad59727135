import pLimit from 'p-limit';
import * as l10n from '@vscode/l10n';
import { ProgressLocation, window, workspace, type Disposable, type Memento, type WorkspaceFolder } from 'vscode';
import { FolderPackers } from '../../archive/packers';
import { BrowserConnections } from '../../push/browsers';
import { LocalhostScan } from '../../push/developmentBuild';
import { DeliveryQueue } from '../../push/queue';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import type { PushTarget } from '../browsers/target';
import { signalOf } from '../cancellation';
import { UserError } from '../errors';
import { findExtensionFolder, isInside } from '../folder/extensionFolder';
import type { FileChanges } from '../folder/fileChanges';
import { FolderWatches } from '../folder/folderWatches';
import { browserLabel, browsersLabel } from '../lists/labels';
import type { Log } from '../log';
import type { Diagnostics } from '../problems/diagnostics';
import type { WorkerFaults } from '../problems/workerFaults';
import type { ServiceConnection } from '../service/connection';
import { readFolderSettings, readIdleSeconds } from '../settings';
import { mayRemoveCopies, otherCopies } from './otherCopies';
import { PushReport, type PushOrigin } from './pushReport';
import { PushRun, type BrowserEnd, type Copies, type PushEnd } from './pushRun';
import { mayRestart } from './restartQuestion';
import type { StatusBar } from './statusBar';
import { stepMessage } from './stepText';

/** Browsers that are delivered to at the same time. */
const PARALLEL_DELIVERIES = 4;

export interface PusherOptions {
  connection: ServiceConnection;
  changes: FileChanges;
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

/** A push as it was asked for. */
interface PushOrder {
  folder: WorkspaceFolder;
  /** The extension folder, absolute. */
  path: string;
  sessions: readonly BrowserSession[];
  origin: PushOrigin;
  /** What is to be taken out of the browsers first. */
  copies: Copies;
}

/** Runs pushes to one or several browsers: one at a time per browser, with progress, cancel, Problems entries and a report. */
export class Pusher implements Disposable {
  readonly #options: PusherOptions;
  readonly #report: PushReport;
  // On this machine an open connection costs nothing.
  readonly #browsers = new BrowserConnections(() =>
    this.#options.connection.isLocal ? Infinity : readIdleSeconds() * 1000,
  );
  readonly #packers = new FolderPackers({
    onStale: (path) => {
      this.#pushAgain(path);
    },
  });
  readonly #watches: FolderWatches;
  /** The last push of each extension folder, by its path. */
  readonly #orders = new Map<string, PushOrder>();
  readonly #localhostScan = new LocalhostScan();
  readonly #queues = new Map<string, DeliveryQueue<BrowserEnd>>();
  readonly #inTurn = pLimit(PARALLEL_DELIVERIES);
  /** Digest of the archive that each browser was last seen to run, to leave out pushes on save that change nothing. */
  readonly #running = new Map<string, string>();

  constructor(options: PusherOptions) {
    this.#options = options;
    this.#watches = new FolderWatches(this.#packers, options.changes);
    this.#report = new PushReport(options.statusBar, options.log);
  }

  /**
   * Pushes the extension of `folder` to all of `sessions`, and tells how it ended in each; a browser that fails does not stop the
   * others. Rejects only for what the caller has to report: a missing folder, an untrusted workspace, no service.
   */
  async push(folder: WorkspaceFolder, sessions: readonly BrowserSession[], origin: PushOrigin): Promise<void> {
    if (!workspace.isTrusted) {
      throw new UserError(
        l10n.t(
          'This workspace is not trusted, so its files are not sent to a browser. Run "Workspaces: Manage Workspace Trust" first.',
        ),
      );
    }
    const path = await findExtensionFolder(folder, this.#options.workspaceMemory, origin === 'command');
    if (path === undefined) return;
    if (origin === 'save') {
      await this.#pushAll({ folder, path, sessions, origin, copies: new Map() });
      return;
    }
    await saveFiles(path);
    // Whoever asks by hand may be quicker than the watcher of files, after a build in a terminal for example.
    this.#watches.doubt(path);
    await this.#pushVisibly({ folder, path, sessions, origin, copies: new Map() });
  }

  /** Packs `path`, the extension folder of `folder`, in the background, and watches it from now on. */
  ahead(folder: WorkspaceFolder, path: string): void {
    const { exclude, include } = readFolderSettings(folder.uri);
    this.#watches.begin(path);
    this.#packers.ahead(path, { exclude, include, isLocal: this.#options.connection.isLocal });
  }

  /** Tells of files that have changed, absolute paths, before a push that they cause. */
  changed(paths: readonly string[]): void {
    this.#watches.changed(paths);
  }

  /** Lets go of all browsers and folders. */
  dispose(): void {
    this.#watches.dispose();
    this.#packers.dispose();
    this.#browsers.dispose();
  }

  async #pushVisibly(order: PushOrder): Promise<void> {
    await window.withProgress(
      {
        location: ProgressLocation.Notification,
        title: l10n.t('Pushing {0} to {1}', order.folder.name, browsersLabel(order.sessions)),
        cancellable: true,
      },
      (progress, token) =>
        this.#pushAll(order, signalOf(token), (message) => {
          progress.report({ message });
        }),
    );
  }

  async #pushAll(
    order: PushOrder,
    signal?: AbortSignal,
    report: (message: string) => void = () => undefined,
  ): Promise<void> {
    const { folder, path, sessions, origin, copies } = order;
    this.#orders.set(path, order);
    this.#watches.begin(path);
    const { connection, diagnostics, statusBar, target, log, globalMemory } = this.#options;
    const run = new PushRun(
      {
        service: await connection.client(),
        isLocal: connection.isLocal,
        browsers: this.#browsers,
        packers: this.#packers,
        localhostScan: this.#localhostScan,
        log,
        folder,
        path,
        settings: readFolderSettings(folder.uri),
        sessions,
        copies,
        unchangedDigest: (sessionId) => (origin === 'save' ? this.#running.get(sessionId) : undefined),
        // A push on save goes to a browser that the user pushed to by hand before, or that was chosen or pinned.
        confirmRestart: () =>
          origin === 'save' ? Promise.resolve(true) : mayRestart(sessions.map(browserLabel), globalMemory),
        onStep: (step) => {
          if (step.step === 'checked') diagnostics.show(path, step.findings);
          const message = stepMessage(step);
          if (message === undefined) return;
          report(message);
          statusBar.show({ state: 'pushing', browser: browsersLabel(sessions), step: message });
        },
      },
      signal,
    );
    // All are queued at once, so that no browser can get an older state after a newer one.
    const ends = await Promise.all(
      sessions.map((session) =>
        this.#queueOf(session).add(() => this.#inTurn(() => this.#deliver(run, session, folder, path))),
      ),
    );
    const [only] = ends;
    if (ends.length === 1 && only && isThere(only.end)) await target.remember(only.session.session_id);
    this.#report.tell(ends, origin, () => {
      this.#removeCopies(order, ends).catch((error: unknown) => {
        log.error(`Remove Other Copies: ${String(error)}`);
      });
    });
  }

  /** After a push that has missed something, because the editor's watcher of files did not tell of it. */
  #pushAgain(path: string): void {
    const { log } = this.#options;
    const order = this.#orders.get(path);
    if (!order) return;
    log.warn(`${path} has changed without a word from the editor's file watcher. It is pushed again.`);
    this.#pushAll({ ...order, origin: 'save', copies: new Map() }).catch((error: unknown) => {
      log.error(`Push ${order.folder.name}: ${String(error)}`);
    });
  }

  /** Takes away what runs beside what was pushed, and pushes again, which shows that it runs alone. */
  async #removeCopies({ folder, path }: PushOrder, ends: readonly BrowserEnd[]): Promise<void> {
    if (!(await mayRemoveCopies(ends))) return;
    const copies = otherCopies(ends);
    const sessions = ends.map(({ session }) => session).filter(({ session_id }) => copies.has(session_id));
    await this.#pushVisibly({ folder, path, sessions, origin: 'command', copies });
  }

  async #deliver(run: PushRun, session: BrowserSession, folder: WorkspaceFolder, path: string): Promise<BrowserEnd> {
    const { faults } = this.#options;
    const ended = await run.deliver(session);
    const { end } = ended;
    const id = session.session_id;
    if (isThere(end)) this.#running.set(id, end.digest);
    else if (end.outcome !== 'cancelled') this.#running.delete(id);
    if (end.outcome === 'running') faults.clear(id);
    if (end.outcome === 'workerFailed') {
      await faults.show(id, { folder: path, root: folder.uri.fsPath, extensionId: end.extensionId }, end.faults);
    }
    if (end.outcome === 'failed' && end.error instanceof ServiceError && end.error.kind === 'notFound') {
      faults.clear(id);
      this.#options.onBrowserGone();
    }
    this.#report.line(folder.name, ended);
    return ended;
  }

  #queueOf({ session_id }: BrowserSession): DeliveryQueue<BrowserEnd> {
    const queue = this.#queues.get(session_id) ?? new DeliveryQueue<BrowserEnd>();
    this.#queues.set(session_id, queue);
    return queue;
  }
}

/** The browser has this build, seen to run or not. */
function isThere(end: PushEnd): end is Extract<PushEnd, { digest: string }> {
  return 'digest' in end;
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
