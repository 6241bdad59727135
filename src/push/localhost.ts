import type { Browser } from '../service/model';
import type { LocalhostUse } from './prepare/developmentBuild';

/** Asks whether browsers elsewhere may reach servers of this machine, and has them reach those. */
export interface LocalhostAccess {
  /**
   * Asked for a build that connects to servers of this machine, before it is sent. Resolves to undefined when the browsers may not reach them,
   * or cannot.
   */
  grantFor(uses: readonly LocalhostUse[], browsers: readonly Browser[]): Promise<LocalhostGrant | undefined>;
}

/** Servers of this machine that the browsers of a push may reach. */
export interface LocalhostGrant {
  /** The script, changed so that its websockets reach the servers. The same script gives the same one as long as the grant is the same. */
  withSockets(script: string): string;
  /**
   * Has what a browser asks of the servers answered, before a build is sent to it.
   * @throws DevToolsError when DevTools does not reach the browser
   */
  open(browser: Browser, signal: AbortSignal): Promise<void>;
  /**
   * Has what the extension asks answered, too, whose files are in this folder on the browser's machine: it may not be loaded yet. Resolves when
   * that is so; never rejects.
   */
  allow(browser: Browser, folder: string): Promise<void>;
}
