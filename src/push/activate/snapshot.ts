import { registeredFiles } from '../../devtools/extensions/registered';
import { shownSidePanels, type SidePanel } from '../../devtools/extensions/sidePanels';
import { KeptTab } from '../../devtools/pages/keptTab';
import { isConnectedToServer } from '../../devtools/pages/openSockets';
import {
  type ContentScriptTab,
  type ExtensionPage,
  type HeldPage,
  holdContentScriptTabs,
  holdPages,
  listExtensionPages,
  type Page,
  type ScriptPages,
  webPages,
} from '../../devtools/pages/tabs';
import { WorkerWatch } from '../../devtools/workers/workers';
import { fieldOf } from '../../base/fields';
import type { Manifest } from '../../manifest/manifest';
import { contentScriptPages, loadedScriptPages } from '../../manifest/scriptPages';
import type { TabPolicy } from '../browserDelivery';
import { type ReloadKind, type ReloadNeed, textsOf } from '../prepare/changes';
import type { PushLink } from '../pushLink';

/** What a browser needs for a build once its files are there. */
export interface Needs extends Omit<ReloadNeed, 'changed'>, ScriptPages {
  tabs: TabPolicy;
  /** What becomes of them instead where the extension has registered one of the `registrable` files, or may have; asked for only then. */
  tabsIfRegistered?: () => Promise<TabPolicy>;
  /** Whether it may open side panels. */
  mayOpenPanels: boolean;
  /** Whether a development server brings all that has changed to the pages that are connected to it. Asked where only pages need the build. */
  isUpdatedInPlace: () => Promise<boolean>;
  /** Whether the browser has restarted for the build, so that its load does not wait for Developer mode: its worker does. */
  isAfterRestart?: boolean;
  /** The folder of the build, where such a browser may load it as soon as its worker is watched: over a long line, that saves a trip. */
  loadAhead?: string | undefined;
}

/** What a load of the extension needs, whatever has changed. */
export function needsOfLoad(tabs: TabPolicy, { raw }: Manifest): Needs {
  return {
    reload: 'load',
    tabs,
    registrable: [],
    reloadUnregistered: 'load',
    isUpdatedInPlace: () => Promise.resolve(false),
    // With the permission for side panels, or where it can ask for it.
    mayOpenPanels: textsOf(raw).has('sidePanel'),
    runsAt: contentScriptPages({ content_scripts: fieldOf(raw, 'content_scripts') }) ?? (() => false),
    matches: loadedScriptPages(raw),
  };
}

/** What is open in the browser before a build is activated, so that nothing is lost by it. Dispose of it. */
export interface BrowserSnapshot {
  /** The connection over which the snapshot was taken. */
  link: PushLink;
  /** What will make Chromium run the build. */
  reload: ReloadKind;
  /** What becomes of the tabs. */
  tabs: TabPolicy;
  /**
   * The changed files that the extension has registered, or may have where nobody could say (not `isSure`): tabs are reloaded once it has registered one
   * of them again, and where that is not sure, only then.
   */
  registered: { files: readonly string[]; isSure: boolean };
  /** The extension's own pages. */
  pages: ExtensionPage[];
  /** Those of them, attached to, that are reloaded without their extension: not those that a development server updates. */
  heldPages: { page: ExtensionPage; held: HeldPage }[];
  /** The tabs of the extension's pages, which its reload would close; empty when it is not reloaded. */
  keptTabs: KeptTab[];
  /** The extension's side panels that windows show, which its reload closes; empty when it is not reloaded. */
  sidePanels: SidePanel[];
  /** The tabs that run its content scripts and need the new ones. */
  contentScriptTabs: ContentScriptTab[];
  /**
   * The pages at addresses where the extension has content scripts that may have run those of the previous build, or none: `isDue` for those that have come
   * there since, and for those whose address has scripts and which had not answered in time; of the others, those are due that run some.
   */
  latePages: () => Promise<readonly { page: Page; isDue: boolean }[]>;
  /** Begun before the reload, so that the new worker cannot be missed; absent when nothing is reloaded. */
  watch: WorkerWatch | undefined;
  /** Whether the new worker runs only in Developer mode, so that the load need not wait for that. */
  isHolding: boolean;
  /** The load of the build where it was requested with the watch; see `PushLink.loadFolder`. */
  loading: Promise<string> | undefined;
  /** Stops watching and detaches from all pages. Never rejects. */
  dispose: () => Promise<void>;
}

