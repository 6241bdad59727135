import * as l10n from '@vscode/l10n';
import { posix } from 'node:path';
import { window, workspace, type Uri } from 'vscode';
import type { FileChooser } from '../../devtools/pages/pageModel';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import { sizeText } from '../../base/units';
import { browserLabel } from '../lists/labels';
import { withProgressUnlessCancelled } from '../notify';
import { plainText } from '../plainText';
import type { GivenFiles } from './givenFiles';
import { siteOf } from './viewMessage';

/** Largest file that is given to a page, in bytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** What files are given to, and by what. */
interface GivingOptions {
  page: PageScreen;
  browser: Browser;
  /** Of the service of the browser; rejects while another one is in use. */
  client: () => Promise<BrowserService>;
  given: GivenFiles;
}

/**
 * Lets the user pick files of this machine for a page that asks for some: they are copied to the browser's machine, and given to the field. The
 * page gets nothing when the user backs out. Resolves to a sentence when the page cannot be given any. Rejects with a ServiceError, or what `client` rejects with.
 */
export async function giveFiles(
  chooser: FileChooser,
  { page, browser, client, given }: GivingOptions,
): Promise<string | undefined> {
  const { backendNodeId, isMultiple } = chooser;
  const field = backendNodeId === undefined ? undefined : await page.fileField(backendNodeId);
  if (backendNodeId === undefined || !field)
    return l10n.t('The page asks for a file in a way that the screen cannot answer.');
  if (field.isFolder) return l10n.t('The page asks for a folder. The screen can only give it files.');
  const { url } = await page.history();
  const title = plainText(l10n.t('Give Files to {0} in {1}', siteOf(url), browserLabel(browser)));
  const files = await window.showOpenDialog({
    title,
    canSelectMany: isMultiple,
    openLabel: l10n.t('Give to Page'),
    ...(field.extensions.length > 0 && { filters: { [field.extensions.join(', ')]: field.extensions } }),
  });
  if (!files || files.length === 0) return undefined;
  return await withProgressUnlessCancelled(title, async (signal) => {
    for (const file of files) {
      const { size } = await workspace.fs.stat(file);
      if (size <= MAX_FILE_BYTES) continue;
      const limit = sizeText(MAX_FILE_BYTES);
      return l10n.t('{0} is too large: {1} of at most {2}. Pick a smaller file.', nameOf(file), sizeText(size), limit);
    }
    const picked = files.map((file) => ({ name: nameOf(file), bytes: async () => await workspace.fs.readFile(file) }));
    // Another service may have been chosen since the field was clicked.
    await given.give(page, backendNodeId, { client: await client(), browser }, picked, signal);
    return undefined;
  });
}

function nameOf(file: Uri): string {
  return posix.basename(file.path);
}
