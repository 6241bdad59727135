import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errorMessage';
import { fieldOf } from '../../base/fields';
import { openPanel, panelInTime, shownPanel } from '../inPage/panelCalls';
import { manifestOf, offeredSurfaces, type Offered, openOptionsPage } from '../inPage/surfaceCalls';
import { type Connection, type Protocol, type CDPSession, isClosed } from '../protocol/connect';
import { extensionOf } from '../protocol/extensionUrl';
import { callWithGesture, NotEnabledError, withExtensionPage } from '../protocol/extensionPage';
import { navigateUntil } from '../protocol/navigation';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import type { OpenedPage } from '../pages/pageLoad';
import { ANSWER_LIMIT_MS } from './sidePanels';
import { listTabTargets } from '../pages/activeTabs';
import { HeldPage, isInWindow, openTab, type Page, showTab } from '../pages/tabs';

/** How long a popup may take to appear after its action was pressed, in milliseconds (C-TIME-POPUP). */
const POPUP_LIMIT_MS = 3000;

/** What a person opens of an extension. */
export type Surface = 'popup' | 'action' | 'options' | 'sidePanel';

/**
 * How a surface was opened: itself; its page as a tab, where the browser cannot open the surface; or not at all. `reason` is a part of a
 * sentence for people. `page` is undefined of an action without a popup.
 */
export type Opened =
  | { as: 'itself'; page: OpenedPage | undefined }
  | { as: 'tab'; reason: string; url: string; page: OpenedPage }
  | { as: 'nothing'; reason: string };

/**
 * Opens a surface of the extension `id`, as a click of the user in the window in front would: the popup and the side panel in their places.
 * Where the browser cannot do that, the page opens as a tab. `reloadsOptions`: an options page that is open already is loaded again, and not only
 * shown. Rejects when the connection is lost.
 */
export async function openSurface(
  link: BrowserLink,
  id: string,
  surface: Surface,
  { reloadsOptions = false } = {},
): Promise<Opened> {
  const tabs = frontTabs(link.connection);
  // The call below fails for the same reason.
  tabs.catch(() => undefined);
  try {
    return await withExtensionPage(link.connection, id, async (page) => {
      const offered: unknown = await callWithGesture(page, callOf(offeredSurfaces));
      if (!isOffered(offered)) return { as: 'nothing', reason: l10n.t('the browser does not answer') };
      switch (surface) {
        case 'popup':
          return await openPopup(link, id, offered, await tabs);
        case 'action':
          return await pressAction(link, id, offered, await tabs);
        case 'options':
          return await openOptions(link, page, offered, { reloads: reloadsOptions });
        case 'sidePanel':
          return await openSidePanel(link, page, offered);
      }
    });
  } catch (error) {
    if (!(error instanceof NotEnabledError)) throw error;
    return { as: 'nothing', reason: l10n.t('it is not enabled') };
  }
}

/** The manifest of the extension `id` as it runs. Rejects with a NotEnabledError when it does not. */
export async function runningManifest({ connection }: BrowserLink, id: string): Promise<unknown> {
  return await withExtensionPage(connection, id, (page) => callWithGesture(page, callOf(manifestOf)));
}

/** Shows an address in the browser: in the tab that has it already, else in a blank or a new one; resolves to that tab. */
export async function showAddress(link: BrowserLink, url: string): Promise<Page> {
  const open = await findTab(link, url);
  if (!open) return await openTab(link, url);
  await showTab(link.connection, open);
  return open;
}

/** The same, where a tab that has it already is loaded again, unless a debugger has paused it. */
export async function showLoadedNow(link: BrowserLink, url: string): Promise<Page> {
  const open = await findTab(link, url);
  if (!open) return await openTab(link, url);
  const { connection, clock, debuggers } = link;
  await showTab(connection, open);
  if (debuggers.isPagePaused(open.targetId)) return open;
  const held = await HeldPage.hold(connection, open);
  try {
    await held.session.send('Page.enable');
    // The document of before would count as loaded.
    await navigateUntil(
      held.session,
      () => true,
      () => held.session.send('Page.reload'),
      clock,
    );
  } finally {
    await held.release();
  }
  return open;
}

