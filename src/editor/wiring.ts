import type { Disposable, ExtensionContext } from 'vscode';
import type { Failures } from './failures';
import type { Log } from './channelLog';

/**
 * What every feature of Sideload gets in a window. A wing extends it by the parts that it provides: `ServiceParts`, `BrowserParts`,
 * `FolderParts`, `ProblemParts`, `PushParts`. A feature takes the type of the highest wing whose parts it uses.
 */
export interface Parts {
  context: ExtensionContext;
  log: Log;
  /** Shows the errors of commands. */
  failures: Failures;
  /** Disposes of `part` with the window, before the parts that were registered earlier. */
  own: <T extends Disposable>(part: T) => T;
}
