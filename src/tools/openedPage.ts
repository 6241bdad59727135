import { hasLoaded, type OpenedPage } from '../devtools/pageLoad';
import type { BrowserSession } from '../service/model';
import { withLink } from './browsers';
import { settleMsAfter } from './runtimeErrors';
import type { ToolWindow } from './tool';

/** What was opened, and how its page has loaded. */
export interface Loaded<T> {
  opened: T;
  /** False while the page is still loading after the limit of {@link hasLoaded}. */
  isLoaded: boolean;
  /** How long errors of it are waited for, in milliseconds. */
  settleMs: number;
}

/**
 * Opens something by `open` and waits until its page has loaded; of an opened value without a page, nothing is waited for. Rejects with the
 * signal's reason, or when the connection is lost.
 */
export async function openAndLoad<T extends object>(
  window: ToolWindow,
  session: BrowserSession,
  signal: AbortSignal,
  open: () => Promise<T & { page?: OpenedPage | undefined }>,
): Promise<Loaded<T>> {
  const started = performance.now();
  const opened = await open();
  const { page } = opened;
  const isLoaded = page === undefined || (await withLink(window, session, (link) => hasLoaded(link, page, signal)));
  return { opened, isLoaded, settleMs: settleMsAfter(performance.now() - started) };
}
