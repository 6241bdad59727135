import { isInRepository, type Import } from '../support/importGraph';
import { isCovered } from './covers';

/** What depends on what. */
export interface Dependencies {
  readonly imports: readonly Import[];
  /** What files cover without importing it, by their path; see `coversOf`. */
  readonly covers: ReadonlyMap<string, readonly string[]>;
}

/**
 * How a test reaches what has changed. `near`: it, or a helper of the tests, uses the changed file's own room, or covers it. `far`: only
 * through other rooms of the house, whose tests show first what goes wrong there.
 */
export type Reach = 'near' | 'far';

/**
 * The room of a file of `src/` (a wing of it where the editor is concerned, a file of its own where every room is), or `test` for
 * a file of the tests.
 */
export function roomOf(file: string): string {
  const [top, room, wing] = file.split('/');
  if (top !== 'src' || room === undefined) return top ?? '';
  return (room === 'editor' || room === 'base') && wing !== undefined ? `src/${room}/${wing}` : `src/${room}`;
}

/**
 * The files that changes can touch when the code runs, the changed ones included: each that imports or covers a touched one. Imports of
 * types alone do not count: what they break, the compiler finds.
 */
export function touchedBy(changed: readonly string[], { imports, covers }: Dependencies): Map<string, Reach> {
  const importers = new Map<string, string[]>();
  for (const one of imports) {
    if (one.isType || !isInRepository(one)) continue;
    const known = importers.get(one.to);
    if (known) known.push(one.from);
    else importers.set(one.to, [one.from]);
  }
  const touched = new Map<string, Reach>();
  for (const file of changed) {
    const coverers = [...covers]
      .filter(([, names]) => names.some((name) => isCovered(file, name)))
      .map(([from]) => from);
    const room = roomOf(file);
    const isNear = (next: string): boolean => roomOf(next) === room || !next.startsWith('src/');
    // What only the tests of the window load, such as texts and the package itself, reaches all of them alike.
    const near = reachable([file, ...coverers], importers, isNear);
    const any = reachable([file, ...coverers], importers, () => true);
    for (const path of any) if (touched.get(path) !== 'near') touched.set(path, near.has(path) ? 'near' : 'far');
  }
  return touched;
}

function reachable(
  from: readonly string[],
  importers: ReadonlyMap<string, readonly string[]>,
  isWanted: (file: string) => boolean,
): Set<string> {
  const found = new Set(from);
  const left = [...from];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    for (const next of importers.get(file) ?? []) {
      if (found.has(next) || !isWanted(next)) continue;
      found.add(next);
      left.push(next);
    }
  }
  return found;
}
