import type { Clock } from '../base/clock';
import type { ConnectionWiring } from '../devtools/protocol/connect';
import type { Browser } from '../service/model';
import type { PushLink } from './pushLink';

/** What a push needs of the DevTools connections to the browsers of one service. */
export interface PushBrowsers {
  /** The time for limits and polls. */
  readonly clock: Clock;
  /** What a connection is made of that a push opens beside those, to a browser that may be blocked. */
  readonly wiring: ConnectionWiring;
  /**
   * Runs `act` with the connection to a browser, opened if need be.
   * @throws DevToolsError; ServiceError for an address that must not be connected to
   */
  use<T>(browser: Browser, act: (link: PushLink) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Opens the connection again as soon as the browser has ended it, as by a restart, if that is before the returned function is called. */
  reopenWhenLost(browser: Browser): () => void;
  /** The connection to a browser that is open, or that the browser has ended: the next one is another. Undefined after one that was closed here. */
  last(browser: Browser): PushLink | undefined;
  /** Reports the errors of an extension that was pushed, from now on and over later connections. */
  watchErrors(browser: Browser, extensionId: string): void;
}
