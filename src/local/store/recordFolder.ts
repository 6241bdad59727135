import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../atomicFile';
import { notFound } from '../httpErrors';
import { isJsonObject, type JsonObject } from '../requestFields';
import { NotOwnFileError, readOwnFile } from '../ownFile';
import { isId } from '../randomId';

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
    private readonly kind: 'profile' | 'extension',
    /** Returns `undefined` for an invalid record, which is then not listed. */
    private readonly decode: (fields: JsonObject) => T | undefined,
  ) {}

  /** All records, oldest first. */
  async all(): Promise<T[]> {
    await mkdir(this.folder, { recursive: true });
    const files = (await readdir(this.folder)).filter((name) => name.endsWith(SUFFIX));
    const ids = files.map((name) => name.slice(0, -SUFFIX.length)).filter(isId);
    const records = await Promise.all(ids.map((id) => this.#read(id)));
    return records
      .filter((record) => record !== undefined)
      .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id));
  }

  /** The record with that id, else the one with that name. */
  async find(idOrName: string): Promise<T | undefined> {
    const records = await this.all();
    return records.find((record) => record.id === idOrName) ?? records.find((record) => record.name === idOrName);
  }

  /** As `find`; 404 when there is none. */
  async get(idOrName: string): Promise<T> {
    const record = await this.find(idOrName);
    if (!record) throw notFound(this.kind, idOrName);
    return record;
  }

  async write(record: T): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFileAtomically(path.join(this.folder, record.id + SUFFIX), `${JSON.stringify(record, undefined, 2)}\n`);
  }

  async remove(id: string): Promise<void> {
    await rm(path.join(this.folder, id + SUFFIX), { force: true });
  }

  /** `undefined` for a file that was deleted since it was listed, or is damaged: it must not make the list fail. */
  async #read(id: string): Promise<T | undefined> {
    try {
      const text = await readOwnFile(path.join(this.folder, id + SUFFIX));
      const value: unknown = text === undefined ? undefined : JSON.parse(text);
      const record = isJsonObject(value) ? this.decode(value) : undefined;
      // The id becomes part of paths, so a record must not claim another one than its file has.
      return record?.id === id ? record : undefined;
    } catch (error) {
      if (error instanceof NotOwnFileError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
