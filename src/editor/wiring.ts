import type { Disposable, ExtensionContext } from 'vscode';
import type { Failures } from './failures';
import type { Log } from './channelLog';

/**
 * What every feature of Sideload gets in a window. A wing extends it by what it provides: `ServiceWiring`, `BrowserWiring`,
 * `FolderWiring`, `ProblemWiring`, `PushWiring`. A feature takes the type of the highest wing that it uses.
 */
export interface Wiring {
  context: ExtensionContext;
  log: Log;
  /** Shows the errors of commands. */
  failures: Failures;
  /** Disposes of these with the window, in this order, before those that were registered earlier. Returns the first. */
  own: <T extends Disposable>(disposable: T, ...others: readonly Disposable[]) => T;
}
