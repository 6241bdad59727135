import * as l10n from '@vscode/l10n';
import type { BrowserLink } from '../../devtools/connection/link';
import type { Tab } from '../../devtools/pages/tabs';
import type { Browser } from '../../service/model';
import { contentNodes, noteNode, type BrowserContents, type BrowserExtension } from '../lists/browserContents';
import { contextNodes, unreadableContexts } from '../lists/contextRows';
import { browserLabel } from '../lists/labels';
import type { Node } from '../lists/nodes';
import type { TabScripts } from '../lists/tabScripts';
import { sentenceFor } from '../messages';
import type { ServiceWiring } from '../service/connection';
import type { LocalhostHost } from '../localhost/localhostHost';
import type { DevToolsHost } from './devToolsHost';
import { withBrowser, type GoneWiring } from './gone';
import type { PushRecords } from '../../push/known/pushRecords';

/** What the rows below a browser need. */
export interface ContentWiring extends ServiceWiring {
  devTools: DevToolsHost;
  records: PushRecords;
  localhost: LocalhostHost;
}

/**
 * Reads over DevTools which extensions and tabs a browser has, and resolves to what draws their rows. Never rejects: a failure is a
 * row that says why, and `onFailure` is called. Uses the connection of the pushes, and keeps it open no longer than they do.
 */
export async function readContents(
  wiring: ContentWiring,
  browser: Browser,
  scripts: TabScripts,
  onFailure: () => unknown,
): Promise<() => Node<unknown>[]> {
  const { id } = browser;
  try {
    const contents = await withLinkPassively(wiring, browser, readWith);
    return () => [
      ...wiring.localhost.rowsOf(browser),
      ...contentNodes(browser, contents, wiring.records.get(id), Date.now(), scripts.in(id)),
    ];
  } catch (error) {
    const detail = sentenceFor(error) ?? String(error);
    wiring.log.warn(`What runs in ${browserLabel(browser)} could not be read: ${detail}`);
    void onFailure();
    return () => [noteNode(id, 'warning', l10n.t('DevTools of this browser could not be reached'), detail)];
  }
}

/**
 * Reads over DevTools where the code of an extension runs now, and resolves to what draws those rows. Never rejects: a failure is a row that
 * says why. `onTabs` gets the tabs with its content scripts. Keeps neither the connection nor the extension's worker longer than without.
 */
export async function readContexts(
  wiring: ContentWiring,
  of: BrowserExtension,
  onTabs: (tabs: readonly Tab[]) => void,
): Promise<() => Node<unknown>[]> {
  const { browser, extension } = of;
  try {
    const { listContexts } = await import('../../devtools/extensions/contexts');
    const contexts = await withLinkPassively(wiring, browser, (link) => listContexts(link, extension.id));
    onTabs(contexts.contentScriptTabs);
    return () => contextNodes(of, contexts, Date.now());
  } catch (error) {
    const detail = sentenceFor(error) ?? String(error);
    wiring.log.warn(`What runs of ${extension.name} in ${browserLabel(browser)} could not be read: ${detail}`);
    return () => [unreadableContexts(of, l10n.t('DevTools of this browser could not be reached'), detail)];
  }
}

/**
 * Runs `act` with the DevTools connection of a browser that pushes use, too.
 * @throws DevToolsError, ServiceError for an address that must not be connected to
 */
export async function withLink<T>(
  wiring: ContentWiring,
  browser: Browser,
  act: (link: BrowserLink) => Promise<T>,
): Promise<T> {
  const browsers = await wiring.devTools.ofService();
  return await browsers.use(browser, act);
}

/**
 * As `withLink`; when that fails because the browser no longer exists, shows a notification and resolves to undefined.
 * @throws DevToolsError, ServiceError for an address that must not be connected to
 */
export async function withLinkOrGone<T>(
  wiring: ContentWiring & GoneWiring,
  browser: Browser,
  act: (link: BrowserLink) => Promise<T>,
): Promise<T | undefined> {
  return await withBrowser(wiring, browser, () => withLink(wiring, browser, act));
}

/**
 * As `withLink`, for what nobody has asked for: an open connection is closed no later for it.
 * @throws DevToolsError, ServiceError for an address that must not be connected to
 */
export async function withLinkPassively<T>(
  wiring: ContentWiring,
  browser: Browser,
  act: (link: BrowserLink) => Promise<T>,
): Promise<T> {
  const browsers = await wiring.devTools.ofService();
  return await browsers.usePassively(browser, act);
}

async function readWith(link: BrowserLink): Promise<BrowserContents> {
  const { listTabs } = await import('../../devtools/pages/tabs');
  const [extensions, tabs, states] = await Promise.all([link.extensions(), listTabs(link), link.knownWorkers()]);
  const workers = new Map<string, 'runs' | 'stopped'>();
  for (const { id } of extensions) {
    const state = states?.stateOf(id);
    if (state) workers.set(id, state.status === 'stopped' ? 'stopped' : 'runs');
  }
  return { extensions, tabs, workers };
}
