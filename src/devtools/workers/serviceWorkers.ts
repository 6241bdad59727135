import type { CDPSession, Protocol } from '../protocol/connect';
import { extensionOf } from '../protocol/extensionUrl';
import type { WorkerFault } from './startingWorker';

/** How long a worker may take to start or stop when it is asked to, in milliseconds (C-TIME-WORKER). */
const CHANGE_LIMIT_MS = 5000;

/** The state of an extension's worker. */
export interface WorkerState {
  /** `starting` until its script has run; `stopped`: Chromium starts it again when an event comes. */
  status: 'starting' | 'running' | 'stopped';
  /** Since when, in milliseconds since the epoch; undefined when it was so before the connection. */
  since: number | undefined;
  /** Whether `stop` has stopped it, and not Chromium because it was idle. */
  isByRequest: boolean;
}

/** An error that Chromium reports of an extension's worker. Line and column count from 0; column -1 and an empty address where Chromium gives none. */
export interface WorkerError extends WorkerFault {
  extensionId: string;
}

export interface ServiceWorkerEvents {
  /** The worker of an extension has started or stopped, or was added or removed. */
  onWorker: (extensionId: string) => void;
  onError: (error: WorkerError) => void;
}

type Version = Protocol.ServiceWorker.ServiceWorkerVersion;

/**
 * The workers of all extensions of a profile, as Chromium reports them to the ServiceWorker domain of any of its pages. No worker is
 * attached to, so that each may stop by itself when it is idle (C-WORKER-SLEEP).
 */
export class ServiceWorkers {
  /** The extension of each registration. */
  readonly #extensions = new Map<string, string>();
  /** The newest version that is not redundant, by extension. */
  readonly #versions = new Map<string, Version>();
  readonly #states = new Map<string, WorkerState>();
  /** The extensions whose worker `stop` is stopping. */
  readonly #stopped = new Set<string>();
  /** Whether the states that workers had when it connected were received. */
  #isReady = false;
  #waiting: (() => void)[] = [];

  private constructor(
    private readonly session: CDPSession,
    private readonly events: ServiceWorkerEvents,
  ) {
    session.on('ServiceWorker.workerRegistrationUpdated', this.#onRegistrations);
    session.on('ServiceWorker.workerVersionUpdated', this.#onVersions);
    session.on('ServiceWorker.workerErrorReported', this.#onError);
  }

  /** Begins to listen over the session of a page. */
  static async begin(session: CDPSession, events: ServiceWorkerEvents): Promise<ServiceWorkers> {
    const workers = new ServiceWorkers(session, events);
    // The events of all present registrations and versions come before the answer.
    await session.send('ServiceWorker.enable');
    workers.#isReady = true;
    return workers;
  }

  /** The state of the worker of an extension; undefined when it has none. */
  stateOf(extensionId: string): WorkerState | undefined {
    return this.#states.get(extensionId);
  }

  /** Stops the worker of an extension. Resolves to whether it has stopped in time. */
  async stop(extensionId: string): Promise<boolean> {
    const versionId = this.#versions.get(extensionId)?.versionId;
    if (this.#states.get(extensionId)?.status !== 'stopped') this.#stopped.add(extensionId);
    if (versionId !== undefined) await this.session.send('ServiceWorker.stopWorker', { versionId });
    return await this.#reached(extensionId, 'stopped');
  }

  /** Starts the worker of an extension, without an event for it. Resolves to whether it runs in time. */
  async start(extensionId: string): Promise<boolean> {
    await this.session.send('ServiceWorker.startWorker', { scopeURL: `chrome-extension://${extensionId}/` });
    return await this.runs(extensionId);
  }

  /** Resolves to whether the worker of an extension runs, or has been started by anything, in time. */
  async runs(extensionId: string): Promise<boolean> {
    return await this.#reached(extensionId, 'running');
  }

  async #reached(extensionId: string, status: WorkerState['status']): Promise<boolean> {
    const deadline = performance.now() + CHANGE_LIMIT_MS;
    while (this.#states.get(extensionId)?.status !== status) {
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) return false;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return true;
  }

  readonly #onRegistrations = ({ registrations }: Protocol.ServiceWorker.WorkerRegistrationUpdatedEvent): void => {
    for (const { registrationId, scopeURL, isDeleted } of registrations) {
      const extensionId = extensionOf(scopeURL);
      if (extensionId === undefined) continue;
      if (!isDeleted) {
        this.#extensions.set(registrationId, extensionId);
        continue;
      }
      this.#extensions.delete(registrationId);
      if (this.#versions.get(extensionId)?.registrationId === registrationId) this.#forget(extensionId);
    }
  };

  readonly #onVersions = ({ versions }: Protocol.ServiceWorker.WorkerVersionUpdatedEvent): void => {
    for (const version of versions) {
      const extensionId = extensionOf(version.scriptURL);
      if (extensionId === undefined) continue;
      const known = this.#versions.get(extensionId);
      if (version.status === 'redundant') {
        if (known?.versionId === version.versionId) this.#forget(extensionId);
        continue;
      }
      this.#versions.set(extensionId, version);
      this.#note(extensionId, version);
    }
  };

  #note(extensionId: string, { runningStatus }: Version): void {
    // A stopping worker still runs.
    const status = runningStatus === 'stopping' ? 'running' : runningStatus;
    if (this.#states.get(extensionId)?.status === status) return;
    const since = this.#isReady ? Date.now() : undefined;
    const isByRequest = this.#stopped.has(extensionId);
    if (status === 'stopped') this.#stopped.delete(extensionId);
    this.#states.set(extensionId, { status, since, isByRequest: isByRequest && status === 'stopped' });
    this.#changed(extensionId);
  }

  #forget(extensionId: string): void {
    this.#versions.delete(extensionId);
    if (this.#states.delete(extensionId)) this.#changed(extensionId);
  }

  #changed(extensionId: string): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    this.events.onWorker(extensionId);
  }

  readonly #onError = ({ errorMessage }: Protocol.ServiceWorker.WorkerErrorReportedEvent): void => {
    const { errorMessage: text, registrationId, sourceURL, lineNumber, columnNumber } = errorMessage;
    const extensionId = this.#extensions.get(registrationId);
    // Both count from 1 (C-ERRORS-COLUMNS).
    const column = columnNumber > 0 ? columnNumber - 1 : -1;
    if (extensionId !== undefined) {
      this.events.onError({ extensionId, text, url: sourceURL, line: lineNumber - 1, column });
    }
  };
}