/** Takes the snapshot before a reload of the extension `id`; undefined when none is loaded yet. */
export async function takeSnapshot(link: PushLink, id: string | undefined, needs: Needs): Promise<BrowserSnapshot> {
  const { registrable, mayOpenPanels, isUpdatedInPlace, isAfterRestart, loadAhead } = needs;
  const { connection } = link;
  const all = id === undefined || registrable.length === 0 ? undefined : await registeredFiles(link, id);
  const files = registrable.filter((file) => all?.has(file) ?? true);
  const reload = files.length === 0 && registrable.length > 0 ? needs.reloadUnregistered : needs.reload;
  const tabs = (files.length > 0 ? await needs.tabsIfRegistered?.() : undefined) ?? needs.tabs;
  const isReloaded = reload === 'load' || reload === 'reload';
  // In the hands of a debugger, a worker waits for that alone.
  const isHolding = isReloaded && isAfterRestart === true && link.debuggers.isEmpty;
  // A restart for a first build has left no tabs.
  const mayHaveTabs = tabs !== 'none' && (id !== undefined || isAfterRestart !== true);
  const before = mayHaveTabs ? await webPages(link) : undefined;
  const taking = Promise.all([
    id === undefined ? [] : listExtensionPages(link, id),
    mayHaveTabs ? holdContentScriptTabs(link, id, needs) : [],
    isReloaded
      ? WorkerWatch.begin(connection, link.debuggers, link.clock, isHolding ? link.developerMode() : undefined)
      : undefined,
  ]);
  // The browser begins to watch before it loads, in the order in which it is asked.
  const isAhead = isHolding && id === undefined && loadAhead !== undefined;
  const loading = isAhead ? link.loadFolder(loadAhead) : undefined;
  loading?.catch(() => undefined);
  const [pages, found, watch] = await taking;
  const [heldPages, keptTabs, sidePanels] = await Promise.all([
    reload === 'pages' ? holdStalePages(link, pages, isUpdatedInPlace) : [],
    isReloaded ? keepTabs(link, pages) : [],
    isReloaded && mayOpenPanels ? shownSidePanels(link, pages) : [],
  ]);
  return {
    link,
    reload,
    tabs,
    registered: { files, isSure: all !== undefined || needs.tabs !== 'none' },
    pages,
    heldPages,
    keptTabs,
    sidePanels,
    contentScriptTabs: tabs === 'visible' ? found.filter(({ isVisible }) => isVisible) : found,
    latePages: async () => {
      if (!before) return [];
      const seen = new Map(before.map(({ targetId, url }) => [targetId, url]));
      const known = new Set(found.map(({ held }) => held.page.targetId));
      const pages = (await webPages(link)).filter(({ targetId, url }) => needs.runsAt(url) && !known.has(targetId));
      return pages.map((page) => ({
        page,
        isDue: seen.get(page.targetId) !== page.url || needs.matches(page.url),
      }));
    },
    watch,
    isHolding,
    loading,
    dispose: async () => {
      await Promise.all([...found, ...heldPages, ...keptTabs].map(({ held }) => held.release()));
      await watch?.dispose();
    },
  };
}

/** Holds the pages that have to be reloaded for the build. */
async function holdStalePages(
  { connection, clock }: PushLink,
  pages: readonly ExtensionPage[],
  isUpdatedInPlace: () => Promise<boolean>,
): Promise<BrowserSnapshot['heldPages']> {
  const all = await holdPages(connection, pages);
  if (all.length === 0 || !(await isUpdatedInPlace())) return all;
  const stale = await Promise.all(
    all.map(async (one) => {
      if (!(await isConnectedToServer(one.held.session, clock))) return [one];
      await one.held.release();
      return [];
    }),
  );
  return stale.flat();
}

/** Keeps the tabs of pages that leave; those that are closed meanwhile are left out. */
async function keepTabs({ connection, clock }: PushLink, pages: readonly ExtensionPage[]): Promise<KeptTab[]> {
  const tabs = pages.filter(({ holder }) => holder === 'tab');
  const kept = await Promise.all(tabs.map((page) => KeptTab.of(connection, page, clock).catch(() => undefined)));
  return kept.filter((tab) => tab !== undefined);
}
