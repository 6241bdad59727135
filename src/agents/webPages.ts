import { extensionOf } from '../devtools/protocol/extensionUrl';
import { listTabs } from '../devtools/pages/tabs';
import type { Browser } from '../service/model';
import { quoted } from './bounds';
import { browserName, withLink } from './namedBrowsers';
import { ToolError, type ToolWindow } from './tool';

/** Pages of the web, and blank ones; data in an address is a page of whoever made the address. */
const WEB = /^(?:https?:|about:|data:|blob:https?:|$)/i;

/** A new tab, and the page whose frame shows the options of an extension (C-PAGE-OPTIONS). */
const NEW_TAB = /^chrome:\/\/(?:newtab|new-tab-page|new-tab-page-third-party)\/?$/;
const OPTIONS = /^chrome:\/\/extensions\/\?options=([a-p]{32})$/;

/** Whether agents may see a page and act in it: a page of the web, a blank one, or one of an extension that was pushed. */
export function isForAgents(url: string, pushed: ReadonlySet<string>): boolean {
  if (WEB.test(url) || NEW_TAB.test(url)) return true;
  const extension = extensionOf(url) ?? OPTIONS.exec(url)?.[1];
  return extension !== undefined && pushed.has(extension);
}

/**
 * The address of an open page of a browser that is none of agents' business: a file of this machine, a page of Chromium itself, or one of
 * another extension. Undefined when there is none. Tabs in the background count, since a click shows them.
 */
export async function privatePage(window: ToolWindow, browser: Browser): Promise<string | undefined> {
  const deliveries = await window.deliveries(browser.id);
  const pushed = new Set(deliveries.flatMap(({ extensionId }) => extensionId ?? []));
  for (const { extensionId } of window.builds(browser.id)) pushed.add(extensionId);
  const tabs = await withLink(window, browser, (link) => listTabs(link));
  return tabs.find(({ url }) => !isForAgents(url, pushed))?.url;
}

/**
 * Refuses where a page is open that agents may not see, unless the person has allowed all pages of the browser.
 * @throws ToolError
 */
export async function refusePrivatePages(window: ToolWindow, browser: Browser): Promise<void> {
  if (window.maySeeAllPages(browser.id)) return;
  const url = await privatePage(window, browser);
  if (url === undefined) return;
  throw new ToolError(
    `REFUSED: ${browserName(browser)} has a page open that agents may not see: ${quoted(url, 200)}. They see pages of the web, blank pages and those of pushed extensions. Ask the user to close it, or to allow it.`,
  );
}
