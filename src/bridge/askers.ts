import { urlOf } from '../base/url';
import type { PausedRequest } from './pausedRequest';

/** A target of the browser, as far as it says who asks. */
export interface Asker {
  /** As DevTools names it: `page`, `iframe`, `service_worker`, `shared_worker`, `worker` … */
  readonly type: string;
  readonly url: string;
  /** The frame that a frame is in, for one of another process. */
  readonly parentFrameId?: string | undefined;
}

/** Who may ask for the developer's own servers. */
export interface Allowed {
  /** The extensions under test. */
  readonly extensionIds: ReadonlySet<string>;
  /** The origins of the servers themselves. */
  readonly origins: ReadonlySet<string>;
}

/** Why a request is refused; `storm`: who asks goes round in a circle, and is not answered for a while. */
export type Refusal = 'foreignOrigin' | 'foreignPage' | 'foreignFrame' | 'noOrigin' | 'storm';

/**
 * `forward`: it may be asked. A refusal: it may not. `unknownFrame`: only the page can tell, in which the frame is; see
 * {@link isOwnFrame}.
 */
export type Verdict = 'forward' | 'unknownFrame' | Refusal;

const EXTENSION = 'chrome-extension:';

/** The longest line of frames within frames that is followed. */
const MAX_DEPTH = 20;

/** Whether an address, or an origin, is of those who may ask. */
export function isOwn(address: string, { extensionIds, origins }: Allowed): boolean {
  const url = urlOf(address);
  if (!url) return false;
  return url.protocol === EXTENSION ? extensionIds.has(url.hostname) : origins.has(url.origin);
}

/**
 * Whether a request may go to the developer's machine. It decides from the event and what is known of targets, without asking the browser,
 * which a page could use to be first. A page sets neither `Origin` nor the id of its frame. Anybody may open the address of a server in a tab,
 * as a link does; all else is for the extension under test and the servers' own pages.
 */
export function verdictOf(request: PausedRequest, targets: ReadonlyMap<string, Asker>, allowed: Allowed): Verdict {
  const { method, headers, frameId, resourceType } = request;
  const origin = headers.get('origin');
  const asker = targets.get(frameId);
  const isRead = method === 'GET' || method === 'HEAD';
  if (origin !== undefined && !isOwn(origin, allowed)) return 'foreignOrigin';
  if (resourceType === 'Document' && asker?.type === 'page') {
    return isRead || origin !== undefined ? 'forward' : 'noOrigin';
  }
  if (origin !== undefined && resourceType !== 'Document') return 'forward';
  if (!isRead && origin === undefined) return 'noOrigin';
  // The document of a frame: the address of its target is the one that it had, or will have.
  if (resourceType === 'Document') return ofParent(asker, targets, allowed);
  if (!asker) return 'unknownFrame';
  return isOwn(asker.url, allowed) ? ofParent(asker, targets, allowed) : 'foreignPage';
}

/** A frame is as much to be trusted as those that it is in; a page or worker is in none. */
function ofParent(asker: Asker | undefined, targets: ReadonlyMap<string, Asker>, allowed: Allowed): Verdict {
  if (!asker) return 'unknownFrame';
  let current = asker;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (current.type !== 'iframe') return 'forward';
    const parent = current.parentFrameId === undefined ? undefined : targets.get(current.parentFrameId);
    if (!parent) return 'unknownFrame';
    if (!isOwn(parent.url, allowed)) return 'foreignFrame';
    current = parent;
  }
  return 'foreignFrame';
}

/** What `Page.getFrameTree` says of a frame. */
export interface Frame {
  readonly id: string;
  readonly url: string;
}

/** Whether a frame that is no target is one of a page that may ask: itself, or what it has made within itself. */
export function isOwnFrame({ url }: Frame, allowed: Allowed): boolean {
  return url === '' || url === ':' || url.startsWith('about:') || isOwn(url, allowed);
}
