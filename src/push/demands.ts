import type { LoadedExtension } from '../devtools/protocol/loadedExtensions';

/** What a delivery of one folder to one browser is to do, beside bringing the files. */
export interface Demands {
  /** Whether the extension is reloaded also when none of its files has changed. */
  readonly mustReload: boolean;
  /** Whether a browser that runs the same files already is left alone. */
  readonly skipUnchanged: boolean;
  /** Whether the extension is to have no access to files of the browser's machine. */
  readonly withoutFiles: boolean;
  /** Whether the browser is still to be pushed to, asked when the build is there and nothing has been done in the browser. */
  readonly isWanted: () => boolean;
  /** Other copies of the extension that are removed first. */
  readonly copies: readonly LoadedExtension[];
}

/** What two pushes demand of one delivery that is made for both. */
export function joined(earlier: Demands, later: Demands): Demands {
  const known = new Set(earlier.copies.map(({ id }) => id));
  return {
    mustReload: earlier.mustReload || later.mustReload,
    skipUnchanged: earlier.skipUnchanged && later.skipUnchanged,
    withoutFiles: earlier.withoutFiles || later.withoutFiles,
    isWanted: () => earlier.isWanted() || later.isWanted(),
    copies: [...earlier.copies, ...later.copies.filter(({ id }) => !known.has(id))],
  };
}
