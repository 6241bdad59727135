import type { PushEngine } from '../../push/engine';
import type { BrowserSession } from '../../service/model';
import { fieldOf } from '../fieldOf';

/** A page of an extension: what it is for, as the key of its manifest, and its path. */
export interface ManifestPage {
  key: string;
  path: string;
}

/** The pages that a manifest names: popup, options, side panel and replaced pages of the browser. */
export function pagesOf(manifest: unknown): ManifestPage[] {
  const places: readonly (readonly string[])[] = [
    ['action', 'default_popup'],
    ['browser_action', 'default_popup'],
    ['page_action', 'default_popup'],
    ['options_ui', 'page'],
    ['options_page'],
    ['side_panel', 'default_path'],
    ['devtools_page'],
    ['chrome_url_overrides', 'newtab'],
    ['chrome_url_overrides', 'history'],
    ['chrome_url_overrides', 'bookmarks'],
  ];
  return places.flatMap((keys) => {
    const path = keys.reduce(fieldOf, manifest);
    return typeof path === 'string' && path !== '' ? [{ key: keys.join('.'), path }] : [];
  });
}

/** The address of a start page: one of the web as it is, others as a path in the extension. Undefined when it cannot be opened. */
export function pageAddress(extensionId: string, page: string): string | undefined {
  try {
    const { href, protocol } = new URL(page, `chrome-extension://${extensionId}/`);
    return ['http:', 'https:', 'chrome:', 'chrome-extension:', 'about:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}

/** Opens an address in a tab of the browser: in a blank one if there is one, else in a new one. @throws DevToolsError */
export async function openPage(engine: PushEngine, session: BrowserSession, address: string): Promise<void> {
  const { openTab } = await import('../../devtools/tabs');
  await engine.browsers.use(session, (link) => openTab(link, address));
}
