import { EventEmitter, type Disposable } from 'vscode';
import type {
  BrowserConnections,
  BrowserEvents,
  ServiceConnections,
} from '../../devtools/connection/browserConnections';
import type { ErrorReport } from '../../devtools/errors/errorReports';
import type { WorkerError } from '../../devtools/workers/serviceWorkers';
import { serviceKey } from '../../service/browserKey';
import type { Browser } from '../../service/model';
import { isLoopback } from '../../service/serviceAddress';
import { readIdleSeconds } from '../settings';
import type { ServiceWiring } from '../service/connection';

/** The DevTools connections of the window to browsers, loaded when they are first needed, and what connected browsers report. */
export class DevToolsHost implements Disposable {
  readonly #lost = new EventEmitter<Browser>();
  /** Fires when a connected browser has ended or restarted, or its connection broke. */
  readonly onLost = this.#lost.event;
  readonly #extensions = new EventEmitter<Browser>();
  /** Fires when an extension of a connected browser was loaded, unloaded, installed or removed, by whomever. */
  readonly onExtensions = this.#extensions.event;
  readonly #pages = new EventEmitter<Browser>();
  /** Fires when pages of a connected browser were opened, closed or navigated, and again when they should have their titles. */
  readonly onPages = this.#pages.event;
  readonly #worker = new EventEmitter<{ browser: Browser; extensionId: string }>();
  /** Fires when the worker of an extension of a connected browser has started or stopped, or was added or removed. */
  readonly onWorker = this.#worker.event;
  readonly #errors = new EventEmitter<{ browser: Browser; report: ErrorReport }>();
  /** Fires when errors of an extension that was pushed to a connected browser are new, or have occurred again. */
  readonly onErrors = this.#errors.event;
  readonly #workerErrors = new EventEmitter<{ browser: Browser; error: WorkerError }>();
  /** Fires with an error of the worker of any extension of a connected browser, with its exact place. */
  readonly onWorkerError = this.#workerErrors.event;
  #loading: Promise<ServiceConnections> | undefined;
  #connections: ServiceConnections | undefined;
  #isDisposed = false;

  constructor(private readonly wiring: ServiceWiring) {}

  /** The connections to the browsers of the service in use; undefined as long as there is none. */
  get current(): BrowserConnections | undefined {
    const { baseUrl } = this.wiring.connection;
    return baseUrl && this.#connections?.of({ baseUrl });
  }

  load(): Promise<ServiceConnections> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** The connections to the browsers of the service in use. Rejects when there is none. */
  async ofService(): Promise<BrowserConnections> {
    const [connections, client] = await Promise.all([this.load(), this.wiring.connection.client()]);
    return connections.of(client);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#connections?.dispose();
    for (const emitter of [this.#lost, this.#extensions, this.#pages, this.#worker, this.#errors, this.#workerErrors]) {
      emitter.dispose();
    }
  }

  async #load(): Promise<ServiceConnections> {
    const { ServiceConnections } = await import('../../devtools/connection/browserConnections');
    this.#connections = new ServiceConnections({
      // On this machine an open connection costs nothing.
      idleMs: (service) => (isLoopback(service) ? Infinity : readIdleSeconds() * 1000),
      eventsOf: (service) => this.#eventsOf(service),
    });
    if (this.#isDisposed) this.dispose();
    return this.#connections;
  }

  #eventsOf(service: URL): BrowserEvents {
    const { connection } = this.wiring;
    // While another service is in use, nothing is heard of these browsers: its own may have the same ids.
    const ofService =
      <T>(emitter: EventEmitter<T>) =>
      (event: T): void => {
        const now = connection.baseUrl;
        if (now && serviceKey(now) === serviceKey(service)) emitter.fire(event);
      };
    return {
      onLost: ofService(this.#lost),
      onExtensions: ofService(this.#extensions),
      onPages: ofService(this.#pages),
      onWorker: (browser, extensionId) => ofService(this.#worker)({ browser, extensionId }),
      onErrors: (browser, report) => ofService(this.#errors)({ browser, report }),
      onWorkerError: (browser, error) => ofService(this.#workerErrors)({ browser, error }),
    };
  }
}
