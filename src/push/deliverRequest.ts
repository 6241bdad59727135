import type { ServiceClient } from '../service/client';
import type { Logger } from '../service/log';
import type { BrowserSession } from '../service/model';
import type { TabPolicy } from './activate';
import type { BrowserConnections } from './browsers';
import type { PushStep } from './outcome';

/**
 * How builds are delivered: `inPlace` – never with a restart, which needs DevTools, and the extension is gone after a restart of
 * the browser until it is pushed again; `restart` – each by the documented upload, which restarts Chromium; `auto` – the first by
 * that upload, so that the extension survives restarts, and all later ones in place.
 */
export type DeliveryMode = 'auto' | 'inPlace' | 'restart';

/** Which browser a build goes to, and how. */
export interface DeliverRequest {
  service: ServiceClient;
  session: BrowserSession;
  /** The window's connections to browsers, kept between pushes. */
  browsers: BrowserConnections;
  delivery: DeliveryMode;
  /** What happens to tabs when a content script has changed. */
  tabs: TabPolicy;
  /** Name of the folder on the browser; empty to make one from the manifest. */
  folderName: string;
  /** Digest of an archive that the browser runs already; the same content is then not delivered again. */
  unchangedDigest?: string | undefined;
  /** Asked before a delivery that restarts the browser; false ends the push as cancelled. */
  confirmRestart: () => Promise<boolean>;
  log: Logger;
  onStep: (step: PushStep) => void;
}
