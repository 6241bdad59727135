import { EventEmitter, type Disposable } from 'vscode';
import type { ErrorReport } from '../../devtools/errorReports';
import type { WorkerError } from '../../devtools/serviceWorkers';
import { serviceKey } from '../../push/browserKey';
import type { BrowserConnections } from '../../push/browsers';
import type { PushEngine } from '../../push/engine';
import type { BrowserSession } from '../../service/model';
import { readIdleSeconds } from '../settings';
import type { ServiceParts } from '../service/connection';

/** The worker of an extension in a browser. */
export interface WorkerChange {
  session: BrowserSession;
  extensionId: string;
}

/** Errors of an extension in a browser. */
export interface ErrorsOf {
  session: BrowserSession;
  report: ErrorReport;
}

/** An error of a worker in a browser. */
export interface WorkerErrorOf {
  session: BrowserSession;
  error: WorkerError;
}

/** The push engine of the window with its connections to browsers, loaded when it is first needed. */
export class EngineHost implements Disposable {
  readonly #parts: ServiceParts;
  readonly #stale = new EventEmitter<string>();
  /** Fires with the path of an extension folder whose last push has missed a change. */
  readonly onStale = this.#stale.event;
  readonly #lost = new EventEmitter<BrowserSession>();
  /** Fires when a connected browser has ended or restarted, or its connection broke. */
  readonly onLost = this.#lost.event;
  readonly #extensions = new EventEmitter<BrowserSession>();
  /** Fires when an extension of a connected browser was loaded, unloaded, installed or removed, by whomever. */
  readonly onExtensions = this.#extensions.event;
  readonly #pages = new EventEmitter<BrowserSession>();
  /** Fires when pages of a connected browser were opened, closed or navigated, and again when they should have their titles. */
  readonly onPages = this.#pages.event;
  readonly #worker = new EventEmitter<WorkerChange>();
  /** Fires when the worker of an extension of a connected browser has started or stopped, or was added or removed. */
  readonly onWorker = this.#worker.event;
  readonly #errors = new EventEmitter<ErrorsOf>();
  /** Fires when errors of an extension that was pushed to a connected browser are new, or have occurred again. */
  readonly onErrors = this.#errors.event;
  readonly #workerErrors = new EventEmitter<WorkerErrorOf>();
  /** Fires with an error of the worker of any extension of a connected browser, with its exact place. */
  readonly onWorkerError = this.#workerErrors.event;
  #loading: Promise<PushEngine> | undefined;
  #engine: PushEngine | undefined;
  #isDisposed = false;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** The engine if it was loaded. */
  /** The connections to the browsers of the service in use; undefined as long as there is none. */
  get browsers(): BrowserConnections | undefined {
    const { baseUrl } = this.#parts.connection;
    return baseUrl && this.#engine?.browsersOf({ baseUrl });
  }

  load(): Promise<PushEngine> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#engine?.dispose();
    const browserEvents = [this.#lost, this.#extensions, this.#pages, this.#worker, this.#errors, this.#workerErrors];
    for (const emitter of [this.#stale, ...browserEvents]) emitter.dispose();
  }

  async #load(): Promise<PushEngine> {
    const { PushEngine } = await import('../../push/engine');
    const { connection, log } = this.#parts;
    const engine = new PushEngine({
      log,
      // On this machine an open connection costs nothing.
      idleMs: () => (connection.isLocal ? Infinity : readIdleSeconds() * 1000),
      onStale: (path) => {
        this.#stale.fire(path);
      },
      eventsOf: (baseUrl) => {
        // While another service is in use, nothing is heard of these browsers: its own may have the same ids.
        const ofService =
          <T>(emitter: EventEmitter<T>) =>
          (event: T): void => {
            const now = connection.baseUrl;
            if (now && serviceKey(now) === serviceKey(baseUrl)) emitter.fire(event);
          };
        const [worker, errors, workerErrors] = [
          ofService(this.#worker),
          ofService(this.#errors),
          ofService(this.#workerErrors),
        ];
        return {
          onLost: ofService(this.#lost),
          onExtensions: ofService(this.#extensions),
          onPages: ofService(this.#pages),
          onWorker: (session, extensionId) => {
            worker({ session, extensionId });
          },
          onErrors: (session, report) => {
            errors({ session, report });
          },
          onWorkerError: (session, error) => {
            workerErrors({ session, error });
          },
        };
      },
    });
    this.#engine = engine;
    if (this.#isDisposed) this.dispose();
    return engine;
  }
}
