import pLimit from 'p-limit';
import type { PackedFile } from '../../archive/knownFile';
import { contentOf } from '../../archive/zip';
import type { LocalhostUse } from '../localhost';

/** A file beyond this size is a bundle with everything in it, not the loader of a development server. */
const MOST_BYTES = 256 * 1024;

/** Files that are read at the same time. */
const PARALLEL_FILES = 8;

const HOST = String.raw`(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?![\w.-])`;

/** Code is loaded by imports and script elements. Repetitions are bounded: a line of 256 KiB may begin like an import everywhere. */
const CODE = [
  new RegExp(String.raw`\bimport\s{0,9}(?:\(\s{0,9})?["'](https?:\/\/${HOST})`),
  new RegExp(String.raw`\bfrom\s{0,9}["'](https?:\/\/${HOST})`),
  new RegExp(String.raw`\bimportScripts\s{0,9}\(\s{0,9}["'](https?:\/\/${HOST})`),
  new RegExp(String.raw`<script\b[^>]{0,100}\bsrc\s{0,9}=\s{0,9}["']?(https?:\/\/${HOST})`, 'i'),
];

/** Connections are opened by websockets, and prepared for by a policy that lets scripts of that machine in. */
const CONNECTIONS = [
  new RegExp(String.raw`\bnew\s{1,9}WebSocket\s{0,9}\(\s{0,9}["'\x60](wss?:\/\/${HOST})`),
  new RegExp(String.raw`\bscript-src\b[^;"]{0,200}\s(https?:\/\/${HOST})`),
];

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
    const known = new Map<string, readonly Use[]>();
    const texts = files.filter(({ entry: { name } }) => name === 'manifest.json' || /\.(?:m?js|html?)$/i.test(name));
    const found = await pLimit(PARALLEL_FILES).map(texts, async (file) => {
      const uses = this.#known.get(file.digest) ?? (await findInFile(file));
      known.set(file.digest, uses);
      return uses.map((use) => ({ file: file.entry.name, ...use }));
    });
    this.#known = known;
    return found.flat();
  }
}

type Use = Omit<LocalhostUse, 'file'>;

async function findInFile({ entry, size }: PackedFile): Promise<Use[]> {
  return size > MOST_BYTES ? [] : findInText(Buffer.from(await contentOf(entry)).toString('utf8'));
}

/** The uses in one text, at most one a line. */
export function findInText(text: string): Use[] {
  const first = (patterns: readonly RegExp[], line: string): string | undefined =>
    patterns.map((pattern) => pattern.exec(line)?.[1]).find((match) => match !== undefined);
  return text.split('\n').flatMap((text, index): Use[] => {
    const line = index + 1;
    const code = first(CODE, text);
    if (code !== undefined) return [{ what: 'code', line, address: code }];
    const connection = first(CONNECTIONS, text);
    return connection === undefined ? [] : [{ what: 'connection', line, address: connection }];
  });
}
