import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomicFile';
import { isFileError } from '../errors';
import { isJsonObject, type JsonObject } from '../fields';

interface Named {
  id: string;
  created_at: string;
  name?: string | null;
}

const SUFFIX = '.json';

/**
 * A folder of small JSON records, one file each, named by id. Nothing is cached, so two services may use one folder.
 */
export class RecordFolder<T extends Named> {
  constructor(
    readonly folder: string,
    /** Returns `undefined` for an invalid record, which is then not listed. */
    private readonly decode: (fields: JsonObject) => T | undefined,
  ) {}

  /** All records, oldest first. */
  async all(): Promise<T[]> {
    await mkdir(this.folder, { recursive: true });
    const files = (await readdir(this.folder)).filter((name) => name.endsWith(SUFFIX));
    const records = await Promise.all(files.map((name) => this.#read(path.join(this.folder, name))));
    return records
      .filter((record) => record !== undefined)
      .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
  }

  /** The record with that id, else the one with that name. */
  async find(idOrName: string): Promise<T | undefined> {
    const records = await this.all();
    return records.find((record) => record.id === idOrName) ?? records.find((record) => record.name === idOrName);
  }

  async write(record: T): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFileAtomically(path.join(this.folder, record.id + SUFFIX), `${JSON.stringify(record, undefined, 2)}\n`);
  }

  async remove(id: string): Promise<void> {
    await rm(path.join(this.folder, id + SUFFIX), { force: true });
  }

  async #read(file: string): Promise<T | undefined> {
    try {
      const value: unknown = JSON.parse(await readFile(file, 'utf8'));
      return isJsonObject(value) ? this.decode(value) : undefined;
    } catch (error) {
      // A file that was deleted since it was listed, or is damaged, must not make the list fail.
      if (isFileError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
