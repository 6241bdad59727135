import { type Clock, type Timer } from '../../base/clock';
import type { Connection, Protocol } from './connect';
import { extensionOf } from './extensionUrl';

type TargetInfo = Protocol.Target.TargetInfo;

/** Tabs are targets beside the pages in them. */
const FILTER = [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}];

/** Types of targets that are pages of extensions when they have such an address. The hidden pages of DevTools clients are of type `other`. */
const EXTENSION_PAGES = ['background_page', 'iframe', 'webview'];

/** Page changes within this time are reported by one call, in milliseconds: a page that is being opened changes several times. */
const COALESCE_MS = 300;

/** Delay of the call that follows the last page change, in milliseconds: no event comes when the title of a page is set (C-TITLE-EVENT). */
const TITLE_MS = 2000;

/** What is open in a browser, for who only asks for it. */
export type OpenTargets = Pick<Targets, 'list'>;

/** The targets of a browser as it reports them by itself, so that nobody has to ask and wait for them. */
export class Targets {
  readonly #known = new Map<string, TargetInfo>();
  readonly #ready: Promise<unknown>;
  /** Whether the events of all initial targets have been received. */
  #isReady = false;
  /** Whether a call for page changes is due. */
  #isScheduled = false;
  #titleTimer: Timer | undefined;

  /**
   * `onPages` is called after pages, or offscreen documents and frames of extensions, were opened, closed or navigated, once for changes in
   * quick succession, and once more when the pages should have their titles. A title that is set later causes no call. `coalesceMs`: how long
   * changes are collected before the first call, in milliseconds.
   */
  constructor(
    connection: Connection,
    private readonly onPages: () => void,
    private readonly coalesceMs = COALESCE_MS,
    private readonly clock: Clock,
  ) {
    connection.on('Target.targetCreated', this.#note);
    connection.on('Target.targetInfoChanged', this.#note);
    connection.on('Target.targetDestroyed', ({ targetId }: Protocol.Target.TargetDestroyedEvent) => {
      const known = this.#known.get(targetId);
      this.#known.delete(targetId);
      if (known && isPage(known)) this.#scheduleCalls();
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

  readonly #note = ({ targetInfo }: { targetInfo: TargetInfo }): void => {
    const { targetId, url, title, attached } = targetInfo;
    const known = this.#known.get(targetId);
    this.#known.set(targetId, targetInfo);
    if (!isPage(targetInfo) && !(known && isPage(known))) return;
    // An event of an attachment has the present title, too: who reads pages by attaching to them would be called again for it.
    const isRenamed = known?.title !== title && known?.attached === attached;
    if (known?.url !== url || isRenamed) this.#scheduleCalls();
  };

  #scheduleCalls(): void {
    if (!this.#isReady) return;
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      const call = (): void => {
        this.#isScheduled = false;
        this.onPages();
      };
      this.clock.after(this.coalesceMs, call).unref();
    }
    this.#titleTimer?.clear();
    this.#titleTimer = this.clock.after(TITLE_MS, this.onPages).unref();
  }
}

/** Whether a target is a page that somebody may see, or one of an extension. */
function isPage({ type, url }: TargetInfo): boolean {
  return type === 'page' || (EXTENSION_PAGES.includes(type) && extensionOf(url) !== undefined);
}
