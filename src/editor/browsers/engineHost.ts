import { EventEmitter, type Disposable } from 'vscode';
import type { PushEngine } from '../../push/engine';
import { readIdleSeconds } from '../settings';
import type { ServiceParts } from '../service/connection';

/** The push engine of the window with its connections to browsers, loaded when it is first needed. */
export class EngineHost implements Disposable {
  readonly #parts: ServiceParts;
  readonly #stale = new EventEmitter<string>();
  /** Fires with the path of an extension folder whose last push has missed a change. */
  readonly onStale = this.#stale.event;
  #loading: Promise<PushEngine> | undefined;
  #engine: PushEngine | undefined;
  #isDisposed = false;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** The engine if it was loaded. */
  get engine(): PushEngine | undefined {
    return this.#engine;
  }

  load(): Promise<PushEngine> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#engine?.dispose();
    this.#stale.dispose();
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
    });
    this.#engine = engine;
    if (this.#isDisposed) this.dispose();
    return engine;
  }
}
