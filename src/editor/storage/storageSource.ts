import type { HiddenPage } from '../../devtools/protocol/hiddenPage';
import type { BrowserLink } from '../../devtools/connection/link';
import type { StorageArea } from '../../devtools/storage/extensionStorage';
import { fieldOf } from '../../base/fields';

/** How an extension in a browser is reached. */
export interface StorageReach {
  /** Runs `act` with the connection to the browser. `isPassive`: an open connection is closed no later for it. */
  use: <T>(act: (link: BrowserLink) => Promise<T>, isPassive: boolean) => Promise<T>;
  /** Opens a hidden page of the extension. */
  open: (link: BrowserLink) => Promise<HiddenPage>;
}

/** A hidden page of an extension, and the connection that it is on. */
interface OpenPage {
  link: BrowserLink;
  page: HiddenPage;
  /** The end of the page or its connection. */
  isOver: boolean;
}

/**
 * A hidden page of an extension through which its storage is read, written and watched. It is opened when it is first needed, and again
 * when it has ended, as with the browser, with an idle connection, or by a reload of the extension.
 */
export class StorageSource {
  #page: OpenPage | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  /** `onChange` is called after an area has changed, as long as a page is open; again only after the area was read. */
  constructor(
    private readonly reach: StorageReach,
    private readonly onChange: (area: StorageArea) => void,
  ) {}

  /** Whether all changes since a reading through this page are reported: between two pages, nothing is. */
  watches(page: HiddenPage | undefined): boolean {
    const open = this.#page;
    return open !== undefined && open.page === page && !open.isOver && open.link.isOpen;
  }

  /**
   * Runs `act` with the page, one call after the other. A page that is no longer one of the extension is replaced, and `act` called again.
   * `isPassive`: an open connection is closed no later for it.
   * @throws UserError, DevToolsError, StorageError
   */
  async use<T>(act: (page: HiddenPage) => Promise<T>, isPassive = false): Promise<T> {
    const result = this.#queue.then(() => this.#run(act, isPassive));
    this.#queue = result.catch(() => undefined);
    return await result;
  }

  /** Closes the page after the calls so far; the next call opens another. */
  close(): void {
    this.#queue = this.#queue.then(() => this.#closePage());
  }

  /** Also closes one whose session has ended: that of an extension that was uninstalled does, and leaves the page open. */
  #closePage(): void {
    void this.#page?.page.close();
    this.#page = undefined;
  }

  async #run<T>(act: (page: HiddenPage) => Promise<T>, isPassive: boolean): Promise<T> {
    return await this.reach.use(async (link) => {
      if (this.#page?.link !== link || this.#page.isOver) this.#closePage();
      if (this.#page) {
        try {
          return await act(this.#page.page);
        } catch (error) {
          if (!isPageGone(error) || !link.isOpen) throw error;
          this.#closePage();
        }
      }
      return await act(await this.#open(link));
    }, isPassive);
  }

  async #open(link: BrowserLink): Promise<HiddenPage> {
    const [page, { watchStorage }, { onDisconnected }] = await Promise.all([
      this.reach.open(link),
      import('../../devtools/storage/extensionStorage'),
      import('../../devtools/protocol/connect'),
    ]);
    const opened = { link, page, isOver: false };
    onDisconnected(page.session, () => {
      opened.isOver = true;
    });
    try {
      await watchStorage(page, this.onChange);
    } catch (error) {
      void page.close();
      throw error;
    }
    this.#page = opened;
    return page;
  }
}

/** Whether an error of the page means that another page is needed. */
function isPageGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'TargetCloseError' || (error.name === 'StorageError' && fieldOf(error, 'reason') === 'gone');
}
