import { FlattenMap, LEAST_UPPER_BOUND, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findSourceFile, isWithin, type SourcePlaces } from './sourceFiles';

/** Largest map that is read, in bytes: a larger one would block the extension host for one line. */
const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** The comment before the URL of a script's map. */
const MAP_MARK = 'sourceMappingURL=';

/** A place in a file. Line and column count from 0. */
export interface Spot {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
}

/** The text of a script's map, and its URL. */
interface FoundMap {
  text: string;
  url: string;
}

/**
 * The source position of a position in a built file, by the file's source map, which is inline or a file in the extension folder.
 * Undefined when there is no map, when it has no mapping for the position, or when the source is not a file in the workspace. Reads
 * the disk as it is now. Never rejects.
 */
export async function findSource(built: Spot, places: SourcePlaces): Promise<Spot | undefined> {
  const found = await readMap(built.file, places.folder);
  const map = found && parse(found);
  const original = map && trace(map, built);
  if (!original) return undefined;
  const file = await findSourceFile(original, places);
  return file === undefined ? undefined : { file, line: original.line, column: original.column };
}

async function readMap(file: string, folder: string): Promise<FoundMap | undefined> {
  const script = await readText(file);
  if (script === undefined) return undefined;
  const url = pathToFileURL(file);
  const address = mapAddress(script);
  if (address?.startsWith('data:')) {
    const text = dataText(address);
    return text === undefined ? undefined : { text, url: url.href };
  }
  // A map that is not published is not named by the script, but is a file beside it.
  const path = mapPath(address ?? `${url.pathname}.map`, url);
  if (path === undefined || !isWithin(folder, path)) return undefined;
  const text = await readText(path);
  return text === undefined ? undefined : { text, url: pathToFileURL(path).href };
}

/** The text of a file; undefined when it does not exist, cannot be read or is too large. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > MAX_MAP_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** The URL in the last comment of this kind: a bundled script may contain those of its parts. */
function mapAddress(script: string): string | undefined {
  const at = script.lastIndexOf(MAP_MARK);
  if (at < 0 || !/\/\/[#@]\s*$/.test(script.slice(Math.max(0, at - 4), at))) return undefined;
  const [address] = /^\S+/.exec(script.slice(at + MAP_MARK.length)) ?? [];
  return address;
}

function mapPath(address: string, script: URL): string | undefined {
  try {
    return fileURLToPath(new URL(address, script));
  } catch {
    // On a server, or not a URL.
    return undefined;
  }
}

function dataText(address: string): string | undefined {
  const comma = address.indexOf(',');
  const data = address.slice(comma + 1);
  try {
    return /;base64$/i.test(address.slice(0, comma))
      ? Buffer.from(data, 'base64').toString('utf8')
      : decodeURIComponent(data);
  } catch {
    // A stray percent sign.
    return undefined;
  }
}

function parse({ text, url }: FoundMap): TraceMap | undefined {
  try {
    // The first line may be a guard against script inclusion.
    return new FlattenMap(text.replace(/^\)\]\}'[^\n]*/, ''), url);
  } catch {
    // The text is not a source map.
    return undefined;
  }
}

interface Original {
  raw: string;
  resolved: string;
  line: number;
  column: number;
}

/** The library counts lines from 1. A position before the first mapping of a line belongs to that mapping. */
function trace(map: TraceMap, { line, column }: Spot): Original | undefined {
  const needle = { line: line + 1, column };
  try {
    const before = originalPositionFor(map, needle);
    const found = before.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : before;
    // A map may refer to a source that it does not list.
    if (typeof found.source !== 'string') return undefined;
    const raw = map.sources[map.resolvedSources.indexOf(found.source)] ?? found.source;
    return { raw, resolved: found.source, line: found.line - 1, column: found.column };
  } catch {
    // Mappings are decoded at the first query, and may be invalid.
    return undefined;
  }
}
