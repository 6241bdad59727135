import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PROFILE_NAME_PATTERN, type Profile } from '../../service/model';
import { packTar } from '../archive/tar';
import { invalidInput, nameTaken, notFound } from '../errors';
import { type Fields } from '../fields';
import { randomId } from '../randomId';
import { Turns } from '../turns';
import { RecordFolder } from './recordFolder';

/** Parts of a user-data-dir that a browser makes anew: caches, and the locks of a running one. */
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

/** Browser profiles on disk: a record each, and beside it the user-data-dir that sessions load and save. */
export class ProfileStore {
  readonly #records: RecordFolder<Profile>;
  readonly #turns = new Turns();

  constructor(folder: string) {
    this.#records = new RecordFolder(folder, decodeProfile);
  }

  list(): Promise<Profile[]> {
    return this.#records.all();
  }

  /** The profile with that id or name; 404 when there is none. */
  async get(idOrName: string): Promise<Profile> {
    const profile = await this.#records.find(idOrName);
    if (!profile) throw notFound('profile', idOrName);
    return profile;
  }

  /** A new, empty profile. 400 for an illegal name, 409 for a taken one. */
  create(name: string | undefined): Promise<Profile> {
    return this.#turns.run(async () => {
      if (name !== undefined) await this.#checkName(name);
      const now = new Date().toISOString();
      const profile: Profile = {
        id: randomId(),
        created_at: now,
        name: name ?? null,
        updated_at: now,
        last_used_at: null,
      };
      await this.#records.write(profile);
      return profile;
    });
  }

  rename(idOrName: string, name: string): Promise<Profile> {
    return this.#turns.run(async () => {
      const profile = await this.get(idOrName);
      await this.#checkName(name, profile.id);
      return this.#update({ ...profile, name, updated_at: new Date().toISOString() });
    });
  }

  /** Removes record and state. Whether a session uses the profile is the caller's to check. */
  remove(id: string): Promise<void> {
    return this.#turns.run(async () => {
      await this.#records.remove(id);
      await rm(this.#stateFolder(id), { recursive: true, force: true });
    });
  }

  /** Copies the saved state into a user-data-dir and notes the use. A profile never saved gives an empty one. */
  load(id: string, userDataFolder: string): Promise<Profile> {
    return this.#turns.run(async () => {
      const profile = await this.get(id);
      await copyState(this.#stateFolder(id), userDataFolder);
      return this.#update({ ...profile, last_used_at: new Date().toISOString() });
    });
  }

  /**
   * Replaces the saved state by a session's. Saves run one at a time and as a whole, so of two sessions on one profile
   * the later one wins and nothing mixes. Does nothing for a profile deleted meanwhile.
   */
  save(id: string, userDataFolder: string): Promise<void> {
    return this.#turns.run(async () => {
      const profile = await this.#records.find(id);
      if (profile?.id !== id) return;
      const state = this.#stateFolder(id);
      const next = `${state}.${randomId()}.new`;
      const old = `${state}.${randomId()}.old`;
      try {
        await copyState(userDataFolder, next);
        await mkdir(state, { recursive: true });
        await rename(state, old);
        await rename(next, state);
        await this.#update({ ...profile, updated_at: new Date().toISOString() });
      } finally {
        await Promise.all([next, old].map((folder) => rm(folder, { recursive: true, force: true })));
      }
    });
  }

  /**
   * Writes the saved state into a tar archive at `archive`, as it stands between two saves. False, and nothing written,
   * for a profile that no session has saved yet. 404 when there is no such profile.
   */
  pack(idOrName: string, archive: string): Promise<boolean> {
    return this.#turns.run(async () => {
      const { id } = await this.get(idOrName);
      const state = this.#stateFolder(id);
      const names = await readdir(state).catch(() => []);
      if (names.length === 0) return false;
      await packTar(state, archive);
      return true;
    });
  }

  async #checkName(name: string, ownId?: string): Promise<void> {
    if (!PROFILE_NAME_PATTERN.test(name)) {
      throw invalidInput('A profile name is 1 to 255 letters, digits, dots, underscores and hyphens.');
    }
    const taken = (await this.#records.all()).some((profile) => profile.name === name && profile.id !== ownId);
    if (taken) throw nameTaken('profile', name);
  }

  async #update(profile: Profile): Promise<Profile> {
    await this.#records.write(profile);
    return profile;
  }

  #stateFolder(id: string): string {
    return path.join(this.#records.folder, id);
  }
}

/** Copies a user-data-dir without what a browser makes anew. A missing source gives an empty folder. */
async function copyState(from: string, to: string): Promise<void> {
  await mkdir(from, { recursive: true });
  await mkdir(to, { recursive: true });
  await cp(from, to, {
    recursive: true,
    force: true,
    filter: (source) => !NOT_STATE.has(path.basename(source)),
  });
}

function decodeProfile(fields: Fields): Profile | undefined {
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
