import { type Clock, inTime } from '../../base/clock';
import type { CDPSession, Protocol } from './connect';

/** The address of a page that shows nothing. */
export const BLANK = 'about:blank';

/** How long a page may take to leave or to come, in milliseconds (C-TIME-PAGE). */
const LIMIT_MS = 3000;

/**
 * Navigates a page, whose `Page` domain is enabled, by `command`, and waits until its main frame is one that `isThere` accepts: the command is
 * answered before that, of a background tab so much earlier that a reload of the extension still finds the previous page. Resolves to true
 * also after a time limit; to false when the frame shows an error page, or the command fails, as it does when the page was closed.
 */
export async function navigateUntil(
  session: CDPSession,
  isThere: (frame: Protocol.Page.Frame) => boolean,
  command: () => Promise<unknown>,
  clock: Clock,
): Promise<boolean> {
  let onNavigated = (_: Protocol.Page.FrameNavigatedEvent): void => undefined;
  const shown = new Promise<boolean>((resolve) => {
    onNavigated = ({ frame }) => {
      if (frame.parentId !== undefined) return;
      if (frame.unreachableUrl !== undefined) resolve(false);
      else if (isThere(frame)) resolve(true);
    };
    session.on('Page.frameNavigated', onNavigated);
    command().catch(() => resolve(false));
  });
  try {
    return (await inTime(shown, LIMIT_MS, clock)) ?? true;
  } finally {
    session.off('Page.frameNavigated', onNavigated);
  }
}

/** Shows an address in a page, as `navigateUntil` does. */
export async function navigateTo(session: CDPSession, url: string, clock: Clock): Promise<boolean> {
  return await navigateUntil(
    session,
    (frame) => frame.url === url,
    () => session.send('Page.navigate', { url }),
    clock,
  );
}