/** A tab that shows exactly this address; undefined when there is none. */
export async function findTab({ connection, targets }: BrowserLink, url: string): Promise<Page | undefined> {
  const pages = (await targets.list()).filter((target) => target.type === 'page' && target.url === url);
  const areTabs = await Promise.all(pages.map(({ targetId }) => isInWindow(connection, targetId)));
  return pages.find((_, at) => areTabs[at]);
}

async function openPopup(link: BrowserLink, id: string, offered: Offered, tabs: FrontTabs): Promise<Opened> {
  if (!offered.hasAction) return { as: 'nothing', reason: noAction() };
  if (offered.popup === '')
    return { as: 'nothing', reason: l10n.t('it has no popup, and "Press Action" runs its click listener') };
  const reason = await press(link, id, offered, tabs);
  return reason === undefined ? itself(offered.popup) : await openAsTab(link, offered.popup, reason);
}

async function pressAction(link: BrowserLink, id: string, offered: Offered, tabs: FrontTabs): Promise<Opened> {
  if (!offered.hasAction) return { as: 'nothing', reason: noAction() };
  const reason = await press(link, id, offered, tabs);
  return reason === undefined ? itself(offered.popup) : { as: 'nothing', reason };
}

async function openOptions(
  link: BrowserLink,
  page: CDPSession,
  offered: Offered,
  { reloads }: { reloads: boolean },
): Promise<Opened> {
  if (offered.options === '')
    return { as: 'nothing', reason: l10n.t('its manifest names no options page ("options_ui")') };
  if (reloads && (await findTab(link, offered.options))) {
    return { as: 'itself', page: await showLoadedNow(link, offered.options) };
  }
  if (!link.debuggers.isEmpty) {
    // A tab that is opened with its address may run before the breakpoints of a debugger are set (C-ATTACH-OPENED).
    return { as: 'itself', page: await showAddress(link, offered.options) };
  }
  const reason = await reasonOf(callWithGesture(page, callOf(openOptionsPage)));
  if (reason !== undefined) return await openAsTab(link, offered.options, reason);
  return { as: 'itself', page: { url: offered.options, mayCome: true } };
}

async function openSidePanel(link: BrowserLink, page: CDPSession, offered: Offered): Promise<Opened> {
  const { windowId, tabId, isPanelOfTab } = offered;
  if (!offered.hasSidePanel) {
    return { as: 'nothing', reason: l10n.t('its manifest does not ask for the permission "sidePanel"') };
  }
  if (offered.sidePanel === '') {
    return { as: 'nothing', reason: l10n.t('it has no side panel for the tab in front') };
  }
  if (windowId === -1) return await openAsTab(link, offered.sidePanel, noToolbar());
  const where = { windowId, tabId: isPanelOfTab ? tabId : undefined };
  const opening = callOf(openPanel, panelInTime, shownPanel, where, ANSWER_LIMIT_MS);
  const reason = await reasonOf(callWithGesture(page, opening));
  return reason === undefined ? itself(offered.sidePanel) : await openAsTab(link, offered.sidePanel, reason);
}

async function openAsTab(link: BrowserLink, url: string, reason: string): Promise<Opened> {
  return { as: 'tab', reason, url, page: await showAddress(link, url) };
}

/** The surface whose page is there; `url` is empty of an action without a popup. */
function itself(url: string): Opened {
  return { as: 'itself', page: url === '' ? undefined : { url } };
}

/**
 * Presses the action in the toolbar of the window in front, and waits for the popup if it has one; resolves to the reason why that is not
 * possible. In a window without a toolbar the press would end the browser (C-ACTION-ENDS-BROWSER): so the extension itself has found the window just
 * before.
 */
