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
 * What happens to tabs when a content script has changed: those in front or all are loaded again, the new script is put into
 * them as they are, or nothing.
 */
export type TabPolicy = 'visible' | 'all' | 'inject' | 'none';

/** What was open in the browser before a build is made to run, so that nothing is lost by it. */
export interface BrowserSnapshot {
  /** The browser that was looked at. */
  link: BrowserLink;
  /** The extension's own pages. */
  pages: ExtensionPage[];
  /** The tabs that run its content scripts and are to get the new ones. */
  tabs: ContentScriptTab[];
  /** Since before the reload, so that the new worker cannot be missed; absent when nothing is to be reloaded. Dispose of it. */
  watch: WorkerWatch | undefined;
}

export interface Activation {
  link: BrowserLink;
  /** The extension's folder on the browser's machine. */
  path: string;
  placed: StagedBuild;
  /** What was loaded from there before. */
  loaded: LoadedExtension | undefined;
  reload: ReloadKind;
  tabs: TabPolicy;
  manifest: Manifest;
  surroundings: BrowserSnapshot;
  log: Logger;
}

/** Chromium was asked for the new build. */
export interface Activated {
  extensionId: string;
  /** What Chromium was asked for. */
  reload: ReloadKind;
  watch: WorkerWatch | undefined;
  /** To be called once the new build is seen to run: opens the extension's pages again and brings tabs up to date. */
  finish: () => Promise<void>;
}

/** Looks at what is open, before a reload of the extension `id`; undefined when none is loaded yet. */
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
  return { link, pages, tabs: tabs === 'visible' ? found.filter(({ isVisible }) => isVisible) : found, watch };
}

/**
 * Makes Chromium read the files that lie in their place.
 * @throws LoadRefusedError when Chromium refuses them: the build before is in its place and runs.
 */
export async function activate(activation: Activation): Promise<Activated> {
  const { link, placed, loaded, surroundings, tabs, reload } = activation;
  const { connection } = link;
  if (surroundings.link !== link) {
    // The browser was restarted meanwhile. Whatever it has read of the files may be half of two builds, so all is loaded.
    await surroundings.watch?.dispose();
    const now = await takeSnapshot(link, loaded?.id, 'load', tabs);
    return activate({ ...activation, reload: 'load', surroundings: now });
  }
  const { pages, watch } = surroundings;
  if (loaded && !watch) {
    const finish = async (): Promise<void> => {
      await placed.keep();
      await reloadExtensionPages(connection, pages);
    };
    return { extensionId: loaded.id, reload, watch, finish };
  }
  try {
    // After a restart the previous worker may just have started: it is not the one to wait for.
    watch?.forget();
    const extensionId = await requestReload(activation);
    const finish = async (): Promise<void> => {
      await placed.keep();
      await Promise.all([reopenTabs(connection, pages), updateTabs(activation, extensionId)]);
    };
    return { extensionId, reload, watch, finish };
  } catch (error) {
    await watch?.dispose();
    throw error;
  }
}

async function requestReload({ link, path, placed, loaded, reload, log }: Activation): Promise<string> {
  const isFast = loaded?.enabled === true && reload === 'reload';
  try {
    if (isFast && (await link.reload(loaded.id))) return loaded.id;
    const extensionId = await loadUnpacked(link.connection, path);
    const isOff = (await listExtensions(link.connection)).some(({ id, enabled }) => id === extensionId && !enabled);
    if (isOff) {
      log.info('The extension was switched off in the browser; it is switched on again.');
      await link.setEnabled(extensionId, true);
    }
    return extensionId;
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) throw error;
    await placed.undo();
    // The fast reload has switched the extension off, a restart has left it out; loading the good build brings it back.
    if (loaded && (isFast || placed.restarted)) await loadUnpacked(link.connection, path);
    throw error;
  }
}

async function updateTabs({ link, tabs, manifest, surroundings, log }: Activation, extensionId: string): Promise<void> {
  const { connection } = link;
  if (tabs !== 'inject' || surroundings.tabs.length === 0) {
    await reloadTabs(connection, surroundings.tabs);
    return;
  }
  const entries = injectable(manifest.raw);
  const reached = entries
    ? await injectContentScripts(connection, extensionId, entries, surroundings.tabs)
    : 'they are chosen by globs';
  const missed = surroundings.tabs.filter(({ url }) => typeof reached === 'string' || !reached.has(url));
  if (missed.length === 0) return;
  const reason = typeof reached === 'string' ? `: ${reached}` : '';
  log.warn(`The new content scripts cannot be put into all open tabs${reason}. Such tabs in front are loaded again.`);
  await reloadTabs(
    connection,
    missed.filter(({ isVisible }) => isVisible),
  );
}
