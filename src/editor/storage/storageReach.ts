import * as l10n from '@vscode/l10n';
import type { BrowserLink } from '../../devtools/connection/link';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLink, withLinkPassively } from '../browsers/readContents';
import { UserError } from '../errorTexts';
import { serviceMark, type StorageOwner } from './storageAddress';
import type { StorageReach } from './storageSource';
import { openPageOf } from './storageTarget';

/** Reaches an extension whose storage is shown; it rejects with a UserError when its browser has ended, or is of a service that is not in use. */
export function reachOf(wiring: BrowserWiring, owner: StorageOwner): StorageReach {
  return {
    use: async <T>(act: (link: BrowserLink) => Promise<T>, isPassive: boolean): Promise<T> => {
      const browser = await browserOf(wiring, owner);
      return await (isPassive ? withLinkPassively : withLink)(wiring, browser, act);
    },
    open: (link) => openPageOf(link, owner.extensionId),
  };
}

async function browserOf({ devTools, connection }: BrowserWiring, owner: StorageOwner): Promise<Browser> {
  const { service, browserId } = owner;
  if (serviceMark(connection.key) !== service) {
    throw new UserError(
      l10n.t('This document is of a browser of another service. Choose that service again, or close the document.'),
    );
  }
  const browser = devTools.current?.connected(browserId) ?? (await (await connection.client()).findBrowser(browserId));
  if (!browser) {
    throw new UserError(
      l10n.t('The browser has ended, and its storage with it. Copy unsaved changes before you close the document.'),
    );
  }
  return browser;
}
