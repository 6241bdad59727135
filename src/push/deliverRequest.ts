import type { Logger } from '../service/logger';
import type { Browser } from '../service/model';
import type { TabPolicy } from './activate/activate';
import type { KnownBrowsers } from './known/knownBrowsers';
import type { PushStep } from './outcome';
import type { PushBrowsers } from './pushBrowsers';
import type { PushService } from './pushService';

/**
 * How builds are delivered: `inPlace` – never with a restart, which needs DevTools, and the extension is gone after a restart of
 * the browser until it is pushed again; `restart` – each by the documented upload, which restarts Chromium; `auto` – the first by
 * that upload, so that the extension survives restarts, and all later ones in place.
 */
export type DeliveryMode = 'auto' | 'inPlace' | 'restart';

/** The answer to whether a browser may be restarted; `inPlace`: the build is to be delivered without a restart. */
export type RestartAnswer = 'restart' | 'inPlace' | 'no';

/**
 * Asked before a delivery that restarts a browser. `canAvoid`: whether `inPlace` is possible; elsewhere that answer counts as `no`, which
 * ends the delivery as cancelled. The time until the answer does not count as the push's.
 */
export type ConfirmRestart = (session: Browser, canAvoid: boolean) => Promise<RestartAnswer>;

/** A browser that pushes go to. */
export interface InBrowser {
  service: PushService;
  session: Browser;
  /** The window's connections to browsers, kept between pushes. */
  connections: PushBrowsers;
  /** What the window's pushes know of them. */
  known: KnownBrowsers;
  log: Logger;
}

/** Which browser a build goes to, and how. */
export interface DeliverRequest extends InBrowser {
  delivery: DeliveryMode;
  /** What happens to tabs when a content script has changed. */
  tabs: TabPolicy;
  /** Name of the folder on the browser; empty to make one from the manifest. */
  folderName: string;
  /** The extension must not get access to files of the browser's machine; then no delivery restarts the browser. */
  withoutFiles?: boolean;
  /** Whether the extension is reloaded also when none of its files has changed. */
  mustReload: boolean;
  /** Digest of an archive that the browser runs already; the same content is then not delivered again. */
  unchangedDigest?: string | undefined;
  confirmRestart: ConfirmRestart;
  onStep: (step: PushStep) => void;
}
