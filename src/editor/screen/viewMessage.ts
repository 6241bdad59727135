import * as l10n from '@vscode/l10n';
import type { PageDialog } from '../../devtools/pages/pageModel';
import type { ScreenView } from '../../devtools/screen/remoteScreen';
import type { ScreenHostMessage } from '../../screen/screenMessages';
import type { Layer } from '../../screen/strokes';
import { shortened } from '../../base/units';
import { urlOf } from '../../base/url';
import { plainText } from '../plainText';

/** Longest title or address that is shown, in characters. An address may be much longer (C-ADDRESS-LENGTH); what shows one must never be left out. */
const MAX_SHOWN = 2000;

/** Longest text of a page's dialog, in characters. */
const MAX_QUESTION = 10_000;

/** What a browser shows, as a message for the page. */
export function viewMessage(view: ScreenView): Extract<ScreenHostMessage, { kind: 'view' }> {
  const { tabs, front, history, isLoading, document, zoom, surface } = view;
  return {
    kind: 'view',
    tabs: tabs.map(({ targetId, title, url }) => ({
      id: targetId,
      title: shortened(title === '' ? url : title, MAX_SHOWN),
      isFront: targetId === front,
    })),
    address: shortened(history.url, MAX_SHOWN),
    title: shortened(history.title, MAX_SHOWN),
    canGoBack: history.canGoBack,
    canGoForward: history.canGoForward,
    isLoading,
    document,
    zoom,
    surface: surface ?? '',
  };
}

/** The dialog of a page, or its end, as a message for the page of the screen. It says whose words it shows: it looks like one of the editor. */
export function dialogMessage(layer: Layer, dialog: PageDialog | undefined): ScreenHostMessage {
  if (!dialog) return { kind: 'dialog', layer, type: '', speaker: '', message: '', prompt: '' };
  const { type, url, message, prompt } = dialog;
  return {
    kind: 'dialog',
    layer,
    type,
    speaker: l10n.t('The page of {0} says:', siteOf(url)),
    message: shortened(message, MAX_QUESTION),
    prompt: shortened(prompt, MAX_QUESTION),
  };
}

/** Whose page an address is of, for people: `https://example.com`, `chrome-extension://ID`, `about:`. */
export function siteOf(url: string): string {
  const own = /^[a-z-]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const { origin, protocol } = urlOf(url) ?? { origin: 'null', protocol: l10n.t('an unknown site') };
  if (origin !== 'null') return plainText(origin);
  return plainText(own === '' ? protocol : own);
}
