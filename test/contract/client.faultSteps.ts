import { createHash } from 'node:crypto';
import type { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { extensionZip, zipOf } from './archives';
import type { Chance } from './client.random';

const MOST_UPLOAD_BYTES = 150_000;
/** Where the steps put files; the folder `files` in it must be there. */
export const ROOT = '/home/kernel/steps';

/** One thing to ask of the service, which is not done yet. */
export interface Step {
  what: string;
  isUpload: boolean;
  act: (client: ServiceClient) => Promise<unknown>;
  /** Whether the service shows that it was done. */
  isDone: (client: ServiceClient) => Promise<boolean>;
  /** Notes that it was done. */
  note: () => void;
}

/** What the service should hold, and the steps that change it. */
export class Expected {
  /** Checksum of each stored extension, and its name. */
  readonly stored = new Map<string, string | undefined>();
  readonly profiles = new Set<string>();
  /** Digest of each file's content by its path. */
  readonly files = new Map<string, string>();
  /** Folders pushed to the browser. */
  readonly pushed = new Set<string>();
  #count = 0;

  constructor(
    private readonly chance: Chance,
    private readonly browserId: string,
  ) {}

  /** A step by chance; about half of them are uploads. */
  async next(): Promise<Step> {
    const name = `n${(this.#count += 1)}`;
    const named = [...this.stored].flatMap(([sum, known]): [string, string][] => (known ? [[sum, known]] : []));
    const uploads = [
      () => this.#store(name),
      () => this.#store(undefined),
      () => this.#unpack(`${ROOT}/zips/${name}`),
      () => this.#write(`${ROOT}/files/${name}`),
    ];
    if (this.files.size > 0) uploads.push(() => this.#write(this.chance.pick([...this.files.keys()])));
    const others = [() => this.#createProfile(name)];
    if (this.profiles.size > 0) {
      const profile = this.chance.pick([...this.profiles]);
      others.push(
        () => this.#renameProfile(profile, name),
        () => this.#deleteProfile(profile),
      );
    }
    if (this.files.size > 0) {
      const file = this.chance.pick([...this.files.keys()]);
      others.push(
        () => this.#move(file, `${ROOT}/files/${name}`),
        () => this.#deleteFile(file),
      );
    }
    if (named.length > 0) {
      const [sum, known] = this.chance.pick(named);
      others.push(() => this.#deleteStored(sum, known));
    }
    return this.chance.pick(this.chance.next() < 0.5 ? uploads : others)();
  }

  /** A push to the browser, which restarts it. */
  async push(): Promise<Step> {
    const name = `pushed-${(this.#count += 1)}`;
    const zip = await extensionZip(this.#count);
    return {
      what: `push ${name}`,
      isUpload: true,
      act: (client) => client.uploadExtensionsToBrowser(this.browserId, [{ name, zip }]),
      isDone: async (client) =>
        (await client.listFiles(this.browserId, EXTENSIONS_ROOT)).some((entry) => entry.name === name),
      note: () => this.pushed.add(name),
    };
  }

  async #store(name: string | undefined): Promise<Step> {
    const zip = await this.#archive();
    const sum = digest(zip);
    return {
      what: `store ${name ?? 'without a name'}`,
      isUpload: true,
      act: (client) => client.uploadExtension(zip, name),
      isDone: async (client) => {
        for await (const extension of client.listExtensions()) if (extension.checksum === sum) return true;
        return false;
      },
      note: () => this.stored.set(sum, name),
    };
  }

  #deleteStored(sum: string, name: string): Promise<Step> {
    return Promise.resolve({
      what: `delete stored ${name}`,
      isUpload: false,
      act: (client) => client.deleteExtension(name),
      isDone: (client) => isGone(client.getExtension(name)),
      note: () => this.stored.delete(sum),
    });
  }

  async #unpack(folder: string): Promise<Step> {
    const content = this.chance.bytes(this.chance.below(MOST_UPLOAD_BYTES));
    const zip = await zipOf({ 'data.txt': content.toString('base64') });
    const path = `${folder}/data.txt`;
    const sum = digest(Buffer.from(content.toString('base64')));
    return {
      what: `unpack ${folder}`,
      isUpload: true,
      act: (client) => client.uploadZip(this.browserId, zip, folder),
      isDone: (client) => this.#holds(client, path, sum),
      note: () => this.files.set(path, sum),
    };
  }

  #write(path: string): Promise<Step> {
    const content = this.chance.bytes(this.chance.below(MOST_UPLOAD_BYTES));
    const sum = digest(content);
    return Promise.resolve({
      what: `write ${path}`,
      isUpload: true,
      act: (client) => client.writeFile(this.browserId, path, content),
      isDone: (client) => this.#holds(client, path, sum),
      note: () => this.files.set(path, sum),
    });
  }

  #move(from: string, to: string): Promise<Step> {
    const sum = this.files.get(from) ?? '';
    return Promise.resolve({
      what: `move ${from} to ${to}`,
      isUpload: false,
      act: (client) => client.moveFile(this.browserId, from, to),
      isDone: async (client) =>
        (await this.#holds(client, to, sum)) && (await isGone(client.fileInfo(this.browserId, from))),
      note: () => {
        this.files.delete(from);
        this.files.set(to, sum);
      },
    });
  }

  #deleteFile(path: string): Promise<Step> {
    return Promise.resolve({
      what: `delete ${path}`,
      isUpload: false,
      act: (client) => client.deleteFile(this.browserId, path),
      isDone: (client) => isGone(client.fileInfo(this.browserId, path)),
      note: () => this.files.delete(path),
    });
  }

  #createProfile(name: string): Promise<Step> {
    return Promise.resolve({
      what: `create profile ${name}`,
      isUpload: false,
      act: (client) => client.createProfile(name),
      isDone: async (client) => !(await isGone(client.getProfile(name))),
      note: () => this.profiles.add(name),
    });
  }

  #renameProfile(from: string, to: string): Promise<Step> {
    return Promise.resolve({
      what: `rename profile ${from} to ${to}`,
      isUpload: false,
      act: (client) => client.renameProfile(from, to),
      isDone: async (client) => !(await isGone(client.getProfile(to))) && (await isGone(client.getProfile(from))),
      note: () => {
        this.profiles.delete(from);
        this.profiles.add(to);
      },
    });
  }

  #deleteProfile(name: string): Promise<Step> {
    return Promise.resolve({
      what: `delete profile ${name}`,
      isUpload: false,
      act: (client) => client.deleteProfile(name),
      isDone: (client) => isGone(client.getProfile(name)),
      note: () => this.profiles.delete(name),
    });
  }

  #archive(): Promise<Buffer> {
    const content = this.chance.bytes(this.chance.below(MOST_UPLOAD_BYTES)).toString('base64');
    return zipOf({ 'manifest.json': '{}', 'data.txt': content });
  }

  async #holds(client: ServiceClient, path: string, sum: string): Promise<boolean> {
    try {
      return digest(await client.readFile(this.browserId, path)) === sum;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'notFound') return false;
      throw error;
    }
  }
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function isGone(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return false;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return true;
    throw error;
  }
}
