import { EventEmitter, type Disposable } from 'vscode';
import type { PushEngine } from '../../push/engine';
import type { BrowserSession } from '../../service/model';
import { readIdleSeconds } from '../settings';
import type { ServiceParts } from '../service/connection';

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
    for (const emitter of [this.#stale, this.#lost, this.#extensions, this.#pages]) emitter.dispose();
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
      events: {
        onLost: (session) => {
          this.#lost.fire(session);
        },
        onExtensions: (session) => {
          this.#extensions.fire(session);
        },
        onPages: (session) => {
          this.#pages.fire(session);
        },
      },
    });
    this.#engine = engine;
    if (this.#isDisposed) this.dispose();
    return engine;
  }
}
