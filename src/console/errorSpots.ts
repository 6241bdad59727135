import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { succeeds } from '../base/succeeds';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import { isWithin } from '../base/disk';
import { isAtPort } from '../base/loopback';
import type { SourceFolders } from '../sources/sourceFiles';
import { findSource, type Spot } from '../sources/sourceMaps';
import type { PartError } from './extensionErrors';
import { manifestRange, type Position } from './manifestLocation';
import { partText } from './partText';

/** Where the files of a pushed build and their sources are. */
export interface BuildFolders extends SourceFolders {
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

/** An error as programs read it. `file` is an absolute path; `line` and `column` count from 1. */
export interface ErrorRecord {
  file: string;
  line: number;
  column: number;
  /** Such as `worker`. */
  part: string;
  /** Chromium's text. */
  text: string;
  isWarning: boolean;
  count: number;
}

/** An error with its place, as {@link locateError} has found it. */
export function recordOf({ part, text, isWarning, count }: PartError, { file, start }: ErrorSpot): ErrorRecord {
  return { file, line: start.line + 1, column: start.column + 1, part: partText(part), text, isWarning, count };
}

/**
 * Where an error of a pushed build is: the line of its source by the source map, else that of the built file, else the line of the manifest that
 * names the part. Reads the disk as it is now. Never rejects.
 */
export async function locateError({ part, location }: PartError, build: BuildFolders): Promise<ErrorSpot> {
  const code = location && codeOf(location.url, build);
  if (!location || code === undefined) return await inManifest(part, build);
  // A browser or a text may say any number.
  const [line, column] = [lineOf(location.line), location.column === undefined ? undefined : lineOf(location.column)];
  const source = await findSource({ file: code, line, column }, build);
  // What a development server gives has no built file to show.
  const built: Spot | undefined = (await succeeds(access(code)))
    ? { file: code, line, column: column ?? 0 }
    : undefined;
  if (source) {
    const start = { line: source.line, column: source.column };
    return { file: source.file, start, ...(built && { built }) };
  }
  return built ? { file: built.file, start: { line, column: built.column } } : await inManifest(part, build);
}

/** The line of the manifest that names a part. */
async function inManifest(part: PartError['part'], { folder }: BuildFolders): Promise<ErrorSpot> {
  const manifest = join(folder, 'manifest.json');
  return { file: manifest, ...(await manifestRange(manifest, part)) };
}

/** The built file of an address, or the address of code that a development server gives; undefined for any other. */
function codeOf(url: string, { folder, extensionId, servers }: BuildFolders): string | undefined {
  if (isAtPort(url, servers?.())) return url;
  const path = pathInExtension(url, extensionId);
  const file = path ? join(folder, ...path.split('/')) : undefined;
  // A script's `sourceURL` comment may lead out of the extension.
  return file !== undefined && isWithin(folder, file) ? file : undefined;
}

/** The most lines and columns that an editor has. */
const MOST_LINES = 2 ** 31 - 1;

function lineOf(said: number): number {
  return Number.isSafeInteger(said) ? Math.min(Math.max(0, said), MOST_LINES) : 0;
}
