import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Connection, Protocol } from './connect';
import { HeldPage, type Page } from './tabs';

/** What a tab shows while its page is away. */
const BLANK = 'about:blank';

/** How long a page may take to leave, in milliseconds (measured: 10, seldom over 1000 on a busy machine). The reload closes one that stays. */
const LEAVE_LIMIT_MS = 3000;

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
    const [{ entries, currentIndex }] = await Promise.all([
      session.send('Page.getNavigationHistory'),
      session.send('Page.enable'),
    ]);
    return new KeptTab(held, entries[currentIndex]?.id);
  }

  /** Shows a blank page instead; does nothing when the page was closed meanwhile, or does not leave in time. */
  async leave(): Promise<void> {
    const { session } = this.held;
    const abort = new AbortController();
    const late = delay(LEAVE_LIMIT_MS, undefined, { signal: abort.signal }).catch(() => undefined);
    const left = new Promise<void>((resolve) => {
      // The command is answered before the page has left, of a tab in the background by so much that the reload still finds it.
      session.on('Page.frameNavigated', ({ frame }: Protocol.Page.FrameNavigatedEvent) => {
        if (frame.parentId === undefined && frame.url === BLANK) resolve();
      });
      session.send('Page.navigate', { url: BLANK }).catch(resolve);
    });
    await Promise.race([left, late]);
    abort.abort();
  }

  /** Shows the page again; resolves to false when the tab was closed meanwhile. */
  async comeBack(): Promise<boolean> {
    const { session, page } = this.held;
    try {
      if (this.entryId === undefined) throw new Error('the page has no history');
      await session.send('Page.navigateToHistoryEntry', { entryId: this.entryId });
      return true;
    } catch {
      // Chromium may have replaced the entry of a page that was opened just before.
      return await session.send('Page.navigate', { url: page.url }).then(
        () => true,
        () => false,
      );
    }
  }
}

/** A page may ask whether it may be left. The reload, which the user wants, would close it without that question. */
function answerUnloadQuestion(session: CDPSession, { type }: Protocol.Page.JavascriptDialogOpeningEvent): void {
  if (type === 'beforeunload') session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined);
}
