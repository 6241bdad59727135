import { type DescribedParts, describeParts } from '../inPage/extensionsPageCalls';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import type { WorkerState } from '../workers/serviceWorkers';
import { isSamePage } from '../pages/pageLoad';
import { holdContentScriptTabs, holderOf, type PageHolder, type Tab } from '../pages/tabs';

/**
 * What an open page of an extension is: its popup, side panel or options page; its offscreen document or background page, which nobody
 * sees; a page of it in a tab, or in a frame of another page; `page` where the browser does not say.
 */
export type PageKind = 'popup' | 'sidePanel' | 'options' | 'offscreen' | 'background' | 'tab' | 'frame' | 'page';

/** An open page of an extension. */
export interface ContextPage extends Tab {
  kind: PageKind;
  holder: PageHolder;
}

/** The service worker of an extension; `since` in milliseconds since the epoch, undefined when it was so before the connection. */
export interface ContextWorker {
  /** `asleep`: Chromium has stopped it because it was idle; `stopped`: on request; `failed`: its script has failed. */
  status: 'starting' | 'running' | 'asleep' | 'stopped' | 'failed';
  since: number | undefined;
}

/** Where code of an extension runs now. */
export interface ExtensionContexts {
  /** Undefined for an extension without one. */
  worker: ContextWorker | undefined;
  pages: ContextPage[];
  /** The tabs that run content scripts of it. */
  contentScriptTabs: Tab[];
}

const ORDER: readonly PageKind[] = ['popup', 'options', 'sidePanel', 'offscreen', 'background', 'page', 'tab', 'frame'];

/** Types of targets that can be a page of an extension; the hidden pages of DevTools clients are of type `other`. */
const TYPES = ['page', 'iframe', 'webview', 'background_page'];

/**
 * Where the code of the extension `id` runs now. The worker is not attached to, so that it may fall asleep; to tabs of the web only for a
 * moment, to find content scripts.
 */
export async function listContexts(link: BrowserLink, id: string): Promise<ExtensionContexts> {
  const { connection } = link;
  const [{ targetInfos }, described, workers, tabs] = await Promise.all([
    connection.send('Target.getTargets', { filter: TYPES.map((type) => ({ type })) }),
    describe(link, id),
    link.workers(),
    tabsWithContentScripts(link, id),
  ]);
  const ours = targetInfos.filter(({ url }) => extensionOf(url) === id);
  const holders = await Promise.all(ours.map(({ targetId, type }) => pageHolder(link, targetId, type)));
  const kindOf = kinds(described);
  const pages = ours.map(({ targetId, url, title }, at) => {
    const holder = holders[at] ?? 'own';
    return { targetId, url, title, holder, kind: kindOf(holder, url) };
  });
  return {
    worker: workerOf(workers?.stateOf(id), described),
    pages: pages.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)),
    contentScriptTabs: tabs.map((tab) => ({ ...tab, title: titleOf(targetInfos, tab.targetId) })),
  };
}

async function describe(link: BrowserLink, id: string): Promise<DescribedParts | undefined> {
  return await link.evaluateOnExtensionsPage(callOf(describeParts, id)).catch(() => undefined);
}

async function pageHolder({ connection }: BrowserLink, targetId: string, type: string): Promise<PageHolder> {
  return type === 'webview' ? 'frame' : await holderOf(connection, { targetId, type });
}

/** The kind of each page; call it once for each. Two views may have the same address, so each of them is used once. */
function kinds(described: DescribedParts | undefined): (holder: PageHolder, url: string) => PageKind {
  const views = [...(described?.views ?? [])];
  const take = (url: string, type: string): boolean => {
    const at = views.findIndex((view) => view.url === url && view.type === type);
    if (at >= 0) views.splice(at, 1);
    return at >= 0;
  };
  return (holder, url) => {
    const isOptions = described !== undefined && described.optionsUrl !== '' && isSamePage(url, described.optionsUrl);
    switch (holder) {
      case 'own':
        if (!described) return 'page';
        // A popup has no view (C-POPUP-NO-VIEW).
        return take(url, 'EXTENSION_SIDE_PANEL') ? 'sidePanel' : 'popup';
      case 'none':
        return take(url, 'OFFSCREEN_DOCUMENT') ? 'offscreen' : 'background';
      case 'tab':
      case 'frame':
        return isOptions ? 'options' : holder;
    }
  };
}

function workerOf(state: WorkerState | undefined, described: DescribedParts | undefined): ContextWorker | undefined {
  if (state) {
    const { status, since, isByRequest } = state;
    if (status !== 'stopped') return { status, since };
    return { status: isByRequest ? 'stopped' : 'asleep', since };
  }
  // The view of a worker is there also while none is registered: before its first start, and when its script has failed.
  const hasWorker = described?.views.some(({ type }) => type === 'EXTENSION_SERVICE_WORKER_BACKGROUND') ?? false;
  if (!hasWorker) return undefined;
  return { status: described?.hasWorkerFailed ? 'failed' : 'starting', since: undefined };
}

async function tabsWithContentScripts(link: BrowserLink, id: string): Promise<{ targetId: string; url: string }[]> {
  const tabs = await holdContentScriptTabs(link, id);
  for (const { held } of tabs) void held.release();
  return tabs.map(({ held }) => held.page);
}

function titleOf(targets: readonly { targetId: string; title: string }[], targetId: string): string {
  return targets.find((target) => target.targetId === targetId)?.title ?? '';
}
