import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Connection, Protocol } from './connect';
import { HeldPage, type Page } from './tabs';

/** What a tab shows while its page is away. */
const BLANK = 'about:blank';

/**
 * How long a page may take to leave or to come back, in milliseconds (measured: 10, seldom over 1000 on a busy machine). The reload closes one
 * that stays.
 */
const NAVIGATION_LIMIT_MS = 3000;

/**
 * A tab with a page of an extension, kept over a reload of that extension: Chromium closes the tabs of an extension that it unloads, and
 * those that are opened instead would come at the end of another window. So the page leaves before the reload and comes back after
 * it, by the history of its tab. Release what it holds.
 */
export class KeptTab {
  private constructor(
    readonly held: HeldPage,
    /** The page's entry in the history of its tab. */
    private readonly entryId: number | undefined,
  ) {}

  /** Rejects when the page was closed meanwhile. */
  static async of(connection: Connection, page: Page): Promise<KeptTab> {
    const held = await HeldPage.hold(connection, page);
    const { session } = held;
    session.on('Page.javascriptDialogOpening', (event) => {
      answerUnloadQuestion(session, event);
    });
    try {
      const [{ entries, currentIndex }] = await Promise.all([
        session.send('Page.getNavigationHistory'),
        session.send('Page.enable'),
      ]);
      return new KeptTab(held, entries[currentIndex]?.id);
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** Shows a blank page instead; does nothing when the page was closed meanwhile, or does not leave in time. */
  async leave(): Promise<void> {
    // The command is answered before the page has left, of a tab in the background by so much that the reload still finds it.
    await this.#navigate(
      ({ url }) => url === BLANK,
      () => this.held.session.send('Page.navigate', { url: BLANK }),
    );
  }

  /** Shows the page again; resolves to false when the tab was closed meanwhile. */
  async comeBack(): Promise<boolean> {
    const { session, page } = this.held;
    const { entryId } = this;
    const isBack = (frame: Protocol.Page.Frame): boolean => frame.url !== BLANK && frame.unreachableUrl === undefined;
    const byHistory = async (): Promise<unknown> => {
      if (entryId === undefined) throw new Error('the page has no history');
      return await session.send('Page.navigateToHistoryEntry', { entryId });
    };
    // Chromium may have replaced the entry of a page that was opened just before.
    if (await this.#navigate(isBack, byHistory)) return true;
    return await this.#navigate(isBack, () => session.send('Page.navigate', { url: page.url }));
  }

  /**
   * Navigates by `command` and waits until the tab shows what `isThere` expects. Resolves to true also when that takes too long; to false when
   * the tab shows an error page, was closed, or the command is refused.
   */
  async #navigate(isThere: (frame: Protocol.Page.Frame) => boolean, command: () => Promise<unknown>): Promise<boolean> {
    const { session } = this.held;
    const abort = new AbortController();
    let onNavigated = (_: Protocol.Page.FrameNavigatedEvent): void => undefined;
    const shown = new Promise<boolean>((resolve) => {
      onNavigated = ({ frame }) => {
        if (frame.parentId !== undefined) return;
        if (isThere(frame)) resolve(true);
        else if (frame.unreachableUrl !== undefined) resolve(false);
      };
      session.on('Page.frameNavigated', onNavigated);
      command().catch(() => {
        resolve(false);
      });
    });
    const late = delay(NAVIGATION_LIMIT_MS, true, { signal: abort.signal }).catch(() => true);
    try {
      return await Promise.race([shown, late]);
    } finally {
      abort.abort();
      session.off('Page.frameNavigated', onNavigated);
    }
  }
}

/** A page may ask whether it may be left. The reload, which the user wants, would close it without that question. */
function answerUnloadQuestion(session: CDPSession, { type }: Protocol.Page.JavascriptDialogOpeningEvent): void {
  if (type === 'beforeunload') session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined);
}
