import { setTimeout as delay } from 'node:timers/promises';
import { listContexts } from '../devtools/extensions/contexts';
import { openStandIn } from '../devtools/pages/standInPage';
import type { Browser } from '../service/model';
import { withLink } from './namedBrowsers';
import { SETTLE_MS } from './runtimeErrors';
import type { ToolWindow } from './tool';

/** How long content scripts may take to run after their page was opened, in milliseconds. */
export const CONTENT_LIMIT_MS = 5000;

/** The pause between two polls, in milliseconds. */
const POLL_MS = 100;

/**
 * Opens an empty page that stands in for the one at an http or https address, until content scripts of an extension run there and have had the time
 * to report errors, and closes it. Resolves to whether some ran within 5 s. Rejects with the signal's reason, or when the browser does not open it.
 */
export async function runContentScripts(
  window: ToolWindow,
  { browser, extensionId }: { browser: Browser; extensionId: string },
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  return await withLink(window, browser, async (link) => {
    const page = await openStandIn(link.connection, address);
    try {
      const deadline = performance.now() + CONTENT_LIMIT_MS;
      while (performance.now() < deadline) {
        const { contentScriptTabs } = await listContexts(link, extensionId);
        const doRun = contentScriptTabs.some(({ targetId }) => targetId === page.targetId);
        await delay(doRun ? SETTLE_MS : POLL_MS, undefined, { signal });
        if (doRun) return true;
      }
      return false;
    } finally {
      await page.close();
    }
  });
}
