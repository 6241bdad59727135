import { inTime } from '../../base/clock';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { LoadRefusedError } from '../../devtools/protocol/loadRefused';
import { closeHiddenPages } from '../../devtools/protocol/hiddenPage';
import { injectContentScripts } from '../../devtools/extensions/inject';
import { untilRegistered } from '../../devtools/extensions/registered';
import { reopenSidePanels, stillOpen } from '../../devtools/extensions/sidePanels';
import {
  ANSWER_LIMIT_MS,
  type ContentScriptTab,
  HeldPage,
  type Page,
  reopenTabs,
  untilAnswered,
} from '../../devtools/pages/tabs';
import type { Archive } from '../../archive/packer';
import type { Delivery } from '../browserDelivery';
import type { KnownBuild } from '../prepare/changes';
import { injectable } from '../prepare/injectableScripts';
import type { StagedBuild } from '../place/place';
import type { PushLink } from '../pushLink';
import { type BrowserSnapshot, needsOfLoad, takeSnapshot } from './snapshot';

/** How long after a push a page is still reloaded that has not answered before, in milliseconds. */
const LATE_ANSWER_MS = 30_000;

/** A build whose files are in place on the browser's machine, and what is known of the browser. */
export interface Placed {
  delivery: Delivery;
  /** What was placed. */
  archive: Archive;
  /** The extension's folder on the browser's machine. */
  path: string;
  /** The extension that was loaded from there before. */
  loaded: LoadedExtension | undefined;
  /** The build that ran before, where that is certain. */
  previous: KnownBuild | undefined;
  staged: StagedBuild;
  snapshot: BrowserSnapshot;
}

/** Chromium was asked to load the new build. */
export interface Activated {
  extensionId: string;
  /** Resolves when the extension is enabled, which the browser may have disabled; rejects when it cannot be. */
  enabled: Promise<void>;
  snapshot: BrowserSnapshot;
  /** To be called once the new build is verified: waits until the extension's pages are back and the tabs are updated. */
  finish: () => Promise<void>;
}

/**
 * Makes Chromium load the staged files, and begins to update the tabs: as soon as Chromium has loaded them, it gives a tab their content scripts
 * (C-RELOAD-CONTENT-SCRIPTS).
 * @throws LoadRefusedError when Chromium refuses them: the previous build is restored and runs.
 */
export async function activate(link: PushLink, placed: Placed): Promise<Activated> {
  const { loaded, snapshot, delivery } = placed;
  const { tabs } = snapshot;
  if (snapshot.link !== link) {
    // The browser was restarted meanwhile and may have read files of both builds, so the extension is loaded again.
    await snapshot.dispose();
    const now = await takeSnapshot(link, loaded?.id, needsOfLoad(tabs, delivery.prepared.manifest));
    return activate(link, { ...placed, snapshot: now });
  }
  const { heldPages, keptTabs, watch } = snapshot;
  if (loaded && !watch) {
    // There is no command that reloads a single frame.
    const reloaded = Promise.all([
      ...heldPages.map(({ page, held }) => (page.holder === 'frame' ? held.reloadFrame() : held.reload())),
      reloadTabs(placed, snapshot.contentScriptTabs),
      reloadLate(placed, loaded.id),
    ]);
    const finish = async (): Promise<void> => {
      await reloaded;
    };
    return { extensionId: loaded.id, enabled: Promise.resolve(), snapshot, finish };
  }
  try {
    if (loaded) await Promise.all([link.processes.settled(loaded.id), closeHiddenPages(link, loaded.id)]);
    // After a restart the previous worker may have started just now: do not wait for that one.
    if (!snapshot.loading) watch?.forget();
    // Somebody may have closed some while the files were sent.
    snapshot.sidePanels = await stillOpen(link, snapshot.sidePanels);
    await Promise.all(keptTabs.map((tab) => tab.leave()));
    if (loaded) await link.debuggers.release(loaded.id);
    if (loaded) void link.pauseErrors(loaded.id);
    const { extensionId, enabled } = await requestReload(placed);
    const back = bringBack(snapshot);
    const late = reloadLate(placed, extensionId);
    const reloaded = tabs === 'inject' ? undefined : reloadTabsOf(placed, extensionId);
    const finish = async (): Promise<void> => {
      // The new worker has had its time to set the options of its panels.
      const panels = reopenPanels(placed, extensionId);
      await Promise.all([back, panels, late, reloaded ?? injectOrReload(placed, extensionId)]);
    };
    return { extensionId, enabled, snapshot, finish };
  } catch (error) {
    if (loaded) await link.debuggers.restore(loaded.id);
    await bringBack(snapshot);
    if (loaded) await reopenPanels(placed, loaded.id);
    await snapshot.dispose();
    throw error;
  }
}

/** Brings the pages of kept tabs back, and opens those again whose tabs have closed nevertheless. Never rejects. */
async function bringBack({ link, pages, keptTabs }: BrowserSnapshot): Promise<void> {
  const back = await Promise.all(keptTabs.map(async (tab) => ((await tab.comeBack()) ? tab.held.page : undefined)));
  await reopenTabs(
    link.connection,
    pages.filter((page) => !back.includes(page)),
  ).catch(() => undefined);
}

/** Opens the side panels again. Never rejects. */
async function reopenPanels({ delivery, snapshot }: Placed, extensionId: string): Promise<void> {
  const refusals = await reopenSidePanels(snapshot.link, extensionId, snapshot.sidePanels).catch((error: unknown) => [
    String(error),
  ]);
  for (const reason of refusals) delivery.log.warn(`A side panel of the extension is not open again: ${reason}`);
}

