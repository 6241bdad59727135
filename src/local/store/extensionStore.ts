import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { EXTENSION_NAME_PATTERN } from '../../service/interface';
import { ArchiveError } from '../archive/archiveError';
import { checkArchive } from '../archive/unpack';
import { badRequest, invalidInput, nameTaken } from '../httpErrors';
import { rename } from '../patientFiles';
import type { ExtensionRecord } from '../records';
import { type JsonObject } from '../requestFields';
import { randomId } from '../randomId';
import { RecordFolder } from './recordFolder';

/** Stored extensions on disk: a record and the uploaded archive of each. */
export class ExtensionStore {
  readonly records: RecordFolder<ExtensionRecord>;
  readonly #serial = pLimit(1);

  constructor(folder: string) {
    this.records = new RecordFolder(folder, 'extension', decodeStoredExtension);
  }

  /** Stores a spooled archive by moving its file. 400 for an invalid archive, 409 for a taken name. */
  async add(spooled: string, name: string | undefined): Promise<ExtensionRecord> {
    if (name !== undefined && !EXTENSION_NAME_PATTERN.test(name)) {
      throw invalidInput('An extension name is 1 to 255 letters, digits, dots, underscores and hyphens.');
    }
    await checkArchive(spooled).catch((error: unknown) => {
      throw error instanceof ArchiveError ? badRequest(error.message) : error;
    });
    const checksum = await sha256(spooled);
    return this.#serial(async () => {
      const taken = name !== undefined && (await this.records.all()).some((extension) => extension.name === name);
      if (taken) throw nameTaken('extension', name);
      const { size } = await stat(spooled);
      const extension: ExtensionRecord = {
        id: randomId(),
        created_at: new Date().toISOString(),
        size_bytes: size,
        name: name ?? null,
        last_used_at: null,
        checksum,
      };
      await mkdir(this.records.folder, { recursive: true });
      await rename(spooled, this.archive(extension.id));
      await this.records.write(extension);
      return extension;
    });
  }

  /** Path of the archive of a stored extension. */
  archive(id: string): string {
    return path.join(this.records.folder, `${id}.zip`);
  }

  /** Records that a session was started with it. */
  markUsed(id: string): Promise<void> {
    return this.#serial(async () => {
      const extension = await this.records.find(id);
      if (extension) await this.records.write({ ...extension, last_used_at: new Date().toISOString() });
    });
  }

  /** Deletes record and archive; the copies in sessions remain. 404 when there is none. */
  remove(idOrName: string): Promise<void> {
    return this.#serial(async () => {
      const { id } = await this.records.get(idOrName);
      await this.records.remove(id);
      await rm(this.archive(id), { force: true });
    });
  }
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function decodeStoredExtension(fields: JsonObject): ExtensionRecord | undefined {
  const { id, created_at, size_bytes, name, last_used_at, checksum } = fields;
  if (typeof id !== 'string' || typeof created_at !== 'string' || typeof size_bytes !== 'number') return undefined;
  const extension: ExtensionRecord = {
    id,
    created_at,
    size_bytes,
    name: typeof name === 'string' ? name : null,
    last_used_at: typeof last_used_at === 'string' ? last_used_at : null,
  };
  if (typeof checksum === 'string') extension.checksum = checksum;
  return extension;
}
