import { createReadStream, createWriteStream, type ReadStream, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileInfo } from '../../service/model';
import { packFolder } from '../archive/packFolder';
import { type ArchiveSource, unpack } from '../archive/unpack';
import { ApiError, invalidInput, isFileError } from '../errors';
import { randomId } from '../randomId';
import type { Jail } from './jail';
const PERMISSION_BITS = 0o777;
const PERMISSION_LETTERS = 'rwxrwxrwx';

/** The user to whom everything on the service's machines belongs; here there is no other. */
const MACHINE_USER = 'kernel';

/** The files of one session's machine. Paths are the client's, absolute; 404 for what is not there, 400 for what cannot be. */
export class SessionFiles {
  constructor(
    private readonly jail: Jail,
    /** On the same disk, for files that are not whole yet. */
    private readonly spoolFolder: string,
  ) {}

  /** The entries of a folder, by name. */
  async list(clientPath: string): Promise<FileInfo[]> {
    const folder = this.jail.real(clientPath);
    const names = await readdir(folder).catch((error: unknown) => this.#fail(error, clientPath));
    const entries = await Promise.all(
      names.sort().map(async (name) => {
        const file = path.join(folder, name);
        const stats = await lstat(file).catch(() => undefined);
        return stats && this.#describe(file, stats);
      }),
    );
    return entries.filter((entry) => entry !== undefined);
  }

  async info(clientPath: string): Promise<FileInfo> {
    const file = this.jail.real(clientPath);
    return this.#describe(file, await this.#stats(clientPath));
  }

  async read(clientPath: string): Promise<{ size: number; content: ReadStream }> {
    const stats = await this.#stats(clientPath);
    if (!stats.isFile()) throw invalidInput(`Not a file: "${clientPath}".`);
    return { size: stats.size, content: createReadStream(this.jail.real(clientPath)) };
  }

  /** Writes a file as a whole and makes the folders it needs; what was there is replaced only when everything has arrived. */
  async write(clientPath: string, mode: number | undefined, content: Readable): Promise<void> {
    const file = this.jail.realBelowRoot(clientPath);
    const draft = path.join(this.spoolFolder, randomId());
    await mkdir(this.spoolFolder, { recursive: true });
    try {
      await pipeline(content, createWriteStream(draft));
      if (mode !== undefined) await chmod(draft, mode);
      await place(draft, file);
    } catch (error) {
      this.#fail(error, clientPath);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Puts spooled files at their places and makes the folders they need. All paths are checked before the first one moves. */
  async upload(files: readonly UploadedFile[]): Promise<void> {
    const placed = files.map(({ file, path: clientPath }) => ({
      file,
      clientPath,
      to: this.jail.realBelowRoot(clientPath),
    }));
    for (const { file, clientPath, to } of placed) {
      await place(file, to).catch((error: unknown) => this.#fail(error, clientPath));
    }
  }

  /**
   * Sets the mode of one file or folder. An owner other than the machine's user is refused: the service runs as one
   * user of this machine and can give nothing away.
   */
  async setPermissions(clientPath: string, mode: number, owner: string | undefined, group: string | undefined) {
    const stranger = [owner, group].find((name) => name !== undefined && name !== '' && name !== MACHINE_USER);
    if (stranger !== undefined) {
      throw invalidInput(`Here all files belong to "${MACHINE_USER}"; they cannot be given to "${stranger}".`);
    }
    await this.#stats(clientPath);
    await chmod(this.jail.realBelowRoot(clientPath), mode);
  }

  /** A folder as a zip archive, which is packed while it is read. */
  async pack(clientPath: string): Promise<Readable> {
    const stats = await this.#stats(clientPath);
    if (!stats.isDirectory()) throw invalidInput(`Not a folder: "${clientPath}".`);
    return packFolder(this.jail.real(clientPath));
  }

  async createDirectory(clientPath: string, mode: number | undefined): Promise<void> {
    const folder = this.jail.real(clientPath);
    try {
      await mkdir(folder, { recursive: true });
      if (mode !== undefined) await chmod(folder, mode);
    } catch (error) {
      this.#fail(error, clientPath);
    }
  }

  /** Removes a folder with everything in it; one that is not there counts as removed. */
  async deleteDirectory(clientPath: string): Promise<void> {
    const folder = this.jail.realBelowRoot(clientPath);
    const stats = await lstat(folder).catch(() => undefined);
    if (stats && !stats.isDirectory()) throw invalidInput(`Not a folder: "${clientPath}".`);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async deleteFile(clientPath: string): Promise<void> {
    const stats = await this.#stats(clientPath);
    if (stats.isDirectory()) throw invalidInput(`Not a file: "${clientPath}".`);
    await rm(this.jail.realBelowRoot(clientPath));
  }

  /** Renames a file or folder. The folder it goes to must be there; a folder that is not empty is not replaced. */
  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.jail.realBelowRoot(from), this.jail.realBelowRoot(to)];
    await this.#stats(from);
    await rename(source, target).catch((error: unknown) => this.#fail(error, to));
  }

  /** Unpacks an archive over a folder, which is made when missing; nothing is removed. */
  async unpack(archive: ArchiveSource, clientPath: string): Promise<void> {
    await unpack(archive, this.jail.real(clientPath));
  }

  async #stats(clientPath: string): Promise<Stats> {
    return lstat(this.jail.real(clientPath)).catch((error: unknown) => this.#fail(error, clientPath));
  }

  #describe(file: string, stats: Stats): FileInfo {
    return {
      name: path.basename(file),
      path: this.jail.client(file) ?? '/',
      is_dir: stats.isDirectory(),
      size_bytes: stats.size,
      mod_time: stats.mtime.toISOString(),
      mode: modeText(stats),
    };
  }

  #fail(error: unknown, clientPath: string): never {
    if (isFileError(error, 'ENOENT')) throw new ApiError(404, 'not_found', `No such file or folder: "${clientPath}".`);
    if (isFileError(error, 'ENOTDIR')) throw invalidInput(`Not a folder: "${clientPath}".`);
    if (isFileError(error, 'EISDIR')) throw invalidInput(`Is a folder: "${clientPath}".`);
    if (isFileError(error, 'EEXIST', 'ENOTEMPTY', 'EPERM'))
      throw invalidInput(`Something is there already: "${clientPath}".`);
    if (isFileError(error, 'ENAMETOOLONG', 'EINVAL')) throw invalidInput(`The path cannot be used: "${clientPath}".`);
    throw error;
  }
}

async function place(draft: string, file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await rename(draft, file);
}

/** `drwxr-xr-x`, as the service writes it. */
function modeText(stats: Stats): string {
  const bits = (stats.mode & PERMISSION_BITS).toString(2).padStart(PERMISSION_LETTERS.length, '0');
  const letters = [...PERMISSION_LETTERS].map((letter, at) => (bits.charAt(at) === '1' ? letter : '-'));
  return (stats.isDirectory() ? 'd' : '-') + letters.join('');
}

/** One file of an upload: where its bytes are spooled, and the absolute path the client wants them at. */
export interface UploadedFile {
  file: string;
  path: string;
}
