import type { PackedFile } from '../../archive/knownFile';
import type { LeftOut, Selection } from '../../archive/selection';
import type { Dependencies } from '../../manifest/check';

/**
 * Whether a check of a folder has judged the files that are packed: at each path that its findings depend on it has found what the archive
 * has there. Of a listed folder, names that are left out of the archive do not count.
 */
export function hasChecked({ dependsOn, isCut }: Dependencies, files: readonly PackedFile[]): boolean {
  if (isCut) return false;
  const packed = new Map(files.map((file) => [file.entry.name, file]));
  const paths = [...packed.keys()].sort();
  return [...dependsOn].every(([path, seen]) => {
    const file = packed.get(path);
    if (file) return seen?.kind === 'file' && seen.size === file.size && (seen.digest ?? file.digest) === file.digest;
    if (seen && seen.kind !== 'folder') return false;
    const start = path === '' ? '' : `${path}/`;
    const first = placeOf(start, paths);
    // An archive has no folder without a file in it.
    if (seen && !(paths[first] ?? '').startsWith(start)) return seen.names?.size === 0;
    if (seen && !seen.names) return true;
    for (let at = first, below = paths[at]; below?.startsWith(start); below = paths[++at]) {
      const [name = ''] = below.slice(start.length).split('/', 1);
      if (!seen?.names?.has(name)) return false;
    }
    return true;
  });
}

/** The place of the first path that does not come before `start`, in sorted paths. */
function placeOf(start: string, paths: readonly string[]): number {
  let [from, to] = [0, paths.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((paths[middle] ?? '') < start) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The paths at which a check has found files. */
export function foundFiles({ dependsOn }: Dependencies): string[] {
  return [...dependsOn].flatMap(([path, seen]) => (seen?.kind === 'file' ? path : []));
}

/** Those of the files at these paths that exist, but are not packed, each with the reason. */
export function unpacked(paths: readonly string[], { files, leftOut }: Selection): LeftOut[] {
  const packed = new Set(files.map(({ path }) => path));
  const reasons = reasonsOf(leftOut);
  return paths
    .filter((path) => !packed.has(path))
    .flatMap((path) => {
      const reason = reasonFor(path, reasons);
      return reason === undefined ? [] : [{ path, reason }];
    });
}

function reasonsOf(leftOut: readonly LeftOut[]): ReadonlyMap<string, string> {
  return new Map(leftOut.map(({ path, reason }) => [path, reason]));
}

/** The reason why a path, or a folder that holds it, is left out. */
function reasonFor(path: string, reasons: ReadonlyMap<string, string>): string | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const reason = reasons.get(path.slice(0, end));
    if (reason !== undefined) return reason;
  }
  return undefined;
}
