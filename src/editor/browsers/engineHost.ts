import { EventEmitter, type Disposable } from 'vscode';
import type { PushEngine } from '../../push/engine';
import type { PushRecords } from '../../push/known/pushRecords';
import type { OtherPrograms } from '../../push/turns/otherPrograms';
import type { ServiceWiring } from '../service/connection';
import type { DevToolsHost } from './devToolsHost';

/** The push engine of the window, loaded when it is first needed. */
export class EngineHost implements Disposable {
  readonly #stale = new EventEmitter<string>();
  /** Fires with the path of an extension folder whose last push has missed a change. */
  readonly onStale = this.#stale.event;
  #engine: Promise<PushEngine> | undefined;
  #others: Promise<OtherPrograms> | undefined;
  #isDisposed = false;

  constructor(private readonly wiring: ServiceWiring & { devTools: DevToolsHost; records: PushRecords }) {}

  load(): Promise<PushEngine> {
    this.#engine ??= this.#load();
    return this.#engine;
  }

  /** What other programs of the user have pushed. */
  otherPrograms(): Promise<OtherPrograms> {
    this.#others ??= import('../../push/turns/otherPrograms').then(
      ({ OtherPrograms }) => new OtherPrograms(this.wiring.log),
    );
    return this.#others;
  }

  dispose(): void {
    this.#isDisposed = true;
    void this.#engine?.then((engine) => engine.dispose());
    this.#stale.dispose();
  }

  async #load(): Promise<PushEngine> {
    const { log, devTools, records } = this.wiring;
    const [{ PushEngine }, connections, otherPrograms] = await Promise.all([
      import('../../push/engine'),
      devTools.load(),
      this.otherPrograms(),
    ]);
    const onStale = (path: string): void => {
      if (!this.#isDisposed) this.#stale.fire(path);
    };
    return new PushEngine({ log, connections, otherPrograms, records, onStale });
  }
}
