import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { EXTENSIONS_ROOT, type BrowserSession, type ErrorDetail, type Viewport } from '../service/model';
import { Activity } from './activity';
import { Chromium, fitContents } from './chromium';
import { deferred } from './deferred';
import { ApiError, badRequest, internal, notFound } from './errors';
import { loadIfIgnored, refusals } from './flaggedExtensions';
import { install, uninstall, type UploadedExtension } from './installation';
import { Jail } from './jail';
import type { Behaviour } from './options';
import { showInFirstTab } from './screen';
import { Turns } from './turns';

/** What a session is born with. */
export interface SessionSeed {
  record: BrowserSession;
  /** Secret that its addresses carry. */
  token: string;
  /** Folder of this session alone; removed at its end. */
  folder: string;
  executable: string;
  behaviour: Behaviour;
}

/** A browser session: one Chromium, its folders, and the work that may be done to it, one piece at a time. */
export class Session {
  readonly record: BrowserSession;
  readonly token: string;
  readonly jail: Jail;
  readonly spoolFolder: string;
  readonly userDataFolder: string;
  /** Set when the session's profile is to be saved at its end. */
  saveChanges = false;

  readonly #turns = new Turns();
  readonly #inputTurns = new Turns();
  readonly #gone: (() => void)[] = [];
  #chromium: Chromium | undefined;
  #arrived = deferred<Chromium>();
  /** The `--load-extension` list: grows with every upload, as on the service. */
  #flagged: string[] = [];
  readonly #activity = new Activity();

  constructor(
    private readonly seed: SessionSeed,
    /** Called once when the browser ended although nobody asked it to. */
    private readonly onCrash: () => void,
  ) {
    this.record = seed.record;
    this.token = seed.token;
    this.jail = new Jail(path.join(seed.folder, 'files'));
    this.spoolFolder = path.join(seed.folder, 'spool');
    this.userDataFolder = path.join(seed.folder, 'profile');
  }

  get id(): string {
    return this.record.session_id;
  }

  get active(): boolean {
    return !this.record.deleted_at;
  }

  /** Folder that stands for `EXTENSIONS_ROOT`. */
  get extensionsFolder(): string {
    return this.jail.real(EXTENSIONS_ROOT);
  }

  /** The running browser; waits while it restarts, at most `limitMs`, then `undefined`. */
  async running(limitMs: number): Promise<Chromium | undefined> {
    if (this.#chromium) return this.#chromium;
    const timer = deferred<undefined>();
    const handle = setTimeout(() => timer.resolve(undefined), limitMs);
    const chromium = await Promise.race([this.#arrived.promise, timer.promise]).catch(() => undefined);
    clearTimeout(handle);
    return chromium;
  }

  /** Marks the session as in use until the returned function is called. */
  busy(): () => void {
    return this.#activity.begin();
  }

  /** True when the session was left alone for longer than its `timeout_seconds`. */
  expired(): boolean {
    return this.#activity.idleMs() > this.record.timeout_seconds * 1000;
  }

  /** Registers what is to happen, once, when the current browser goes away; the returned function takes it back. */
  onBrowserGone(listener: () => void): () => void {
    this.#gone.push(listener);
    return () => {
      const at = this.#gone.indexOf(listener);
      if (at >= 0) this.#gone.splice(at, 1);
    };
  }

  /** First start, with the extensions that the session was created with. */
  start(uploads: readonly UploadedExtension[], startUrl: string | undefined): Promise<void> {
    return this.#turns.run(async () => {
      await mkdir(this.extensionsFolder, { recursive: true });
      await mkdir(this.spoolFolder, { recursive: true });
      const folders = await install(uploads, this.extensionsFolder, this.seed.behaviour);
      this.#flagged = folders;
      const chromium = await this.#launch();
      const refused = await this.#refusals(chromium, folders);
      if (refused.length > 0 && this.seed.behaviour === 'current') throw refusedBy(refused);
      if (startUrl !== undefined) await showInFirstTab(chromium, startUrl);
    });
  }

  /**
   * Puts extensions on the machine and restarts the browser with them, as the service does: SIGKILL, same
   * user-data-dir, all folders that ever came. In `current` a failure or Chromium's refusal undoes the whole upload and
   * leaves a running browser. `prepare` checks the names, in the same turn as what follows.
   */
  upload(prepare: () => Promise<readonly UploadedExtension[]>): Promise<void> {
    return this.#turns.run(async () => {
      this.#requireActive();
      const before = this.#flagged;
      const uploads = await prepare();
      const folders = await install(uploads, this.extensionsFolder, this.seed.behaviour);
      this.#flagged = [...new Set([...before, ...folders])];
      try {
        const chromium = await this.#restart();
        const refused = await this.#refusals(chromium, folders);
        if (this.seed.behaviour === 'earlier' || refused.length === 0) return;
        // The refused folder is simply absent from the browser; what came with it has to go by another restart.
        await this.#undo(before, folders, refused.length < folders.length);
        throw refusedBy(refused);
      } catch (error) {
        if (error instanceof ApiError && error.status === 400) throw error;
        if (this.seed.behaviour === 'current') await this.#undo(before, folders, true);
        throw error;
      } finally {
        // A browser that would not come up again: the session has nothing left to live for.
        if (!this.#chromium) this.onCrash();
      }
    });
  }

