import type { Protocol } from './connect';
import { peek } from './evaluate';
import type { BrowserLink } from './link';
import { HeldPage } from './tabs';

/** How long a page may take to load, in milliseconds: on a machine that is busy with other work an options page took more than 3000. */
export const LOAD_LIMIT_MS = 10_000;

/** The pause between two polls of a page, in milliseconds. */
const POLL_MS = 50;

/** What a page shows before its first document. */
const NOTHING_YET = ['', 'about:blank'];

/** In a page: whether its document has loaded with all that it loads by itself. */
const HAS_LOADED = `document.readyState === 'complete' ? location.href : ''`;

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
 * Waits until a page has loaded, or was closed; resolves to whether that was within the limit. Rejects with the signal's reason, or when the
 * connection is lost.
 */
export async function hasLoaded(
  link: BrowserLink,
  page: OpenedPage,
  signal?: AbortSignal,
  limitMs = LOAD_LIMIT_MS,
): Promise<boolean> {
  const { clock, targets } = link;
  const deadline = clock.now() + limitMs;
  let wasThere = page.mayCome !== true;
  for (;;) {
    const found = (await targets.list()).filter((target) => isOpened(target, page));
    if (found.length === 0 && wasThere) return true;
    wasThere ||= found.length > 0;
    const loaded = await Promise.all(found.map((target) => isComplete(link, target, page)));
    if (loaded.length > 0 && loaded.every(Boolean)) return true;
    if (clock.now() >= deadline) return false;
    await clock.delay(POLL_MS, { signal });
  }
}

function isOpened(target: Protocol.Target.TargetInfo, { url, targetId }: OpenedPage): boolean {
  if (targetId !== undefined) return target.targetId === targetId;
  return !target.type.endsWith('worker') && pathOf(target.url) === pathOf(url);
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Whether a target shows a document that has loaded; true for one that is gone. */
async function isComplete(
  { connection, clock }: BrowserLink,
  { targetId, url }: Protocol.Target.TargetInfo,
  opened: OpenedPage,
): Promise<boolean> {
  const held = await HeldPage.hold(connection, { targetId, url }).catch(() => undefined);
  if (!held) return true;
  try {
    const address = await peek(held.session, HAS_LOADED, clock);
    if (typeof address !== 'string' || address === '') return false;
    return !NOTHING_YET.includes(address) || NOTHING_YET.includes(opened.url);
  } finally {
    void held.release();
  }
}
