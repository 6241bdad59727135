import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { PROFILE_NAME_PATTERN } from '../../service/interface';
import { invalidInput, nameTaken, internalError, messageOf } from '../httpErrors';
import { patiently, rename } from '../patientFiles';
import type { ProfileRecord } from '../records';
import type { JsonObject } from '../requestFields';
import { randomId } from '../randomId';
import { removeFolder } from '../removeFolder';
import { RecordFolder } from './recordFolder';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Parts of a user-data-dir that are not saved: caches, and the locks of a running browser. */
const NOT_STATE = new Set([
  'BrowserMetrics',
  'Cache',
  'Code Cache',
  'Crash Reports',
  'Crashpad',
  'DawnGraphiteCache',
  'DawnWebGPUCache',
  'DevToolsActivePort',
  'GPUCache',
  'GraphiteDawnCache',
  'GrShaderCache',
  'ShaderCache',
  'SingletonCookie',
  'SingletonLock',
  'SingletonSocket',
  'component_crx_cache',
]);

/** The ends of the names of a state that is being saved, and of the one that it replaces. */
const NEW = '.new';
const OLD = '.old';

/** Browser profiles on disk: for each a record, and the user-data-dir that sessions load and save. */
export class ProfileStore {
  readonly records: RecordFolder<ProfileRecord>;
  readonly #serial = pLimit(1);

  constructor(folder: string) {
    this.records = new RecordFolder(folder, 'profile', decodeProfile);
  }

  /** A new, empty profile. 400 for an invalid name, 409 for a taken one. */
  create(name: string | undefined): Promise<ProfileRecord> {
    return this.#serial(async () => {
      if (name !== undefined) await this.#checkName(name);
      const now = new Date().toISOString();
      const profile: ProfileRecord = {
        id: randomId(),
        created_at: now,
        name: name ?? null,
        updated_at: now,
        last_used_at: null,
      };
      await this.records.write(profile);
      return profile;
    });
  }

  rename(idOrName: string, name: string): Promise<ProfileRecord> {
    return this.#serial(async () => {
      const profile = await this.records.get(idOrName);
      await this.#checkName(name, profile.id);
      return this.#update({ ...profile, name, updated_at: new Date().toISOString() });
    });
  }

  /** Deletes record and state. The caller has to check whether a session uses the profile. */
  remove(id: string): Promise<void> {
    return this.#serial(async () => {
      await this.records.remove(id);
      await removeFolder(this.#stateFolder(id));
      await this.#removeParts(id);
    });
  }

  /** Copies the saved state into a user-data-dir and records the use. The state of a profile that was never saved is empty. */
  load(id: string, userDataFolder: string): Promise<ProfileRecord> {
    return this.#serial(async () => {
      const profile = await this.records.get(id);
      await copyState(await this.#recovered(id), userDataFolder);
      return this.#update({ ...profile, last_used_at: new Date().toISOString() });
    });
  }

  /**
   * Replaces the saved state by that of a session. Saves are atomic and run one at a time, so of two sessions with one profile the last one
   * wins. Does nothing for a deleted profile.
   */
  save(id: string, userDataFolder: string): Promise<void> {
    return this.#serial(async () => {
      const profile = await this.records.find(id);
      if (profile?.id === id) await this.#replace(profile, userDataFolder);
    });
  }

  /** The same for the state of a browser that was found without its service. Rejects when a later state was saved since. */
  saveLeft(id: string, userDataFolder: string): Promise<void> {
    return this.#serial(async () => {
      const profile = await this.records.find(id);
      if (profile?.id !== id) return;
      if (Date.parse(profile.updated_at ?? '') > (await lastChange(userDataFolder)))
        throw internalError('A later state of the profile was saved.');
      await this.#replace(profile, userDataFolder);
    });
  }

  /**
   * Writes the saved state into a tar archive at `archive`, not during a save. Returns false, without an archive, for a profile that was
   * never saved. 404 when there is no such profile.
   */
  pack(idOrName: string, archive: string): Promise<boolean> {
    return this.#serial(async () => {
      const { id } = await this.records.get(idOrName);
      const state = await this.#recovered(id);
      const names = await readdir(state).catch(() => []);
      if (names.length === 0) return false;
      await packTar(state, archive);
      return true;
    });
  }

  /** Replaces the saved state of a profile. */
  async #replace(profile: ProfileRecord, userDataFolder: string): Promise<void> {
    const { id } = profile;
    const state = await this.#recovered(id);
    // What is left of saves that were cut off takes as much space again.
    await this.#removeParts(id).catch(() => undefined);
    const next = `${state}.${randomId()}${NEW}`;
    const old = `${state}.${randomId()}${OLD}`;
    try {
      await copyState(userDataFolder, next);
      await mkdir(state, { recursive: true });
      await rename(state, old);
      await rename(next, state);
    } finally {
      await removeFolder(next);
    }
    await this.#update({ ...profile, updated_at: new Date().toISOString() });
    // What cannot be removed is in nobody's way.
    await this.#removeParts(id).catch(() => undefined);
  }

  async #checkName(name: string, ownId?: string): Promise<void> {
    if (!PROFILE_NAME_PATTERN.test(name)) {
      throw invalidInput('A profile name is 1 to 255 letters, digits, dots, underscores and hyphens.');
    }
    const taken = (await this.records.all()).some((profile) => profile.name === name && profile.id !== ownId);
    if (taken) throw nameTaken('profile', name);
  }

  async #update(profile: ProfileRecord): Promise<ProfileRecord> {
    await this.records.write(profile);
    return profile;
  }

  /** The folder of the saved state. When a save ended between its two renames, the state of before comes back. */
  async #recovered(id: string): Promise<string> {
    const state = this.#stateFolder(id);
    const { folder } = this.records;
    const names = await readdir(folder).catch((): string[] => []);
    if (names.includes(id)) return state;
    const old = names.find((name) => name.startsWith(`${id}.`) && name.endsWith(OLD));
    if (old !== undefined) await rename(path.join(folder, old), state);
    return state;
  }

  /** Removes what is left of saves of a profile, also of those that were cut off: it may hold logins. */
  async #removeParts(id: string): Promise<void> {
    const { folder } = this.records;
    const names = await readdir(folder).catch((): string[] => []);
    const parts = names.filter((name) => name.startsWith(`${id}.`) && [NEW, OLD].some((end) => name.endsWith(end)));
    await Promise.all(parts.map((name) => removeFolder(path.join(folder, name))));
  }

  #stateFolder(id: string): string {
    return path.join(this.records.folder, id);
  }
}

