import { lstatSync, type ReadStream, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FileInfo } from '../../service/interface';
import { packFolder } from '../archive/packFolder';
import { type ArchiveSource, unpack } from '../archive/unpack';
import { ApiError, invalidInput, isFileError } from '../httpErrors';
import { rename } from '../patientFiles';
import { randomId } from '../randomId';
import { removeFolder } from '../removeFolder';
import { writeStream } from '../writeStream';
import type { Jail } from './jail';

/** What each of the digits of a mode permits. */
const PERMISSIONS = ['---', '--x', '-w-', '-wx', 'r--', 'r-x', 'rw-', 'rwx'];

/** The owner of all files on the service's machines. */
const MACHINE_USER = 'kernel';

/** So many entries of a folder are described before others are served. */
const ENTRIES_AT_ONCE = 100;

/** The files of a session's machine. Paths are absolute paths of the client; 404 for missing files, 400 for impossible operations. */
export class SessionFiles {
  constructor(
    private readonly jail: Jail,
    /** On the same disk, for files while they are received. */
    private readonly spoolFolder: string,
  ) {}

  /** The entries of a folder, by name. */
  async list(clientPath: string): Promise<FileInfo[]> {
    const folder = this.jail.real(clientPath);
    const names = await readdir(folder).catch((error: unknown) => this.#fail(error, clientPath));
    const parent = this.jail.client(folder) ?? '/';
    const start = parent === '/' ? parent : `${parent}/`;
    const entries: FileInfo[] = [];
    for (const [at, name] of names.sort().entries()) {
      const stats = statsNow(folder + path.sep + name);
      if (stats) entries.push(describe(name, start + name, stats));
      if (at % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await setImmediate();
    }
    return entries;
  }

  async info(clientPath: string): Promise<FileInfo> {
    const file = this.jail.client(this.jail.real(clientPath)) ?? '/';
    return describe(path.posix.basename(file), file, await this.#stats(clientPath));
  }

  async read(clientPath: string): Promise<{ size: number; content: ReadStream }> {
    const stats = await this.#stats(clientPath);
    if (!stats.isFile()) throw invalidInput(`Not a file: "${clientPath}".`);
    const file = await open(this.jail.real(clientPath)).catch((error: unknown) => this.#fail(error, clientPath));
    return { size: stats.size, content: file.createReadStream() };
  }

  /** Writes a file atomically and creates its parent folders; an existing file is replaced when the content is complete. */
  async write(clientPath: string, mode: number | undefined, content: Readable): Promise<void> {
    const file = this.jail.realBelowRoot(clientPath);
    const draft = path.join(this.spoolFolder, randomId());
    try {
      await writeStream(draft, content);
      if (mode !== undefined) await chmod(draft, mode);
      await place(draft, file);
    } catch (error) {
      this.#fail(error, clientPath);
    } finally {
      await rm(draft, { force: true });
    }
  }

  /** Moves spooled files to their paths and creates parent folders. All paths are validated first. */
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
   * Sets the mode of a file or folder. Another owner than the machine's user is refused, since the service cannot change the owner of
   * files.
   */
  async setPermissions(clientPath: string, mode: number, owner: string | undefined, group: string | undefined) {
    const other = [owner, group].find((name) => name !== undefined && name !== '' && name !== MACHINE_USER);
    if (other !== undefined) {
      throw invalidInput(`All files belong to "${MACHINE_USER}"; their owner cannot be changed to "${other}".`);
    }
    await this.#stats(clientPath);
    await chmod(this.jail.realBelowRoot(clientPath), mode).catch((error: unknown) => this.#fail(error, clientPath));
  }

  /** A folder as a zip archive, which is packed while it is read. */
  async pack(clientPath: string): Promise<Readable> {
    const stats = await this.#stats(clientPath);
    if (!stats.isDirectory()) throw invalidInput(`Not a folder: "${clientPath}".`);
    return packFolder(this.jail.real(clientPath)).catch((error: unknown) => this.#fail(error, clientPath));
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

  /** Deletes a folder with its content; does nothing for a missing folder. */
  async deleteDirectory(clientPath: string): Promise<void> {
    const folder = this.jail.realBelowRoot(clientPath);
    const stats = await lstat(folder).catch((error: unknown) => {
      if (isFileError(error, 'ENOENT', 'ENOTDIR')) return undefined;
      return this.#fail(error, clientPath);
    });
    if (!stats) return;
    if (!stats.isDirectory()) throw invalidInput(`Not a folder: "${clientPath}".`);
    await removeFolder(folder).catch((error: unknown) => this.#fail(error, clientPath));
  }

  async deleteFile(clientPath: string): Promise<void> {
    const stats = await this.#stats(clientPath);
    if (stats.isDirectory()) throw invalidInput(`Not a file: "${clientPath}".`);
    await rm(this.jail.realBelowRoot(clientPath)).catch((error: unknown) => this.#fail(error, clientPath));
  }

  /** Renames a file or folder. The target's parent must exist; a folder that is not empty is not replaced. */
  async move(from: string, to: string): Promise<void> {
    const [source, target] = [this.jail.realBelowRoot(from), this.jail.realBelowRoot(to)];
    await this.#stats(from);
    await rename(source, target).catch((error: unknown) => this.#fail(error, to));
  }

  /** Unpacks an archive into a folder, which is created if missing; no files are removed. 404 when the folder is deleted meanwhile. */
  async unpack(archive: ArchiveSource, clientPath: string): Promise<void> {
    // The root is gone when the session has ended in the meantime, whose folder must not be created again.
    const unpacked = unpack(archive, this.jail.real(clientPath), undefined, this.jail.root);
    await unpacked.catch((error: unknown) => this.#fail(error, clientPath));
  }

  async #stats(clientPath: string): Promise<Stats> {
    return lstat(this.jail.real(clientPath)).catch((error: unknown) => this.#fail(error, clientPath));
  }

  #fail(error: unknown, clientPath: string): never {
    if (isFileError(error, 'ENOENT')) throw new ApiError(404, 'not_found', `No such file or folder: "${clientPath}".`);
    if (isFileError(error, 'ENOTDIR')) throw invalidInput(`Not a folder: "${clientPath}".`);
    if (isFileError(error, 'EISDIR')) throw invalidInput(`Is a folder: "${clientPath}".`);
    const isTaken = isFileError(error, 'EEXIST', 'ENOTEMPTY') || this.#isRenameOver(error, clientPath);
    if (isTaken) throw invalidInput(`Already exists: "${clientPath}".`);
    if (isFileError(error, 'EPERM', 'EACCES')) throw invalidInput(`The system does not permit this: "${clientPath}".`);
    if (isFileError(error, 'ENAMETOOLONG', 'EINVAL')) throw invalidInput(`The path cannot be used: "${clientPath}".`);
    throw error;
  }

  /** Whether Windows has refused to rename something over a folder. */
  #isRenameOver(error: unknown, clientPath: string): boolean {
    const isRename =
      isFileError(error, 'EPERM') && error instanceof Error && 'syscall' in error && error.syscall === 'rename';
    return isRename && statsNow(this.jail.real(clientPath)) !== undefined;
  }
}

/** What a file or folder is, by its name and its path of the client. */
function describe(name: string, clientPath: string, stats: Stats): FileInfo {
  return {
    name,
    path: clientPath,
    is_dir: stats.isDirectory(),
    size_bytes: stats.size,
    mod_time: stats.mtime.toISOString(),
    mode: modeText(stats),
  };
}

/** The facts about a file, unless it is gone. To ask at once takes a third of the time that it takes to wait for a thread that asks. */
function statsNow(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

async function place(draft: string, file: string): Promise<void> {
  // It is gone when the session has ended in the meantime, whose folder must not be created again.
  await lstat(draft);
  await mkdir(path.dirname(file), { recursive: true });
  await rename(draft, file);
}

/** For example `drwxr-xr-x`, as in the service's responses. */
function modeText(stats: Stats): string {
  const permitted = [6, 3, 0].map((shift) => PERMISSIONS[(stats.mode >> shift) & 7]);
  return (stats.isDirectory() ? 'd' : '-') + permitted.join('');
}

/** One file of an upload: the path of its spooled bytes, and its absolute target path. */
export interface UploadedFile {
  file: string;
  path: string;
}
