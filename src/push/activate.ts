import { listExtensions, type LoadedExtension, LoadRefusedError, loadUnpacked } from '../devtools/extensions';
import { injectContentScripts } from '../devtools/inject';
import type { BrowserLink } from '../devtools/link';
import {
  type ContentScriptTab,
  type ExtensionPage,
  listContentScriptTabs,
  listExtensionPages,
  reloadExtensionPages,
  reloadTabs,
  reopenTabs,
} from '../devtools/tabs';
import { WorkerWatch } from '../devtools/workers';
import type { Manifest } from '../manifest/manifest';
import type { Logger } from '../service/log';
import type { ReloadKind } from './changes';
import { injectable } from './contentScripts';
import type { StagedBuild } from './place';

/**
 * What happens to tabs when a content script has changed: the visible ones or all are reloaded, the new script is injected into
 * all of them without a reload, or nothing.
 */
export type TabPolicy = 'visible' | 'all' | 'inject' | 'none';

/** What is open in the browser before a build is activated, so that nothing is lost by it. */
export interface BrowserSnapshot {
  /** The connection over which the snapshot was taken. */
  link: BrowserLink;
  /** The extension's own pages. */
  pages: ExtensionPage[];
  /** The tabs that run its content scripts and need the new ones. */
  contentScriptTabs: ContentScriptTab[];
  /** Begun before the reload, so that the new worker cannot be missed; absent when nothing is reloaded. Dispose of it. */
  watch: WorkerWatch | undefined;
}

export interface Activation {
  link: BrowserLink;
  /** The extension's folder on the browser's machine. */
  path: string;
  staged: StagedBuild;
  /** The extension that was loaded from there before. */
  loaded: LoadedExtension | undefined;
  reload: ReloadKind;
  tabs: TabPolicy;
  manifest: Manifest;
  snapshot: BrowserSnapshot;
  log: Logger;
}

/** Chromium was asked to load the new build. */
export interface Activated {
  extensionId: string;
  /** What Chromium was asked for. */
  reload: ReloadKind;
  watch: WorkerWatch | undefined;
  /** To be called once the new build is verified: reopens the extension's pages and updates the tabs. */
  finish: () => Promise<void>;
}

/** Takes the snapshot before a reload of the extension `id`; undefined when none is loaded yet. */
export async function takeSnapshot(
  link: BrowserLink,
  id: string | undefined,
  reload: ReloadKind,
  tabs: TabPolicy,
): Promise<BrowserSnapshot> {
  const { connection } = link;
  const isReloaded = reload === 'load' || reload === 'reload';
  const [pages, found, watch] = await Promise.all([
    id === undefined ? [] : listExtensionPages(connection, id),
    id === undefined || tabs === 'none' ? [] : listContentScriptTabs(connection, id),
    isReloaded ? WorkerWatch.begin(connection) : undefined,
  ]);
  return {
    link,
    pages,
    contentScriptTabs: tabs === 'visible' ? found.filter(({ isVisible }) => isVisible) : found,
    watch,
  };
}

/**
 * Makes Chromium load the staged files.
 * @throws LoadRefusedError when Chromium refuses them: the previous build is restored and runs.
 */
export async function activate(activation: Activation): Promise<Activated> {
  const { link, staged, loaded, snapshot, tabs, reload } = activation;
  const { connection } = link;
  if (snapshot.link !== link) {
    // The browser was restarted meanwhile and may have read files of both builds, so the extension is loaded again.
    await snapshot.watch?.dispose();
    const now = await takeSnapshot(link, loaded?.id, 'load', tabs);
    return activate({ ...activation, reload: 'load', snapshot: now });
  }
  const { pages, watch } = snapshot;
  if (loaded && !watch) {
    const finish = async (): Promise<void> => {
      await staged.commit();
      await reloadExtensionPages(connection, pages);
    };
    return { extensionId: loaded.id, reload, watch, finish };
  }
  try {
    // After a restart the previous worker may have started just now: do not wait for that one.
    watch?.forget();
    const extensionId = await requestReload(activation);
    const finish = async (): Promise<void> => {
      await staged.commit();
      await Promise.all([reopenTabs(connection, pages), updateTabs(activation, extensionId)]);
    };
    return { extensionId, reload, watch, finish };
  } catch (error) {
    await watch?.dispose();
    throw error;
  }
}

async function requestReload({ link, path, staged, loaded, reload, log }: Activation): Promise<string> {
  const isFast = loaded?.enabled === true && reload === 'reload';
  try {
    if (isFast && (await link.reload(loaded.id))) return loaded.id;
    const extensionId = await loadUnpacked(link.connection, path);
    const isOff = (await listExtensions(link.connection)).some(({ id, enabled }) => id === extensionId && !enabled);
    if (isOff) {
      log.info('The extension was disabled in the browser; enabling it.');
      await link.setEnabled(extensionId, true);
    }
    return extensionId;
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) throw error;
    await staged.rollback();
    // The fast reload has disabled the extension, or a restart has not loaded it; loading the previous build restores it.
    if (loaded && (isFast || staged.restarted)) await loadUnpacked(link.connection, path);
    throw error;
  }
}

async function updateTabs({ link, tabs, manifest, snapshot, log }: Activation, extensionId: string): Promise<void> {
  const { connection } = link;
  if (tabs !== 'inject' || snapshot.contentScriptTabs.length === 0) {
    await reloadTabs(connection, snapshot.contentScriptTabs);
    return;
  }
  const entries = injectable(manifest.raw);
  const reached = entries
    ? await injectContentScripts(connection, extensionId, entries, snapshot.contentScriptTabs)
    : 'the manifest selects them by globs';
  const missed = snapshot.contentScriptTabs.filter(({ url }) => typeof reached === 'string' || !reached.has(url));
  if (missed.length === 0) return;
  const reason = typeof reached === 'string' ? `: ${reached}` : '';
  log.warn(
    `The new content scripts cannot be injected into all open tabs${reason}. The visible ones of these tabs are reloaded.`,
  );
  await reloadTabs(
    connection,
    missed.filter(({ isVisible }) => isVisible),
  );
}
