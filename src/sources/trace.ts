import {
  decodedMappings,
  FlattenMap,
  LEAST_UPPER_BOUND,
  originalPositionFor,
  type TraceMap,
} from '@jridgewell/trace-mapping';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { dataOf } from '../base/dataUrl';
import { isWithin, readRegularFile } from '../base/disk';
import { fieldOf, textField } from '../base/fields';
import { isAtPort, LOOPBACK_ORIGIN, loopbackPort, type LoopbackPorts } from '../base/loopback';
import { readServed } from './servedCode';
import type { NamedSource } from './sourceFiles';

/** Largest script and largest map that are read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The most sections of a map, nested ones included. */
const MAX_SECTIONS = 10_000;

/** Sections in sections; bundlers write one level. */
const MAX_DEPTH = 8;

/** Longer names of sources are no paths. */
const MAX_NAME_LENGTH = 4096;

/** A server that the script of a worker names, and the most of them that are asked. */
const SERVER = new RegExp(LOOPBACK_ORIGIN, 'g');
const MAX_SERVERS = 3;

/** The comment before the URL of a script's map. */
const MAP_MARK = 'sourceMappingURL=';

/**
 * A position in a built file (absolute path) and the extension folder that contains its map, or in code that a development server gives (its
 * address). Line and column count from 0. A column that is not known is undefined: then there is a source position only if the whole line is
 * from one line of one source.
 */
export interface TraceJob {
  file: string;
  line: number;
  column: number | undefined;
  folder: string;
  /** The development servers that may be asked for code of which the build has no file; none by default. */
  servers?: LoopbackPorts;
}

/** A position in a source of a map. Line and column count from 0. */
export interface TracedSource extends NamedSource {
  line: number;
  column: number;
}

/** The text of a script's map, its URL, and the number of lines of the script. */
interface FoundMap {
  text: string;
  url: string;
  lines: number;
}

/** The source position by the source map, which is inline, a file in the extension folder or on the server of the code; undefined when there is none. */
export async function traceSource(built: TraceJob): Promise<TracedSource | undefined> {
  const found = await readMap(built);
  const map = found && parse(found);
  const traced = map && trace(map, built);
  // A map may name anything as its sources.
  return typeof traced?.raw === 'string' && typeof traced.resolved === 'string' ? traced : undefined;
}

async function readMap({ file, folder, servers }: TraceJob): Promise<FoundMap | undefined> {
  const isFile = loopbackPort(file) === undefined;
  const code = await readCode([isFile ? pathToFileURL(file) : new URL(file)]);
  const found =
    code ?? (isFile ? await readCode(await servedAddresses(relative(folder, file), folder, servers)) : undefined);
  if (!found) return undefined;
  const { url, script } = found;
  const lines = script.split('\n').length;
  const address = mapAddress(script);
  if (address?.startsWith('data:')) {
    const text = dataOf(address)?.toString('utf8');
    return text === undefined ? undefined : { text, url: url.href, lines };
  }
  // Without a `sourceMappingURL` comment, the source map may still be a file beside the script.
  const map = mapUrl(address ?? `${url.pathname}.map`, url, folder);
  const text = map && (await readText(map));
  return text === undefined ? undefined : { text, url: map?.href ?? '', lines };
}

/** The first of these scripts that there is. */
async function readCode(addresses: readonly URL[]): Promise<{ url: URL; script: string } | undefined> {
  for (const url of addresses) {
    const script = await readText(url);
    if (script !== undefined) return { url, script };
  }
  return undefined;
}

/**
 * Where servers may have code that has an address of the extension, but no file in the build: CRXJS has its worker answer such from the server, so
 * that the script of the worker names it.
 */
