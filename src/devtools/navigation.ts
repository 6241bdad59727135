import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Protocol } from './connect';

/** The address of a page that shows nothing. */
export const BLANK = 'about:blank';

/** How long a page may take to leave or to come, in milliseconds (measured: 10, seldom over 1000 on a busy machine). */
const LIMIT_MS = 3000;

/**
 * Navigates a page, whose events are enabled, by `command`, and waits until it shows what `isThere` expects: the command is answered before
 * that, for a tab in the background by so much that a reload of its extension still finds the page before. Resolves to true also when that takes too
 * long; to false when the page became an error page or was closed, or the command was refused.
 */
export async function navigate(
  session: CDPSession,
  isThere: (frame: Protocol.Page.Frame) => boolean,
  command: () => Promise<unknown>,
): Promise<boolean> {
  const abort = new AbortController();
  let onNavigated = (_: Protocol.Page.FrameNavigatedEvent): void => undefined;
  const shown = new Promise<boolean>((resolve) => {
    onNavigated = ({ frame }) => {
      if (frame.parentId !== undefined) return;
      if (frame.unreachableUrl !== undefined) resolve(false);
      else if (isThere(frame)) resolve(true);
    };
    session.on('Page.frameNavigated', onNavigated);
    command().catch(() => {
      resolve(false);
    });
  });
  const late = delay(LIMIT_MS, true, { signal: abort.signal }).catch(() => true);
  try {
    return await Promise.race([shown, late]);
  } finally {
    abort.abort();
    session.off('Page.frameNavigated', onNavigated);
  }
}

/** Shows an address in a page, as `navigate` does. */
export async function navigateTo(session: CDPSession, url: string): Promise<boolean> {
  return await navigate(
    session,
    (frame) => frame.url === url,
    () => session.send('Page.navigate', { url }),
  );
}