  /** Replaces the user-data-dir by what `fill` puts there, around a restart of the browser. */
  replaceUserData(fill: (userDataFolder: string) => Promise<void>): Promise<void> {
    return this.#turns.run(async () => {
      this.#requireActive();
      await this.#stop();
      await rm(this.userDataFolder, { recursive: true, force: true, maxRetries: 3 });
      try {
        await fill(this.userDataFolder);
      } finally {
        await this.#launch().catch((error: unknown) => {
          this.onCrash();
          throw error;
        });
      }
    });
  }

  /** Gives the page area of all windows another size. */
  async resize(viewport: Viewport): Promise<void> {
    this.record.viewport = viewport;
    const chromium = this.#chromium;
    if (!chromium) return;
    const { targetInfos } = await chromium.send('Target.getTargets');
    const pages = targetInfos.filter((target) => target.type === 'page');
    for (const page of pages) await fitContents(chromium, page.targetId, viewport.width, viewport.height);
  }

  /** Runs keyboard, mouse and screen work on the browser, one at a time as on a machine with one pointer. */
  input<T>(work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#inputTurns.run(async () => {
      this.#requireActive();
      const chromium = this.#chromium;
      if (!chromium) throw internal('The browser of this session is restarting. Try again in a moment.');
      return work(chromium);
    });
  }

  /** Ends the browser and removes the session's folder; `save` sees the user-data-dir at rest, if it is to be saved. */
  end(save: (userDataFolder: string) => Promise<void>): Promise<void> {
    this.record.deleted_at ??= new Date().toISOString();
    return this.#turns.run(async () => {
      try {
        await this.#stop(this.saveChanges);
        if (this.saveChanges) await save(this.userDataFolder);
      } finally {
        this.#arrived.reject(notFound('browser', this.id));
        await rm(this.seed.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      }
    });
  }

  #requireActive(): void {
    if (!this.active) throw notFound('browser', this.id);
  }

  async #restart(): Promise<Chromium> {
    await this.#stop();
    return this.#launch();
  }

  async #stop(graceful = false): Promise<void> {
    const chromium = this.#chromium;
    if (chromium) {
      this.#chromium = undefined;
      this.#arrived = deferred<Chromium>();
    }
    for (const listener of this.#gone.splice(0)) listener();
    await (graceful ? chromium?.close() : chromium?.kill());
  }

  async #launch(): Promise<Chromium> {
    const chromium = await Chromium.start({
      executable: this.seed.executable,
      userDataFolder: this.userDataFolder,
      extensionFolders: this.#flagged,
      headless: this.record.headless,
      kiosk: this.record.kiosk_mode ?? false,
      viewport: this.record.viewport ?? { width: 0, height: 0 },
    });
    try {
      await loadIfIgnored(chromium, this.#flagged);
    } catch (error) {
      await chromium.kill();
      throw error;
    }
    this.#chromium = chromium;
    this.#arrived.resolve(chromium);
    void chromium.ended.then(() => {
      if (this.#chromium === chromium) this.onCrash();
    });
    return chromium;
  }

  async #refusals(chromium: Chromium, folders: readonly string[]): Promise<ErrorDetail[]> {
    const reasons = await refusals(chromium, folders, this.#flagged);
    return reasons.map((reason) => ({ code: 'invalid_input', message: this.jail.clientText(reason) }));
  }

  async #undo(flagged: string[], folders: readonly string[], restart: boolean): Promise<void> {
    this.#flagged = flagged;
    if (!restart && this.#chromium) return uninstall(folders);
    await this.#stop();
    await uninstall(folders);
    await this.#launch();
  }
}

function refusedBy(details: readonly ErrorDetail[]): ApiError {
  return badRequest(`Chromium refused the extension: ${details[0]?.message ?? 'no reason given'}`, details);
}
