import type { Logger } from '../../service/logger';
import { type BrowserSnapshot, type Needs, needsOfLoad } from './snapshot';
import type { FolderTime } from '../known/knownBrowsers';
import { contentScriptsText, type KnownBuild, reloadFor, textsOf } from '../prepare/changes';
import { areUpdatedInPlace } from '../prepare/localhostScan';
import { isServed, loadedIntoTabs } from '../prepare/tabFiles';
import type { Delivery, InBrowser, TabPolicy } from '../browserDelivery';
import type { StagedBuild } from '../place/place';

/** What a browser that runs `previous` needs for a build. */
export async function needsOf(delivery: Delivery, previous: KnownBuild | undefined): Promise<Needs> {
  const { prepared, order, demands } = delivery;
  const { manifest, archive } = prepared;
  const { changed, ...need } = reloadFor(previous, archive.digests, textsOf(manifest.raw));
  if (demands.mustReload && ['none', 'pages'].includes(need.reloadUnregistered)) {
    return { ...needsOfLoad(order.tabs, manifest), reload: 'reload', reloadUnregistered: 'reload' };
  }
  const isRedeclared = previous !== undefined && previous.contentScripts !== contentScriptsText(manifest.raw);
  const use = isRedeclared ? 'declared' : await loadedIntoTabs(manifest.raw, archive, changed);
  const tabs = use === 'declared' ? order.tabs : use === 'named' ? await reloadedTabs(delivery) : 'none';
  const paths = new Set(changed);
  return {
    ...needsOfLoad(tabs, manifest),
    ...need,
    ...(tabs === 'none' && { tabsIfRegistered: () => reloadedTabs(delivery) }),
    isUpdatedInPlace: async () =>
      changed.every((path) => archive.digests.has(path)) &&
      (await areUpdatedInPlace(archive.packed.filter(({ entry }) => paths.has(entry.name)))),
  };
}

/** What becomes of tabs whose files came with content scripts, or were registered: injection brings declared content scripts alone. */
async function reloadedTabs({ prepared: { manifest, archive }, order: { tabs } }: Delivery): Promise<TabPolicy> {
  if (await isServed(manifest, archive)) return 'none';
  return tabs === 'inject' ? 'visible' : tabs;
}

/** Reads the modification time of the folder `path` on a browser; undefined when the service does not report it. Rejects only with the signal's reason. */
export function folderTimeOf(
  path: string,
  { service, browser, known, log }: InBrowser,
  signal?: AbortSignal,
): FolderTime {
  return async () => {
    if (known.machines.lacksFiles) return undefined;
    try {
      return (await service.fileInfo(browser.id, path, signal)).modifiedAt;
    } catch (error) {
      signal?.throwIfAborted();
      log.debug(`The modification time of ${path} is unknown: ${String(error)}`);
      return undefined;
    }
  };
}

/** Waits for a build that is being placed and for the snapshot; when one fails, the other is undone. */
export async function bothOrNone(
  placing: Promise<StagedBuild>,
  taking: Promise<BrowserSnapshot>,
  log: Logger,
): Promise<{ staged: StagedBuild; snapshot: BrowserSnapshot }> {
  const [staged, snapshot] = await Promise.allSettled([placing, taking]);
  if (staged.status === 'rejected') {
    if (snapshot.status === 'fulfilled') await snapshot.value.dispose();
    throw staged.reason;
  }
  if (snapshot.status === 'rejected') {
    await staged.value.rollback().catch((error: unknown) => {
      log.warn(`The previous build could not be restored: ${String(error)}`);
    });
    throw snapshot.reason;
  }
  return { staged: staged.value, snapshot: snapshot.value };
}