/** Copies the state of a user-data-dir; from a missing folder, an empty one. */
async function copyState(from: string, to: string): Promise<void> {
  await mkdir(from, { recursive: true });
  await mkdir(to, { recursive: true });
  const filter = (source: string): boolean => !NOT_STATE.has(path.basename(source));
  // A process of the browser may still be ending, which has files open.
  await patiently(() => cp(from, to, { recursive: true, force: true, filter }));
}

function decodeProfile(fields: JsonObject): ProfileRecord | undefined {
  const { id, created_at, name, updated_at, last_used_at } = fields;
  if (typeof id !== 'string' || typeof created_at !== 'string') return undefined;
  return {
    id,
    created_at,
    name: typeof name === 'string' ? name : null,
    updated_at: typeof updated_at === 'string' ? updated_at : null,
    last_used_at: typeof last_used_at === 'string' ? last_used_at : null,
  };
}

/**
 * The `tar` of the system. That of Windows has a path, since the one of Git, which may come first by its name, takes the drive in a path for the name of
 * another machine.
 */
export function tarOf(platform = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  return platform === 'win32'
    ? path.win32.join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'tar.exe')
    : 'tar';
}

/** Writes a folder's content into a tar archive with the `tar` of Linux, macOS and Windows; 500 without one. */
async function packTar(folder: string, archive: string): Promise<void> {
  try {
    await promisify(execFile)(tarOf(), ['-c', '-f', archive, '-C', folder, '.'], { windowsHide: true });
  } catch (error) {
    throw internalError(`The tar of this machine could not write the archive: ${messageOf(error)}`);
  }
}

/** When a state was changed last, as far as its upper two levels say, in milliseconds since the epoch. */
async function lastChange(userDataFolder: string): Promise<number> {
  const names = await readdir(userDataFolder);
  const inside = await Promise.all(
    names.map(async (name) =>
      (await readdir(path.join(userDataFolder, name)).catch(() => [])).map((one) => path.join(name, one)),
    ),
  );
  const times = await Promise.all(
    [...names, ...inside.flat()].map(
      async (name) => (await lstat(path.join(userDataFolder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    ),
  );
  return Math.max(0, ...times);
}
