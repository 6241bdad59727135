import { whenLoaded, type OpenedPage, type PageLoad } from '../devtools/pages/pageLoad';
import type { Browser } from '../service/model';
import { withLink } from './namedBrowsers';
import { settleMsAfter } from './runtimeErrors';
import type { ToolWindow } from './tool';

/** What was opened, and how its page has loaded. */
export interface Loaded<T> {
  opened: T;
  /** As {@link whenLoaded} says. */
  load: PageLoad;
  /** How long errors of it are waited for, in milliseconds. */
  settleMs: number;
}

/**
 * Opens something by `open` and waits until its page has loaded; of an opened value without a page, nothing is waited for. Rejects with the
 * signal's reason, or when the connection is lost.
 */
export async function openAndLoad<T extends object>(
  window: ToolWindow,
  browser: Browser,
  signal: AbortSignal,
  open: () => Promise<T & { page?: OpenedPage | undefined }>,
): Promise<Loaded<T>> {
  const started = performance.now();
  const opened = await open();
  const { page } = opened;
  const load = page ? await withLink(window, browser, (link) => whenLoaded(link, page, signal)) : 'loaded';
  return { opened, load, settleMs: settleMsAfter(performance.now() - started) };
}