async function press(link: BrowserLink, id: string, offered: Offered, tabs: FrontTabs): Promise<string | undefined> {
  const { connection, targets } = link;
  if (offered.windowId === -1) return noToolbar();
  if (!offered.isActionEnabled) return l10n.t('its action is disabled for the tab in front');
  const tab = tabs.get(offered.windowId);
  if (tab === undefined) return noToolbar();
  const known = new Set((await targets.list()).map(({ targetId }) => targetId));
  const popup = new PopupWait(connection, ({ targetId, url }) => extensionOf(url) === id && !known.has(targetId));
  try {
    await connection.send('Extensions.triggerAction', { id, targetId: tab });
    if (offered.popup === '' || (await popup.appears())) return undefined;
    return l10n.t('it did not open within {0} s', POPUP_LIMIT_MS / 1000);
  } catch (error) {
    return refusalBy(error);
  } finally {
    popup.dispose();
  }
}

/** Of each window the target of the tab in front, by the number of the window. */
type FrontTabs = ReadonlyMap<number, string>;

async function frontTabs(connection: Connection): Promise<FrontTabs> {
  const targets = await listTabTargets(connection);
  const tabs = await Promise.all(
    targets.map(async ({ targetId, isActive }) => {
      const window = await connection.send('Browser.getWindowForTarget', { targetId }).catch(() => undefined);
      return { targetId, windowId: window?.windowId, isActive };
    }),
  );
  // The one in front comes last, so that it is the one that counts.
  const sorted = tabs.sort((a, b) => Number(a.isActive) - Number(b.isActive));
  return new Map(sorted.flatMap(({ windowId, targetId }) => (windowId === undefined ? [] : [[windowId, targetId]])));
}

/** Waits for a page that becomes a popup: its target is created without an address and of another type. Dispose of it. */
class PopupWait {
  #isThere = false;
  #resolve: (isThere: boolean) => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    private readonly isPopup: (target: Protocol.Target.TargetInfo) => boolean,
  ) {
    connection.on('Target.targetInfoChanged', this.#onChanged);
  }

  /** Resolves to false after a time limit. */
  async appears(): Promise<boolean> {
    if (this.#isThere) return true;
    return await new Promise((resolve) => {
      this.#resolve = resolve;
      setTimeout(resolve, POPUP_LIMIT_MS, false).unref();
    });
  }

  dispose(): void {
    this.connection.off('Target.targetInfoChanged', this.#onChanged);
  }

  readonly #onChanged = ({ targetInfo }: Protocol.Target.TargetInfoChangedEvent): void => {
    if (targetInfo.type !== 'page' || !this.isPopup(targetInfo)) return;
    this.#isThere = true;
    this.#resolve(true);
  };
}

/** The reason why a call in the extension's page did not do what it should; undefined when it resolves to true. */
async function reasonOf(calling: Promise<unknown>): Promise<string | undefined> {
  try {
    return (await calling) === true ? undefined : l10n.t('it did not open in time');
  } catch (error) {
    return refusalBy(error);
  }
}

/**
 * That the browser refused, with Chromium's own text, without the stack and the name of the error or the command.
 * @throws the error itself when the connection is closed
 */
function refusalBy(error: unknown): string {
  if (isClosed(error)) throw error;
  const [text = ''] = errorMessage(error).split('\n', 1);
  return l10n.t('the browser refused: {0}', text.replace(/^(?:Error|Protocol error \([\w.]+\)): /, ''));
}

function noToolbar(): string {
  return l10n.t('no window with a toolbar is open');
}

function noAction(): string {
  return l10n.t('its manifest has no "action"');
}

/** The page runs the extension's own JavaScript world, so what comes from there is checked. */
function isOffered(value: unknown): value is Offered {
  const typeOf = (name: string): string => typeof fieldOf(value, name);
  return (
    ['windowId', 'tabId'].every((name) => typeOf(name) === 'number') &&
    ['popup', 'options', 'sidePanel'].every((name) => typeOf(name) === 'string') &&
    ['hasAction', 'isActionEnabled', 'hasSidePanel', 'isPanelOfTab'].every((name) => typeOf(name) === 'boolean')
  );
}
