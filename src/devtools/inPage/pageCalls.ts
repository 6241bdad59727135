import type { ExtensionApi } from './chromeApi';
import type { FieldElement, FrameElement, PageDocument, PageGlobals, PageRoot, WheelTurn } from './pageDom';

declare const chrome: ExtensionApi;
declare const document: PageDocument;
declare const location: PageGlobals['location'];
declare const addEventListener: PageGlobals['addEventListener'];
declare const self: {
  chrome?: Partial<ExtensionApi>;
  /** The next turn of the wheel, once it has come. */
  turn?: { event?: WheelTurn };
};

/** Whether a page is one of its extension. One of an extension that is not there, or disabled, is an error page. */
export function extensionPageState(): 'there' | 'none' | 'loading' {
  if (location.protocol === 'chrome-error:') return 'none';
  return document.readyState === 'complete' && self.chrome?.runtime?.id ? 'there' : 'loading';
}

/** The address of a page whose document has loaded with all that it loads by itself; empty before. */
export function loadedAddress(): string {
  return document.readyState === 'complete' ? location.href : '';
}

/** Whether a page can be seen, and how far its document is: whether its content scripts may not have run yet. */
export function pageState(): { isVisible: boolean; readyState: PageDocument['readyState'] } {
  return { isVisible: document.visibilityState === 'visible', readyState: document.readyState };
}

/**
 * In a page: the text that is selected in it, in the frame and the field that has the focus; empty for a password. Frames of other sites cannot be
 * read.
 */
export function selectedText(): string {
  let root: PageRoot = document;
  for (;;) {
    const focused = root.activeElement;
    let inner: PageRoot | null | undefined;
    try {
      inner = focused?.shadowRoot ?? (focused as Partial<FrameElement> | null)?.contentDocument;
    } catch {
      // A frame of another site.
    }
    if (inner?.activeElement) {
      root = inner;
      continue;
    }
    const { type, value, selectionStart, selectionEnd } = (focused ?? {}) as Partial<FieldElement>;
    if (typeof value === 'string' && typeof selectionStart === 'number') {
      return type === 'password' ? '' : value.slice(selectionStart, selectionEnd ?? undefined);
    }
    const selection = root.getSelection ? root.getSelection() : document.getSelection();
    return String(selection ?? '');
  }
}

/** In a world of scripts apart from the page's own: notes whether the next turn of the wheel is prevented. The page's own listeners run as without it. */
export function noteTurn(): void {
  const turn: { event?: WheelTurn } = {};
  self.turn = turn;
  addEventListener(
    'wheel',
    (event) => {
      turn.event = event;
    },
    { capture: true, once: true, passive: true },
  );
}

/** In that world: whether the turn that {@link noteTurn} has noted was prevented. */
export function wasTurnPrevented(): boolean {
  return self.turn?.event?.defaultPrevented === true;
}

/**
 * In a page with the API of tabs: sets the zoom of the tab in front that has this address, or of the only one in front; resolves to whether there
 * is one.
 */
export async function zoomTab(address: string, factor: number): Promise<boolean> {
  const tabs = await chrome.tabs.query({ active: true });
  const tab = tabs.find(({ url }) => url === address) ?? (tabs.length === 1 ? tabs[0] : undefined);
  if (!tab) return false;
  await chrome.tabs.setZoom(tab.id, factor);
  return true;
}
