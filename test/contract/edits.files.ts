import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import type { TestService } from './service';

/** The folder of all extensions of a browser, as a path of this machine. */
export function rootOf({ dataFolder }: TestService, { id }: Browser): string {
  return join(dataFolder, 'sessions', id, 'files', ...EXTENSIONS_ROOT.split('/'));
}

/** The files that a browser has of the extension of the edits, by path. */
export async function filesOn(service: TestService, browser: Browser): Promise<Map<string, Buffer>> {
  const root = rootOf(service, browser);
  // Of several folders, the last one was made for the latest push.
  const own = (await readdir(root)).filter((name) => name.startsWith('edits')).sort();
  const folder = join(root, own.at(-1) ?? '');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = async (file: string) => [file.slice(folder.length + 1), await readFile(file)] as const;
  return new Map(await Promise.all(files.sort().map(read)));
}

/** The manifest as it is delivered into a folder of another name, where its key keeps the id that it has in `folder`. */
export function withKeyOf(folder: string, manifest = '{}'): Buffer {
  const key = Buffer.from(`${EXTENSIONS_ROOT}/${folder}`).toString('base64');
  return Buffer.from(JSON.stringify({ ...(JSON.parse(manifest) as object), key }));
}

/** Longer files are compared by their digests, so that a failure stays readable. In bytes. */
const LONGEST_TEXT = 2000;

/** The contents of files by path, in the order of their paths; of a long one its length and digest. */
export function texts(files: ReadonlyMap<string, Buffer>): Record<string, string> {
  const read = (bytes: Buffer): string =>
    bytes.length <= LONGEST_TEXT
      ? bytes.toString('utf8')
      : `${bytes.length} bytes, SHA-256 ${createHash('sha256').update(bytes).digest('hex')}`;
  return Object.fromEntries([...files].sort().map(([path, bytes]) => [path, read(bytes)]));
}
