import type { Connection, Protocol } from './connect';

type TargetInfo = Protocol.Target.TargetInfo;

/** Tabs are targets beside the pages in them. */
const FILTER = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}];

/** How long changes of pages are collected before they are told, in milliseconds: a page that is opened changes several times. */
const COLLECT_MS = 300;

/** When they are told once more, in milliseconds after the last of them: Chromium does not report that a page has got its title. */
const TITLE_MS = 2000;

/** The targets of a browser as it reports them by itself, so that nobody has to ask and wait for them. */
export class Targets {
  readonly #known = new Map<string, TargetInfo>();
  readonly #ready: Promise<unknown>;
  /** Whether all targets are known that were there at first. */
  #isReady = false;
  #soon: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;

  /**
   * `onPages` is told that pages were opened or closed, or show another address: soon, once for many changes, and again when they should have
   * their titles. A title that changes later is not told.
   */
  constructor(
    connection: Connection,
    private readonly onPages: () => void = () => undefined,
  ) {
    connection.on('Target.targetCreated', this.#note);
    connection.on('Target.targetInfoChanged', this.#note);
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      const known = this.#known.get(targetId);
      this.#known.delete(targetId);
      if (known?.type === 'page') this.#tell();
    });
    // The events of all existing targets come before the answer.
    this.#ready = connection.send('Target.setDiscoverTargets', { discover: true, filter: FILTER });
    this.#ready.then(
      () => (this.#isReady = true),
      () => undefined,
    );
  }

  /** Pages, frames of other processes and workers. Rejects when the connection is lost. */
  async list(): Promise<TargetInfo[]> {
    await this.#ready;
    return [...this.#known.values()];
  }

  /** Tells no more changes. */
  dispose(): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#later);
    this.#known.clear();
  }

  readonly #note = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
    const { targetId, type, url, title } = targetInfo;
    const known = this.#known.get(targetId);
    this.#known.set(targetId, targetInfo);
    if (type === 'page' && (known?.url !== url || known.title !== title)) this.#tell();
  };

  #tell(): void {
    if (!this.#isReady) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.onPages();
    }, COLLECT_MS).unref();
    clearTimeout(this.#later);
    this.#later = setTimeout(this.onPages, TITLE_MS).unref();
  }
}
