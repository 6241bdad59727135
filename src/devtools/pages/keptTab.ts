import type { Clock } from '../../base/clock';
import type { CDPSession, Connection, Protocol } from '../protocol/connect';
import { BLANK, navigateTo, navigateUntil } from '../protocol/navigation';
import { HeldPage, type Page } from './tabs';

/**
 * A tab with a page of an extension, kept over a reload of that extension: Chromium closes the tabs of an extension that it unloads
 * (C-RELOAD-CLOSES-TABS), and those that are opened instead would come at the end of another window. So the page leaves before the reload and comes
 * back after it, by the history of its tab. Release what it holds.
 */
export class KeptTab {
  private constructor(
    readonly held: HeldPage,
    /** The page's entry in the history of its tab. */
    private readonly entryId: number | undefined,
    private readonly clock: Clock,
  ) {}

  /** Rejects when the page was closed meanwhile. */
  static async of(connection: Connection, page: Page, clock: Clock): Promise<KeptTab> {
    const held = await HeldPage.hold(connection, page);
    const { session } = held;
    session.on('Page.javascriptDialogOpening', (event) => answerUnloadQuestion(session, event));
    try {
      const [{ entries, currentIndex }] = await Promise.all([
        session.send('Page.getNavigationHistory'),
        session.send('Page.enable'),
      ]);
      return new KeptTab(held, entries[currentIndex]?.id, clock);
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  /** Shows a blank page instead; does nothing when the page was closed meanwhile, or does not leave in time: the reload closes it then. */
  async leave(): Promise<void> {
    await navigateTo(this.held.session, BLANK, this.clock);
  }

  /** Shows the page again; resolves to false when the tab was closed meanwhile, or shows an error page. */
  async comeBack(): Promise<boolean> {
    const { session, page } = this.held;
    const { entryId, clock } = this;
    const isBack = ({ url }: Protocol.Page.Frame): boolean => url !== BLANK;
    const by = (command: () => Promise<unknown>): Promise<boolean> => navigateUntil(session, isBack, command, clock);
    // The entry of a page that was opened just before may have been replaced (C-PAGE-HISTORY).
    return (
      (entryId !== undefined && (await by(() => session.send('Page.navigateToHistoryEntry', { entryId })))) ||
      (await by(() => session.send('Page.navigate', { url: page.url })))
    );
  }
}

/** A page may ask whether it may be left. The reload, which the user wants, would close it without that question. */
function answerUnloadQuestion(session: CDPSession, { type }: Protocol.Page.JavascriptDialogOpeningEvent): void {
  if (type === 'beforeunload') session.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined);
}
