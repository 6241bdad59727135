import type { BrowserLink } from '../../devtools/connection/link';
import type { BrowserOutcome, PushedArchive } from '../../push/pushRun';
import { withLink } from '../browsers/readContents';
import type { BrowserWiring } from '../browsers/browserWiring';
import type { ExtensionFolder } from '../folder/extensionFolder';
import { browserLabel } from '../lists/labels';
import { readFolderSettings } from '../settings';
import { pushedPageAddress } from './pushedPage';

/** More entries of the setting are not opened. */
const MAX_PAGES = 20;

/** The entry of the setting that stands for the popup. */
const POPUP = 'popup';

/**
 * Opens what `sideload.openAfterPush` lists, in the browsers in which the pushed build runs; of extensions that are pushed together, those of the first. Never rejects: what cannot be opened is logged,
 * since the push itself has succeeded.
 */
export async function openAfterPush(
  wiring: BrowserWiring,
  { workspaceFolder, path }: ExtensionFolder,
  outcomes: readonly BrowserOutcome[],
  { mayAsk }: { mayAsk: boolean },
): Promise<void> {
  const entries = [...new Set(readFolderSettings(workspaceFolder.uri).openAfterPush)].slice(0, MAX_PAGES);
  if (entries.length === 0) return;
  await Promise.all(
    outcomes.map(async ({ browser, outcome, folder, archive }) => {
      if (outcome.kind !== 'running' || folder !== path) return;
      const open = async (link: BrowserLink): Promise<void> => {
        // One after the other: each may take the tab that is still blank.
        for (const entry of entries) {
          const reach = (address: string): Promise<boolean> => wiring.localhost.reach(browser, address, { mayAsk });
          const failure = await openEntry(link, { ...outcome, archive, entry, reach }).catch(String);
          if (failure !== undefined) wiring.log.warn(`${browserLabel(browser)}: ${entry} after a push: ${failure}`);
        }
      };
      await withLink(wiring, browser, open).catch((error: unknown) => {
        wiring.log.warn(`${browserLabel(browser)}: nothing was opened after a push: ${String(error)}`);
      });
    }),
  );
}

/** What is opened, in a browser that reaches an address of this computer where that is allowed. */
interface Entry {
  extensionId: string;
  archive: PushedArchive | undefined;
  entry: string;
  reach: (address: string) => Promise<boolean>;
}

/** Resolves to what could not be done. A page of the extension that is open is the new one already; one of the web is loaded again. */
async function openEntry(
  link: BrowserLink,
  { extensionId, archive, entry, reach }: Entry,
): Promise<string | undefined> {
  const [{ findTab, openSurface }, { openTab, reloadTabs }] = await Promise.all([
    import('../../devtools/extensions/surfaces'),
    import('../../devtools/pages/tabs'),
  ]);
  if (entry === POPUP) {
    const opened = await openSurface(link, extensionId, 'popup');
    return opened.as === 'itself' ? undefined : opened.reason;
  }
  const address = pushedPageAddress(extensionId, archive, entry);
  if (address === undefined) return 'this is no page that can be opened';
  if (!(await reach(address))) return 'the browser may not reach this computer';
  const open = await findTab(link, address);
  if (!open) await openTab(link, address);
  else if (!address.startsWith('chrome-extension:')) await reloadTabs(link.connection, [open]);
  return undefined;
}
