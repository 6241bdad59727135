import { FlattenMap, LEAST_UPPER_BOUND, originalPositionFor, type TraceMap } from '@jridgewell/trace-mapping';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findSourceFile, isWithin, type SourcePlaces } from './sourceFiles';

/** A larger map is not read, in bytes: it would hold up the editor, for the sake of one line. */
const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** Words that a script ends with before the address of its map. */
const MAP_MARK = 'sourceMappingURL=';

/** A place in a file. Line and column count from 0. */
export interface Spot {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
}

/** What a script's map says, and the address it says it from. */
interface FoundMap {
  text: string;
  url: string;
}

/**
 * The place in the source that a place in a built file was made from, by the file's source map: in the file itself, or a file of
 * the extension folder. Undefined when there is no map, when it knows nothing of the place, or when its source is no file of
 * the workspace: then the built place is the best there is. Reads the disk as it is now. Never rejects.
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
  // A map that is kept from the public is not named, but lies beside its script.
  const path = mapPath(address ?? `${url.pathname}.map`, url);
  if (path === undefined || !isWithin(folder, path)) return undefined;
  const text = await readText(path);
  return text === undefined ? undefined : { text, url: pathToFileURL(path).href };
}

/** The text of a file; undefined for what is not there, cannot be read or is too large. */
async function readText(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).size > MAX_MAP_BYTES ? undefined : await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What the last comment of this kind names: a script that was bundled may carry those of its parts. */
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
    // On a server, or not an address at all.
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
    // The first line may be a guard against being run as a script.
    return new FlattenMap(text.replace(/^\)\]\}'[^\n]*/, ''), url);
  } catch {
    // Whatever it is, it is not a source map.
    return undefined;
  }
}

interface Original {
  raw: string;
  resolved: string;
  line: number;
  column: number;
}

/** The library counts lines from 1. A place before the first that a line's map knows belongs to that first one. */
function trace(map: TraceMap, { line, column }: Spot): Original | undefined {
  const needle = { line: line + 1, column };
  try {
    const before = originalPositionFor(map, needle);
    const found = before.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : before;
    if (found.source === null) return undefined;
    const raw = map.sources[map.resolvedSources.indexOf(found.source)] ?? found.source;
    return { raw, resolved: found.source, line: found.line - 1, column: found.column };
  } catch {
    // Mappings are decoded at the first question, and may turn out to be none.
    return undefined;
  }
}
