import type { Connection, Protocol } from './connect';

type TargetInfo = Protocol.Target.TargetInfo;

/** Tabs are targets beside the pages in them. */
const FILTER = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}];

/** The targets of a browser as it reports them by itself, so that nobody has to ask and wait for them. */
export class Targets {
  readonly #known = new Map<string, TargetInfo>();
  readonly #ready: Promise<unknown>;

  constructor(connection: Connection) {
    connection.on('Target.targetCreated', this.#note);
    connection.on('Target.targetInfoChanged', this.#note);
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      this.#known.delete(targetId);
    });
    // The events of all existing targets come before the answer.
    this.#ready = connection.send('Target.setDiscoverTargets', { discover: true, filter: FILTER });
    this.#ready.catch(() => undefined);
  }

  /** Pages, frames of other processes and workers. Rejects when the connection is lost. */
  async list(): Promise<TargetInfo[]> {
    await this.#ready;
    return [...this.#known.values()];
  }

  readonly #note = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
    this.#known.set(targetInfo.targetId, targetInfo);
  };
}
