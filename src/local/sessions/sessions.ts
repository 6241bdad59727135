import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { CreateBrowserRequest, Viewport } from '../../service/interface';
import { DEFAULT_TIMEOUT_SECONDS, DEFAULT_VIEWPORT } from '../../service/interface';
import { findBrowser, noBrowserDetails, noBrowserMessage } from '../chromium/browserPaths';
import { hasDisplay } from '../chromium/chromiumFlags';
import { ApiError, badRequest, inUse, isFileError, nameTaken, notFound, unavailable } from '../httpErrors';
import type { ProfileRecord, SessionRecord } from '../records';
import { randomId, randomToken } from '../randomId';
import type { ExtensionStore } from '../store/extensionStore';
import type { ProfileStore } from '../store/profileStore';
import type { UploadedExtension } from './installation';
import { Session, type SessionOptions } from './session';
import { createSessionFolder, noteProfile } from './sessionFolder';

/** The environment of the sessions. */
export interface SessionsContext extends Pick<SessionOptions, 'installer' | 'loadOverDevTools' | 'user' | 'warn'> {
  /** The parent of the sessions' folders. */
  folder: string;
  profiles: ProfileStore;
  extensions: ExtensionStore;
  /** The configured executable. */
  browser?: string;
  /** Base of the WebSocket URLs, such as `ws://127.0.0.1:4000`; known when the service is listening. */
  socketBase: () => string;
}

/** The number of ended sessions that remain listed. */
const KEPT_ENDED_SESSIONS = 1000;
const SWEEP_MS = 1000;

/** A sweep that comes so much too late follows a time in which the machine was asleep, in milliseconds. */
const ASLEEP_MS = 30_000;