async function servedAddresses(path: string, folder: string, servers: LoopbackPorts = []): Promise<URL[]> {
  if (servers.length === 0 || !isWithin(folder, resolve(folder, path))) return [];
  const manifest = parseJson(await readText(pathToFileURL(join(folder, 'manifest.json'))));
  const worker = textField(fieldOf(manifest, 'background'), 'service_worker');
  const text = worker === '' ? undefined : await readText(pathToFileURL(join(folder, worker)));
  const named = [...(text ?? '').matchAll(SERVER)]
    .map(([origin]) => origin)
    .filter((origin) => isAtPort(origin, servers));
  const way = path.split(sep).map(encodeURIComponent).join('/');
  return [...new Set(named)].slice(0, MAX_SERVERS).map((origin) => new URL(way, `${origin}/`));
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

async function readText(url: URL): Promise<string | undefined> {
  if (url.protocol === 'http:') return await readServed(url, MAX_BYTES);
  return (await readRegularFile(fileURLToPath(url), MAX_BYTES))?.toString('utf8');
}

/** The URL in the last comment of this kind: a bundled script may contain those of its parts. */
function mapAddress(script: string): string | undefined {
  const at = script.lastIndexOf(MAP_MARK);
  if (at < 0 || !/\/\/[#@]\s*$/.test(script.slice(Math.max(0, at - 4), at))) return undefined;
  const [address] = /^\S+/.exec(script.slice(at + MAP_MARK.length)) ?? [];
  return address;
}

/** Where the map of a script is; undefined where nothing may be read: outside of the folder, or on another server than the script. */
function mapUrl(address: string, script: URL, folder: string): URL | undefined {
  try {
    const url = new URL(address, script);
    const mayRead = script.protocol === 'http:' ? url.origin === script.origin : isWithin(folder, fileURLToPath(url));
    return mayRead ? url : undefined;
  } catch {
    // A file on a server, or not a URL.
    return undefined;
  }
}

function parse({ text, url, lines }: FoundMap): TraceMap | undefined {
  try {
    // The first line may be a guard against script inclusion.
    const json = text.replace(/^\)\]\}'[^\n]*/, '');
    return countSections(JSON.parse(json), lines, MAX_DEPTH) <= MAX_SECTIONS ? new FlattenMap(json, url) : undefined;
  } catch {
    // The text is not a source map.
    return undefined;
  }
}

/**
 * The number of sections in a map. Infinite when one begins after the last line of the script: the library would create an array for
 * each line before it.
 */
function countSections(map: unknown, lines: number, depth: number): number {
  const sections = fieldOf(map, 'sections');
  if (!Array.isArray(sections)) return 0;
  if (depth === 0) return Infinity;
  let count = sections.length;
  for (const section of sections) {
    const line = fieldOf(fieldOf(section, 'offset'), 'line');
    if (typeof line !== 'number' || line < 0 || line >= lines || count > MAX_SECTIONS) return Infinity;
    count += countSections(fieldOf(section, 'map'), lines - line, depth - 1);
  }
  return count;
}

/** The library counts lines from 1. A position before the first mapping of a line belongs to that mapping. */
function trace(map: TraceMap, job: TraceJob): TracedSource | undefined {
  try {
    const column = job.column ?? columnOfOnlySource(map, job.line);
    if (column === undefined) return undefined;
    const needle = { line: job.line + 1, column };
    const before = originalPositionFor(map, needle);
    const found = before.source === null ? originalPositionFor(map, { ...needle, bias: LEAST_UPPER_BOUND }) : before;
    // A map may refer to a source that it does not list.
    if (typeof found.source !== 'string' || found.source.length > MAX_NAME_LENGTH) return undefined;
    // Differences in its mappings may lead before the first line or column.
    if (found.line < 1 || found.column < 0) return undefined;
    const raw = map.sources[map.resolvedSources.indexOf(found.source)] ?? found.source;
    return { raw, resolved: found.source, line: found.line - 1, column: found.column };
  } catch {
    // Mappings are decoded at the first query, and may be invalid.
    return undefined;
  }
}

/** The column of the first mapping of a line, when all of its mappings lead to one line of one source. */
function columnOfOnlySource(map: TraceMap, line: number): number | undefined {
  const sources = (decodedMappings(map)[line] ?? []).filter((segment) => segment.length > 1);
  const [first] = sources;
  const isSame = sources.every(([, source, sourceLine]) => source === first?.[1] && sourceLine === first?.[2]);
  return isSame ? first?.[0] : undefined;
}
