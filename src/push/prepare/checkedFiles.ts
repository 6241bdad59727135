import type { PackedFile } from '../../archive/knownFile';
import type { LeftOut, Selection } from '../../archive/selection';
import type { Dependencies } from '../../manifest/check';

/**
 * Whether a check of a folder has judged the files that are packed: at each path that its findings depend on it has found what the archive
 * has there. What is left out of the archive, and folders without a packed file, may be in the folder alone.
 */
export function hasChecked(
  { dependsOn, isCut }: Dependencies,
  files: readonly PackedFile[],
  { leftOut }: Selection,
): boolean {
  if (isCut) return false;
  const packed = new Map(files.map((file) => [file.entry.name, file]));
  const paths = [...packed.keys()].sort();
  const reasons = reasonsOf(leftOut);
  return [...dependsOn].every(([path, seen]) => {
    const file = packed.get(path);
    if (file) return seen?.kind === 'file' && seen.size === file.size && (seen.digest ?? file.digest) === file.digest;
    if (seen && seen.kind !== 'folder') return reasonFor(path, reasons) !== undefined;
    if (seen && !seen.names) return true;
    const start = path === '' ? '' : `${path}/`;
    for (let at = placeOf(start, paths), below = paths[at]; below?.startsWith(start); below = paths[++at]) {
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

/** Files that the manifest names and that exist, but that are not packed, each with the reason. */
export function unpacked(named: readonly string[], { files, leftOut }: Selection): LeftOut[] {
  const packed = new Set(files.map(({ path }) => path));
  const reasons = reasonsOf(leftOut);
  return named
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
