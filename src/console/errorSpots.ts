import { join } from 'node:path';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import { isWithin } from '../base/disk';
import { findSource, type BuiltSpot, type Spot } from '../sources/sourceMaps';
import type { PartError } from './extensionErrors';
import { manifestRange, type Position } from './manifestLocation';

/** Where the files of a pushed build and their sources are. */
export interface BuildFolders {
  /** The extension folder that was pushed, absolute. */
  folder: string;
  /** The workspace folder that holds it and its sources, absolute. */
  root: string;
  extensionId: string;
}

/** Where an error is shown to people. */
export interface ErrorSpot {
  /** Absolute path. */
  file: string;
  start: Position;
  /** Undefined for the end of the line. */
  end?: Position;
  /** The location in the built file, when `file` is its source. */
  built?: Spot;
}

/**
 * Where an error of a pushed build is: the line of its source by the source map, else that of the built file, else the line of the manifest that
 * names the part. Reads the disk as it is now. Never rejects.
 */
export async function locateError(
  { part, location }: PartError,
  { folder, root, extensionId }: BuildFolders,
): Promise<ErrorSpot> {
  const path = location && pathInExtension(location.url, extensionId);
  const file = path ? join(folder, ...path.split('/')) : undefined;
  // A script's `sourceURL` comment may lead out of the extension.
  if (!location || file === undefined || !isWithin(folder, file)) {
    const manifest = join(folder, 'manifest.json');
    return { file: manifest, ...(await manifestRange(manifest, part)) };
  }
  // A browser or a text may say any number.
  const [line, column] = [lineOf(location.line), location.column === undefined ? undefined : lineOf(location.column)];
  const spot: BuiltSpot = { file, line, column };
  const built: Spot = { ...spot, column: spot.column ?? 0 };
  const source = await findSource(spot, { folder, root });
  if (!source) return { file, start: { line: built.line, column: built.column } };
  return { file: source.file, start: { line: source.line, column: source.column }, built };
}

/** The most lines and columns that an editor has. */
const MOST_LINES = 2 ** 31 - 1;

function lineOf(said: number): number {
  return Number.isSafeInteger(said) ? Math.min(Math.max(0, said), MOST_LINES) : 0;
}