/** All sessions of this service, from creation to their end. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #reservedNames = new Set<string>();
  readonly #starting = new Set<Promise<unknown>>();
  /** Sessions whose browsers are not running yet, and which are not listed. */
  readonly #unlisted = new Set<Session>();
  /** Sessions that are ending, with the profile that each of them saves. */
  readonly #ending = new Map<Promise<void>, string | undefined>();
  readonly #sweeper: NodeJS.Timeout;
  #sweptAt = Date.now();
  readonly #endListeners = new Set<(session: Session) => void>();
  #closing = false;
  #browser: string | undefined;

  constructor(private readonly context: SessionsContext) {
    this.#browser = context.browser;
    this.#sweeper = setInterval(() => this.#endExpired(), SWEEP_MS);
    this.#sweeper.unref();
  }

  /** Starts browsers with another executable from now on; with an empty one, with what it finds. */
  useBrowser(executable: string): void {
    this.#browser = executable;
  }

  /** All sessions, including recently ended ones, oldest first. */
  all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The active session with that id or name; 404 when there is none. */
  get(idOrName: string): Session {
    const session = this.find(idOrName);
    if (!session?.active) throw notFound('browser', idOrName);
    return session;
  }

  /** As `get`, including ended sessions; `undefined` when there is none. An active session has precedence by name. */
  find(idOrName: string): Session | undefined {
    const byName = this.all().filter((session) => session.record.name === idOrName);
    return this.#sessions.get(idOrName) ?? byName.find((session) => session.active) ?? byName.at(-1);
  }

  /** Calls `listener` once for each session that ends: by request, by expiry, or by a crash. */
  onEnd(listener: (session: Session) => void): void {
    this.#endListeners.add(listener);
  }

  /** Starts a browser and resolves when it is running. Errors: 400, 404 (profile, extension), 409 (name), 500 (browser). */
  async create(request: CreateBrowserRequest): Promise<Session> {
    if (this.#closing) throw unavailable('The service is shutting down.');
    const work = this.#create(request);
    this.#starting.add(work);
    try {
      return await work;
    } finally {
      this.#starting.delete(work);
    }
  }

  /** Renames a session; an empty name removes the name. 409 when another active session has it. */
  rename(session: Session, name: string): void {
    if (name !== '' && name !== session.record.name) this.#checkName(name);
    session.record.name = name === '' ? null : name;
  }

  /** Sets the profile of a session without one, and restarts the browser with the profile's state. */
  async setProfile(session: Session, wanted: NonNullable<CreateBrowserRequest['profile']>): Promise<void> {
    const profile = await this.context.profiles.records.get(profileKey(wanted));
    if (session.record.profile) throw badRequest('The session already has a profile.');
    // From now on the profile cannot be deleted, and the session gets no other.
    session.record.profile = profile;
    try {
      await session.replaceUserData(async (folder) => {
        session.record.profile = await this.#load(profile.id, folder);
      });
    } catch (error) {
      session.record.profile = null;
      throw error;
    }
    await this.#saveChanges(session, wanted);
  }

  /** Ends a session; resolves when its browser has ended and its folder is removed, as far as possible. */
  end(session: Session): Promise<void> {
    const profile = session.record.profile;
    const wasActive = session.active;
    const work = session.end(async (userData) => {
      if (profile) await this.context.profiles.save(profile.id, userData);
    });
    const settled = work.catch(() => undefined);
    this.#ending.set(settled, session.savesProfile ? profile?.id : undefined);
    void settled.then(() => this.#ending.delete(settled));
    this.#dropOldest();
    if (wasActive) for (const listener of this.#endListeners) listener(session);
    return work;
  }

  /** Deletes a profile; 400 `resource_in_use` while an active session uses it, or one that is starting. */
  async removeProfile(idOrName: string): Promise<void> {
    const profile = await this.context.profiles.records.get(idOrName);
    const users = [...this.#unlisted, ...this.all()];
    const user = users.find((session) => session.active && session.record.profile?.id === profile.id);
    if (user)
      throw inUse(`The profile is in use by the browser ${user.record.name ?? user.id}. Delete that browser first.`);
    await this.context.profiles.remove(profile.id);
  }

  /** Ends all sessions and starts no more. Resolves when all browsers have ended. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#sweeper);
    await Promise.allSettled(this.#starting);
    await Promise.allSettled(
      this.all()
        .filter((session) => session.active)
        .map((session) => this.end(session)),
    );
    await Promise.allSettled(this.#ending.keys());
  }

  async #create(request: CreateBrowserRequest): Promise<Session> {
    const name = request.name ?? '';
    if (name !== '') this.#checkName(name);
    this.#reservedNames.add(name);
    try {
      const search = this.#browser === undefined ? {} : { configured: this.#browser };
      const executable = await findBrowser(search);
      if (executable === undefined) {
        throw new ApiError(500, 'browser_not_found', noBrowserMessage(search), noBrowserDetails(search));
      }
      const session = this.#newSession(request, executable);
      this.#unlisted.add(session);
      try {
        await this.#start(session, request);
        // If the browser has ended since its start, the session is listed as ended.
        this.#sessions.set(session.id, session);
        return session;
      } catch (error) {
        await session.end(() => Promise.resolve());
        throw error;
      } finally {
        this.#unlisted.delete(session);
      }
    } finally {
      this.#reservedNames.delete(name);
    }
  }

  #newSession(request: CreateBrowserRequest, executable: string): Session {
    const id = randomId();
    const token = randomToken();
    const name = request.name ?? '';
    const socketUrl = (kind: string) => `${this.context.socketBase()}/browsers/${id}/${kind}?token=${token}`;
    const viewport: Viewport = request.viewport ?? { ...DEFAULT_VIEWPORT };
    const record: SessionRecord = {
      session_id: id,
      created_at: new Date().toISOString(),
      cdp_ws_url: socketUrl('cdp'),
      webdriver_ws_url: socketUrl('webdriver'),
      headless: (request.headless ?? false) || !hasDisplay(),
      stealth: request.stealth ?? false,
      timeout_seconds: request.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
      name: name === '' ? null : name,
      tags: request.tags ?? {},
      profile: null,
      viewport,
      kiosk_mode: request.kiosk_mode ?? false,
      start_url: request.start_url ?? null,
      deleted_at: null,
      restart_optional: this.context.installer.isRestartOptional,
    };
    const folder = path.join(this.context.folder, id);
    const { installer, loadOverDevTools, user, warn } = this.context;
    const options = { record, token, folder, executable, installer, loadOverDevTools, user, warn };
    const session: Session = new Session(options, () => void this.end(session).catch(() => undefined));
    return session;
  }

  async #start(session: Session, request: CreateBrowserRequest): Promise<void> {
    await createSessionFolder(path.join(this.context.folder, session.id));
    await mkdir(session.userDataFolder, { recursive: true });
    if (request.profile) {
      // From here on the profile cannot be deleted.
      session.record.profile = await this.context.profiles.records.get(profileKey(request.profile));
      session.record.profile = await this.#load(session.record.profile.id, session.userDataFolder);
    }
    const uploads: UploadedExtension[] = [];
    for (const { id, name } of request.extensions ?? []) {
      const stored = await this.context.extensions.records.get(id ?? name ?? '');
      // The service uses the id as the name of the folder.
      uploads.push({ name: stored.id, archive: this.context.extensions.archive(stored.id) });
      await this.context.extensions.markUsed(stored.id);
    }
    await session.start(uploads, request.start_url).catch(async (error: unknown) => {
      // An archive is missing when its extension was deleted in the meantime.
      if (isFileError(error, 'ENOENT')) for (const { name } of uploads) await this.context.extensions.records.get(name);
      throw error;
    });
    // Not before: a browser that ends during its start, which then fails, must not change the profile.
    if (request.profile) await this.#saveChanges(session, request.profile);
  }

  /** From now on the session saves to its profile, if that is wanted. */
  async #saveChanges(
    session: Session,
    { save_changes: saves = false }: NonNullable<CreateBrowserRequest['profile']>,
  ): Promise<void> {
    const { profile } = session.record;
    if (saves && profile) await noteProfile(path.join(this.context.folder, session.id), profile.id);
    session.record.profile_save_changes = saves;
  }

  /** Loads a profile after all pending saves to it, so that it has the state of every ended session. */
  async #load(profileId: string, userDataFolder: string): Promise<ProfileRecord> {
    const saves = [...this.#ending].filter(([, saved]) => saved === profileId).map(([ending]) => ending);
    await Promise.allSettled(saves);
    return this.context.profiles.load(profileId, userDataFolder);
  }

  #checkName(name: string): void {
    const taken = this.all().some((session) => session.active && session.record.name === name);
    if (taken || this.#reservedNames.has(name)) throw nameTaken('browser', name);
  }

  #endExpired(): void {
    const now = Date.now();
    const asleepMs = now - this.#sweptAt - SWEEP_MS;
    this.#sweptAt = now;
    if (asleepMs > ASLEEP_MS) for (const { activity } of this.all()) activity.skip(asleepMs);
    for (const session of this.all()) {
      if (session.active && session.expired()) this.end(session).catch(() => undefined);
    }
  }

  #dropOldest(): void {
    const ended = this.all().filter((session) => !session.active);
    for (const session of ended.slice(0, -KEPT_ENDED_SESSIONS)) this.#sessions.delete(session.id);
  }
}

/** The id or the name in a choice of a profile; 400 without either. */
export function profileKey(wanted: NonNullable<CreateBrowserRequest['profile']>): string {
  const key = wanted.id ?? wanted.name;
  if (key === undefined) throw badRequest('"profile" needs an id or a name.');
  return key;
}
