import { loadUnpacked, LoadRefusedError } from '../devtools/extensions';
import type { BrowserLink } from '../devtools/link';
import { listContentScriptTabs, listExtensionPages, reloadPages, reopenPages } from '../devtools/tabs';
import { WorkerWatch } from '../devtools/workers';
import type { Placed } from './place';
import type { KnownBuild, Reload } from './changes';

/** Which tabs are loaded again when a content script has changed. */
export type Tabs = 'visible' | 'all' | 'none';

export interface Activation {
  link: BrowserLink;
  /** The extension's folder on the browser's machine. */
  path: string;
  placed: Placed;
  previous: KnownBuild | undefined;
  reload: Reload;
  tabs: Tabs;
  /** Whether a file of a content script is among what has changed. */
  contentScriptsChanged: boolean;
}

/** Chromium was asked for the new build. */
export interface Activated {
  extensionId: string;
  /** Since before the reload, so that the new worker cannot be missed; absent when nothing was reloaded. Dispose of it. */
  watch: WorkerWatch | undefined;
  /** To be called once the new build is seen to run: opens the extension's pages again and loads tabs. */
  finish: () => Promise<void>;
}

/**
 * Makes Chromium read the files that lie in their place.
 * @throws LoadRefusedError when Chromium refuses them: the build before is in its place and runs.
 */
export async function activate(activation: Activation): Promise<Activated> {
  const { link, placed, previous, reload } = activation;
  const { connection } = link;
  if (previous && (reload === 'pages' || reload === 'none')) {
    const finish = async (): Promise<void> => {
      await placed.keep();
      await reloadPages(connection, await listExtensionPages(connection, previous.extensionId));
    };
    return { extensionId: previous.extensionId, watch: undefined, finish };
  }
  const [pages, tabs, watch] = await Promise.all([
    previous ? listExtensionPages(connection, previous.extensionId) : [],
    tabsToReload(activation),
    WorkerWatch.begin(connection),
  ]);
  try {
    const extensionId = await ask(activation, watch);
    const finish = async (): Promise<void> => {
      await placed.keep();
      await Promise.all([reopenPages(connection, pages), reloadPages(connection, tabs)]);
    };
    return { extensionId, watch, finish };
  } catch (error) {
    await watch.dispose();
    throw error;
  }
}

async function ask({ link, path, placed, previous, reload }: Activation, watch: WorkerWatch): Promise<string> {
  // After a restart the previous worker may just have started: it is not the one to wait for.
  watch.forget();
  try {
    if (previous && reload === 'reload' && (await link.reload(previous.extensionId))) return previous.extensionId;
    return await loadUnpacked(link.connection, path);
  } catch (error) {
    if (!(error instanceof LoadRefusedError)) throw error;
    await placed.undo();
    // The fast reload has switched the extension off; loading the good build again switches it on.
    if (previous && reload === 'reload') await loadUnpacked(link.connection, path);
    throw error;
  }
}

async function tabsToReload({
  link,
  previous,
  tabs,
  contentScriptsChanged,
}: Activation): Promise<{ targetId: string; url: string }[]> {
  if (!previous || tabs === 'none' || !contentScriptsChanged) return [];
  const found = await listContentScriptTabs(link.connection, previous.extensionId);
  return tabs === 'all' ? found : found.filter(({ isVisible }) => isVisible);
}
