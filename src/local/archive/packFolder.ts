import JSZip from 'jszip';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';

const FILE_MODE_MASK = 0o777;

/**
 * A zip archive of a folder's files, names relative to it and with `/`, empty folders included; links and special files
 * are left out. It is packed while it is read: one file at a time is open, and none is held in memory as a whole.
 */
export async function packFolder(folder: string): Promise<Readable> {
  const zip = new JSZip();
  const abort = new AbortController();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    if (entry.isDirectory()) zip.file(`${name}/`, null, { dir: true });
    if (!entry.isFile()) continue;
    const { mode, mtime } = await stat(file);
    zip.file(name, lazily(file, abort.signal), {
      date: mtime,
      unixPermissions: mode & FILE_MODE_MASK,
      createFolders: false,
    });
  }
  const packed = zip.generateNodeStream({ streamFiles: true, platform: 'UNIX', compression: 'DEFLATE' });
  // The library's stream is an old one, which Node's own stream functions do not take.
  const output = new PassThrough();
  packed.on('error', (error: Error) => output.destroy(error));
  // A reader that leaves early must not leave a file open.
  output.once('close', () => abort.abort());
  return packed.pipe(output);
}

/** A file that is opened when its first byte is asked for. */
function lazily(file: string, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      yield* createReadStream(file, { signal });
    })(),
    { objectMode: false },
  );
}
