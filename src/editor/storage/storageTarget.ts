import * as l10n from '@vscode/l10n';
import type { HiddenPage } from '../../devtools/protocol/hiddenPage';
import type { BrowserLink } from '../../devtools/connection/link';
import { MOST_BYTES } from '../../devtools/storage/extensionStorage';
import { sizeText } from '../../base/units';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLinkOrGone } from '../browsers/readContents';
import { UserError } from '../errorTexts';
import { fieldOf } from '../../base/fields';
import type { BrowserExtension } from '../lists/browserContents';
import { chromiumText } from '../browsers/chromiumText';

/**
 * Opens a hidden page of the extension `id`.
 * @throws UserError when the extension is not loaded, or disabled
 */
export async function openPageOf({ connection }: BrowserLink, id: string): Promise<HiddenPage> {
  const { HiddenPage } = await import('../../devtools/protocol/hiddenPage');
  const page = await HiddenPage.open(connection, id);
  if (page) return page;
  throw new UserError(l10n.t('The extension is not loaded in the browser, or it is disabled. Push it again.'));
}

/**
 * Runs `act` with a hidden page of an extension, which is closed then. Resolves to undefined when the browser no longer exists, which a
 * notification says.
 * @throws UserError for what its storage refuses
 */
export async function withPage<T>(
  wiring: BrowserWiring,
  { browser, extension }: BrowserExtension,
  act: (page: HiddenPage, link: BrowserLink) => Promise<T>,
): Promise<T | undefined> {
  return await withLinkOrGone(wiring, browser, async (link) => {
    const page = await openPageOf(link, extension.id);
    try {
      return await act(page, link);
    } catch (error) {
      throw explained(error);
    } finally {
      void page.close();
    }
  });
}

/** The sentence for an error of `chrome.storage`; other errors as they are. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'StorageError') return error;
  switch (fieldOf(error, 'reason')) {
    case 'noStorage':
      return new UserError(
        l10n.t(
          'The extension has no storage: its manifest does not list the permission "storage". Add it and push again.',
        ),
      );
    case 'tooLarge':
      return new UserError(
        l10n.t(
          'The area is too large to be shown: {0} of at most {1}. Remove large values in the extension, or clear it.',
          sizeText(Number(error.message)),
          sizeText(MOST_BYTES),
        ),
      );
    case 'refused':
      return new UserError(refusalText(chromiumText(error)));
    default:
      return new UserError(l10n.t('The extension was reloaded meanwhile. Try again.'));
  }
}

/** What to do about a refusal of `chrome.storage`, of which Chromium gives no more than a text for developers. */
function refusalText(chromium: string): string {
  if (/max_?write_?operations/i.test(chromium)) {
    return l10n.t(
      'Chromium refused it, because there were too many writes ({0}). Wait a minute and try again.',
      chromium,
    );
  }
  return /quota/i.test(chromium)
    ? l10n.t('There is no room for it ({0}). Remove keys or shorten values, and try again.', chromium)
    : l10n.t('Chromium refused it ({0}). Push the extension again and try once more.', chromium);
}