async function requestReload({
  path,
  staged,
  loaded,
  snapshot,
  delivery,
}: Placed): Promise<Pick<Activated, 'extensionId' | 'enabled'>> {
  const { link } = snapshot;
  const isFast = loaded?.enabled === true && snapshot.reload === 'reload';
  try {
    if (isFast && (await link.reload(loaded.id))) return { extensionId: loaded.id, enabled: Promise.resolve() };
    // In a new browser, a load may come before Developer mode (C-ERRORS-DEVELOPER-MODE); what it reports of a first load is asked for later.
    const preparing = loaded ? link.prepare() : link.developerMode();
    if (!snapshot.isHolding) await preparing;
    const extensionId = await (snapshot.loading ?? link.loadFolder(path));
    await preparing;
    // An enabled one stays so. Of another one the verification asks the same, which this does not delay.
    const enabled = loaded?.enabled ? Promise.resolve() : enable(link, extensionId, delivery);
    enabled.catch(() => undefined);
    return { extensionId, enabled };
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) throw error;
    const isBack = await staged.rollback().then(
      () => true,
      (failure: unknown) => {
        delivery.log.warn(`The previous build could not be restored: ${String(failure)}`);
        return false;
      },
    );
    // The fast reload has disabled the extension, or a restart has not loaded it; loading the previous build restores it.
    if (isBack && loaded && (isFast || staged.restarted)) await link.loadFolder(path);
    throw error;
  }
}

/** Enables an extension, if it is disabled. */
async function enable(link: PushLink, extensionId: string, { log }: Delivery): Promise<void> {
  if (!(await link.extensions()).some(({ id, enabled }) => id === extensionId && !enabled)) return;
  log.info('The extension was disabled in the browser; enabling it.');
  await link.setEnabled(extensionId, true);
}

/** Reloads tabs, but for those that a debugger has paused: a reload would take from the user what he looks at. */
async function reloadTabs(
  { snapshot, delivery }: Placed,
  tabs: readonly Pick<ContentScriptTab, 'held'>[],
): Promise<void> {
  const { debuggers } = snapshot.link;
  const running = tabs.filter(({ held }) => !debuggers.isPagePaused(held.page.targetId));
  const paused = tabs.length - running.length;
  if (paused > 0) {
    delivery.log.warn(
      `The debugger has paused ${paused} of the tabs: not reloaded, they keep the content scripts of before.`,
    );
  }
  await Promise.all(running.map(({ held }) => held.reload()));
}

/**
 * Reloads the pages that may have run content scripts of the previous build when nobody saw it: all, or those that can be seen. Those that do not answer now
 * are reloaded when they do. Never rejects.
 */
async function reloadLate(placed: Placed, extensionId: string): Promise<void> {
  const { latePages, link } = placed.snapshot;
  const late = await latePages().catch(() => []);
  const reloads = late.map((one) => reloadAnswered(placed, extensionId, one).catch(() => undefined));
  await inTime(Promise.all(reloads), ANSWER_LIMIT_MS, link.clock);
}

/** Reloads such a page once it answers. Rejects when it was closed. */
async function reloadAnswered(
  placed: Placed,
  extensionId: string,
  { page, isDue }: { page: Page; isDue: boolean },
): Promise<void> {
  const { connection, clock } = placed.snapshot.link;
  const held = await HeldPage.hold(connection, page);
  try {
    const answer = await inTime(untilAnswered(held, extensionId), LATE_ANSWER_MS, clock);
    if (!answer) {
      placed.delivery.log.warn(
        'A page does not answer and was not reloaded, so it may keep the content scripts of before. Reload it by hand.',
      );
    } else if ((isDue || answer.isOurs) && (answer.isVisible || placed.snapshot.tabs === 'all')) {
      await reloadTabs(placed, [{ held }]);
    }
  } finally {
    await held.release();
  }
}

/** Reloads the tabs that run content scripts, once those that the extension has registered are registered again. */
async function reloadTabsOf(placed: Placed, extensionId: string): Promise<void> {
  const { link, contentScriptTabs, registered } = placed.snapshot;
  if (contentScriptTabs.length === 0) return;
  const { files, isSure } = registered;
  if (files.length > 0 && !(await untilRegistered(link, extensionId, files)) && !isSure) return;
  await reloadTabs(placed, contentScriptTabs);
}

/** Injects the new content scripts into the open tabs by the extension's new worker; reloads the visible tabs where that fails. */
async function injectOrReload(placed: Placed, extensionId: string): Promise<void> {
  const { snapshot, delivery } = placed;
  const loading = snapshot.contentScriptTabs.filter(({ isLoading }) => isLoading);
  const tabs = snapshot.contentScriptTabs.filter(({ isLoading }) => !isLoading);
  // The new scripts may run in these by themselves, too, and would run there twice.
  await reloadTabs(
    placed,
    loading.filter(({ isVisible }) => isVisible),
  );
  if (tabs.length === 0) return;
  const entries = injectable(delivery.prepared.manifest.raw);
  const pages = tabs.map(({ held }) => held.page);
  const reached = entries
    ? await injectContentScripts(snapshot.link, extensionId, entries, pages)
    : 'the manifest selects them by globs';
  const missed = tabs.filter(({ held }) => typeof reached === 'string' || !reached.has(held.page.url));
  if (missed.length === 0) return;
  const reason = typeof reached === 'string' ? `: ${reached}` : '';
  delivery.log.warn(
    `The new content scripts cannot be injected into all open tabs${reason}. The visible ones of these tabs are reloaded.`,
  );
  await reloadTabs(
    placed,
    missed.filter(({ isVisible }) => isVisible),
  );
}
