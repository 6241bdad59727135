import { loadedAddress } from '../inPage/pageCalls';
import type { Protocol } from '../protocol/connect';
import { peek } from '../protocol/evaluate';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import { HeldPage } from './tabs';

/** How long a page may take to load, in milliseconds (C-TIME-PAGE). */
export const LOAD_LIMIT_MS = 10_000;

/** The pause between two polls of a page, in milliseconds. */
const POLL_MS = 50;

/** What a page shows before its first document. */
const NOTHING_YET = ['', 'about:blank'];

/** The addresses of Chromium's own pages for what it could not load begin so (C-PAGE-ERROR). */
const ERROR_PAGE = 'chrome-error:';

/** `failed`: Chromium shows an error page instead, for example because there is no such file, or no such host. */
export type PageLoad = 'loaded' | 'loading' | 'failed';

/** A page that was opened just now. */
export interface OpenedPage {
  /** The address that it was opened with. */
  url: string;
  /** Its target, where that is known. Else the page is found by its address, whatever its query and hash are. */
  targetId?: string | undefined;
  /** Whether its target may come later, because Chromium opens it in a page of its own. */
  mayCome?: boolean;
}

/**
 * Waits until a page has loaded, or was closed, which counts as that; `loading` after the limit. Rejects with the signal's reason, or when the
 * connection is lost.
 */
export async function whenLoaded(
  link: BrowserLink,
  page: OpenedPage,
  signal?: AbortSignal,
  limitMs = LOAD_LIMIT_MS,
): Promise<PageLoad> {
  const { clock, targets } = link;
  const deadline = clock.now() + limitMs;
  let wasThere = page.mayCome !== true;
  for (;;) {
    const found = (await targets.list()).filter((target) => isOpened(target, page));
    if (found.length === 0 && wasThere) return 'loaded';
    wasThere ||= found.length > 0;
    const loads = await Promise.all(found.map((target) => loadOf(link, target, page)));
    if (loads.length > 0 && !loads.includes('loading')) return loads.includes('failed') ? 'failed' : 'loaded';
    if (clock.now() >= deadline) return 'loading';
    await clock.delay(POLL_MS, { signal });
  }
}

function isOpened(target: Protocol.Target.TargetInfo, { url, targetId }: OpenedPage): boolean {
  if (targetId !== undefined) return target.targetId === targetId;
  return !target.type.endsWith('worker') && isSamePage(target.url, url);
}

/** Whether two addresses are alike but for their queries and hashes. */
export function isSamePage(one: string, other: string): boolean {
  return one.replace(/[?#].*$/s, '') === other.replace(/[?#].*$/s, '');
}

/** How far the document of a target is; `loaded` for one that is gone. */
async function loadOf(
  { connection, clock }: BrowserLink,
  { targetId, url }: Protocol.Target.TargetInfo,
  opened: OpenedPage,
): Promise<PageLoad> {
  const held = await HeldPage.hold(connection, { targetId, url }).catch(() => undefined);
  if (!held) return 'loaded';
  try {
    const address = await peek(held.session, callOf(loadedAddress), clock);
    if (typeof address !== 'string' || address === '') return 'loading';
    if (address.startsWith(ERROR_PAGE)) return 'failed';
    return NOTHING_YET.includes(address) && !NOTHING_YET.includes(opened.url) ? 'loading' : 'loaded';
  } finally {
    void held.release();
  }
}
