import pLimit from 'p-limit';
import { urlOf } from '../../base/url';
import type { PackedFile } from '../../archive/knownFile';
import { contentOf } from '../../archive/zip';
import type { LocalhostUse } from '../localhost';

/** A file beyond this size is a bundle with everything in it, not the loader of a development server. */
const MOST_BYTES = 256 * 1024;

/** How far into a larger bundle the data of Plasmo's runtime may be, in characters: it is in front of the code of the extension. */
const RUNTIME_LENGTH = 64 * 1024;

/** Files that are read at the same time. */
const PARALLEL_FILES = 8;

const NAME = String.raw`(?:localhost|127\.0\.0\.1|\[::1\])`;
const HOST = String.raw`${NAME}(?::\d+)?(?![\w.-])`;

/** Code is loaded by imports and script elements. Repetitions are bounded: a line of 256 KiB may begin like an import everywhere. */
const CODE = [
  new RegExp(String.raw`\bimport\s{0,9}(?:\(\s{0,9})?["'](https?:\/\/${HOST})`, 'g'),
  new RegExp(String.raw`\bfrom\s{0,9}["'](https?:\/\/${HOST})`, 'g'),
  new RegExp(String.raw`\bimportScripts\s{0,9}\(\s{0,9}["'](https?:\/\/${HOST})`, 'g'),
  new RegExp(String.raw`<script\b[^>]{0,100}\bsrc\s{0,9}=\s{0,9}["']?(https?:\/\/${HOST})`, 'gi'),
];

/**
 * Connections are opened by websockets, and prepared for by a policy that lets scripts of that machine in. A policy without a port, as Plasmo
 * writes it, names no server.
 */
const CONNECTIONS = [
  new RegExp(String.raw`\bnew\s{1,9}WebSocket\s{0,9}\(\s{0,9}["'\x60](wss?:\/\/${HOST})`, 'g'),
  new RegExp(String.raw`(https?:\/\/${NAME}:\d+)(?![\w.-])(?<=\bscript-src\b[^;"]{0,500}\s\1)`, 'g'),
];

/** The data that Plasmo's runtime makes the addresses of its websockets of, in front of each script of a development build. */
const PLASMO =
  /"isBackground":\s{0,9}(true|false),[^{}]{0,500}?"host":\s{0,9}"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|)",\s{0,99}"port":\s{0,9}(\d{1,5})\b/g;

/**
 * Finds where the manifest, pages and scripts of a build connect to the developer's own machine, as the development builds of WXT,
 * CRXJS, Plasmo and Vite do; a remote browser cannot reach it. Addresses that are only mentioned do not count. Results are kept by
 * content, so that only changed files are read again.
 */
export class LocalhostScan {
  /** By SHA-256 of the content; of the last build only. */
  #known = new Map<string, readonly Use[]>();

  /** `files`: those of the build. */
  async find(files: readonly PackedFile[]): Promise<LocalhostUse[]> {
    const before = this.#known;
    const texts = files.filter(({ entry: { name } }) => name === 'manifest.json' || /\.(?:m?js|html?)$/i.test(name));
    const read = await pLimit(PARALLEL_FILES).map(
      texts.filter(({ digest }) => !before.has(digest)),
      async (file) => [file.digest, await findInFile(file)] as const,
    );
    const found = new Map(read);
    const usesIn = ({ digest }: PackedFile): readonly Use[] => before.get(digest) ?? found.get(digest) ?? [];
    this.#known = new Map(texts.map((file) => [file.digest, usesIn(file)]));
    return texts.flatMap((file) => usesIn(file).map((use) => ({ file: file.entry.name, ...use })));
  }
}

type Use = Omit<LocalhostUse, 'file'>;

async function findInFile({ entry, size }: PackedFile): Promise<Use[]> {
  const text = Buffer.from(await contentOf(entry)).toString('utf8');
  return size > MOST_BYTES ? findPlasmo(text.slice(0, RUNTIME_LENGTH)) : findInText(text);
}

/** The uses in one text, each address once for a line, and those of Plasmo's runtime. */
export function findInText(text: string): Use[] {
  const uses = text.split('\n').flatMap((text, index) => {
    const found = (what: Use['what'], patterns: readonly RegExp[]): Use[] => {
      const matches = patterns.flatMap((pattern) => [...text.matchAll(pattern)]);
      const addresses = new Set(matches.map(([, address = '']) => address));
      return [...addresses].map((address) => ({ what, line: index + 1, address }));
    };
    return [...found('code', CODE), ...found('connection', CONNECTIONS)];
  });
  return [...uses.filter(isAddress), ...findPlasmo(text)];
}

/**
 * Whether all of these files are scripts that Plasmo's development server brings to the pages that are connected to it, without a reload; it also
 * writes them into the build.
 */
export async function areUpdatedInPlace(files: readonly PackedFile[]): Promise<boolean> {
  const updated = await pLimit(PARALLEL_FILES).map(files, async ({ entry }) => {
    if (!/\.m?js$/i.test(entry.name)) return false;
    const text = Buffer.from(await contentOf(entry)).toString('utf8');
    return findPlasmo(text.slice(0, RUNTIME_LENGTH)).length > 0;
  });
  return updated.every(Boolean);
}

/** The websockets of Plasmo's runtime: all parts connect to the port of hot updates, and the worker to the next one, which reports builds to it. */
function findPlasmo(text: string): Use[] {
  return [...text.matchAll(PLASMO)].flatMap(({ 0: data, 1: isBackground, 2: digits, index }) => {
    const line = text.slice(0, index + data.length).split('\n').length;
    const port = Number(digits);
    const ports = isBackground === 'true' ? [port, port + 1] : [port];
    return ports.map((one): Use => ({ what: 'connection', line, address: `ws://localhost:${one}` })).filter(isAddress);
  });
}

/** No server has a port beyond the last. */
function isAddress({ address }: Use): boolean {
  return urlOf(address) !== undefined;
}
