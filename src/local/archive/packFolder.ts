import JSZip from 'jszip';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';

const FILE_MODE_MASK = 0o777;

/**
 * A zip archive of a folder, with relative names and `/`, including empty folders, without links and special files. It is packed while it is
 * read, with one open file at a time and no whole file in memory.
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
  // The library's stream is of an old version, which Node's stream functions do not accept.
  const output = new PassThrough();
  packed.on('error', (error: Error) => output.destroy(error));
  // When the reader ends early, the open file has to be closed.
  output.once('close', () => abort.abort());
  return packed.pipe(output);
}

/** A file that is opened when it is first read. */
function lazily(file: string, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      yield* createReadStream(file, { signal });
    })(),
    { objectMode: false },
  );
}
