import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { DEFAULT_VIEWPORT, type ErrorDetail, type UploadRestart, type Viewport } from '../../service/interface';
import { Chromium, fitContents } from '../chromium/chromium';
import { loadIfIgnored, refusals } from '../chromium/flaggedExtensions';
import { RunningBrowser } from '../chromium/runningBrowser';
import { showInFirstTab } from '../chromium/screen';
import { ApiError, internalError, notFound, refusedByChromium } from '../httpErrors';
import type { SessionRecord } from '../records';
import { Jail } from '../files/jail';
import type { MouseButton, Point } from '../input/input';
import { rename } from '../patientFiles';
import { removeFolder } from '../removeFolder';
import { Activity } from './activity';
import { unmark, withFileAccess, keepSessionFolder, removeSessionFolder, userDataFolderIn } from './sessionFolder';
import { type Installer, uninstall, type UploadedExtension } from './installation';

/** Options of a session. */
export interface SessionOptions {
  record: SessionRecord;
  /** The secret in its URLs. */
  token: string;
  /** The folder of this session, removed at its end. */
  folder: string;
  executable: string;
  installer: Installer;
  /** As in the options of the service. */
  loadOverDevTools: boolean;
  /** The user of its machine, in whose home clients find the extensions. */
  user: string | undefined;
  /** Logs a message, without secrets. */
  warn: (message: string) => void;
}

/** A browser session: its Chromium, its folders, and its operations, which run one at a time. */
export class Session {
  readonly record: SessionRecord;
  readonly token: string;
  readonly jail: Jail;
  readonly spoolFolder: string;
  readonly userDataFolder: string;
  readonly browser = new RunningBrowser();
  readonly activity = new Activity();

  /** The last position of the mouse, in pixels of the viewport. Initially in the middle, as on an X display. */
  pointer: Point;
  /** The buttons of the mouse that requests have pressed and not released yet. */
  readonly pressed = new Set<MouseButton>();

  readonly #serial = pLimit(1);
  readonly #serialInput = pLimit(1);
  /** The folders in `--load-extension`: every upload adds to them, as on the service. */
  #flagged: string[] = [];
  #ended: Promise<void> | undefined;

  constructor(
    private readonly options: SessionOptions,
    /** Called once when the browser has ended unexpectedly. */
    private readonly onCrash: () => void,
  ) {
    this.record = options.record;
    this.token = options.token;
    const { width, height } = options.record.viewport ?? DEFAULT_VIEWPORT;
    this.pointer = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
    this.jail = new Jail(path.join(options.folder, 'files'), options.user);
    this.spoolFolder = path.join(options.folder, 'spool');
    this.userDataFolder = userDataFolderIn(options.folder);
  }

  get id(): string {
    return this.record.session_id;
  }

  get active(): boolean {
    return !this.record.deleted_at;
  }

  /** Whether its state is saved to its profile at its end. */
  get savesProfile(): boolean {
    return this.record.profile_save_changes ?? false;
  }

  /** The folder of uploaded extensions on this machine. */
  get extensionsFolder(): string {
    return this.jail.real(this.jail.extensionsRoot);
  }

  /**
   * True when the session has been on standby for longer than its `timeout_seconds`. Uses are open DevTools connections and calls of the
   * `computer` group, according to the service's documentation.
   */
  expired(): boolean {
    return this.activity.standbyMs() > this.record.timeout_seconds * 1000;
  }

  /** The first start, with the extensions of the create request. */
  start(uploads: readonly UploadedExtension[], startUrl: string | undefined): Promise<void> {
    const { installer } = this.options;
    // A start may take longer than a session may be idle.
    const endUse = this.activity.beginUse();
    return this.#serial(async () => {
      await mkdir(this.extensionsFolder, { recursive: true });
      await mkdir(this.spoolFolder, { recursive: true });
      const folders = await installer.install(uploads, this.extensionsFolder);
      this.#flagged = folders;
      const chromium = await this.#launch();
      const refused = await this.#refusals(chromium, folders);
      if (refused.length > 0 && installer.isWhole) throw refusedByChromium(refused);
      if (startUrl !== undefined) await showInFirstTab(chromium, startUrl);
    }).finally(endUse);
  }

  /**
   * Installs extensions and restarts the browser with them, as the service does: SIGKILL, the same user-data-dir, and all folders ever
   * uploaded. By an installer that is whole, all of it is rolled back after a failure or a refusal by Chromium, and the browser keeps running.
   * `prepare` validates the names, without other operations in between. `restart`: the caller loads them over DevTools, and hears there what
   * Chromium refuses.
   */
  upload(prepare: () => Promise<readonly UploadedExtension[]>, restart?: UploadRestart): Promise<void> {
    const { installer } = this.options;
    return this.#serial(async () => {
      this.#requireActive();
      const before = this.#flagged;
      const uploads = await prepare();
      const folders = await installer.install(uploads, this.extensionsFolder);
      this.#flagged = [...new Set([...before, ...folders])];
      try {
        const chromium = restart === 'later' ? undefined : await this.#restart(folders, restart ? folders : []);
        const refused = chromium && !restart ? await this.#refusals(chromium, folders) : [];
        if (!installer.isWhole || refused.length === 0) {
          await unmark(folders, this.extensionsFolder);
          return;
        }
        // A refused folder is not in the browser, but removing the others of the upload requires another restart.
        await this.#rollBack(before, folders, { restart: refused.length < folders.length });
        throw refusedByChromium(refused);
      } catch (error) {
        if (error instanceof ApiError && error.status === 400) throw error;
        if (installer.isWhole) await this.#rollBack(before, folders, { restart: restart !== 'later' });
        // Folders and flag stay; the supervisor only restarts the browser.
        else if (!this.browser.current) await this.#launch().catch(() => undefined);
        throw error;
      } finally {
        // If no browser can be started, the session ends.
        if (!this.browser.current) this.onCrash();
      }
    });
  }

  /** Replaces the user-data-dir by one that `fill` fills, and restarts the browser with it. When `fill` rejects, nothing changes. */
  replaceUserData(fill: (userDataFolder: string) => Promise<void>): Promise<void> {
    return this.#serial(async () => {
      this.#requireActive();
      const next = `${this.userDataFolder}.new`;
      try {
        await fill(next);
        await this.#stop();
        try {
          await removeFolder(this.userDataFolder);
          await rename(next, this.userDataFolder);
        } finally {
          await this.#launch().catch((error: unknown) => {
            this.onCrash();
            throw error;
          });
        }
      } finally {
        await removeFolder(next);
      }
    });
  }

  /** Resizes the page area of all windows, after a restart that is under way: that would miss the size, or cut this off. */
  resize(viewport: Viewport): Promise<void> {
    return this.#serial(async () => {
      this.#requireActive();
      this.record.viewport = viewport;
      const { x, y } = this.pointer;
      this.pointer = { x: Math.min(x, viewport.width - 1), y: Math.min(y, viewport.height - 1) };
      const chromium = this.browser.current;
      if (!chromium) return;
      const { targetInfos } = await chromium.send('Target.getTargets');
      const pages = targetInfos.filter((target) => target.type === 'page');
      for (const page of pages) await fitContents(chromium, page.targetId, viewport.width, viewport.height);
    });
  }

  /** Runs a keyboard, mouse or screen operation on the browser, one at a time, since there is one pointer. */
  input<T>(work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#serialInput(async () => {
      this.#requireActive();
      const chromium = this.browser.current;
      if (!chromium) throw internalError('The browser of this session is restarting. Try again in a moment.');
      try {
        return await work(chromium);
      } catch (error) {
        if (error instanceof ApiError || chromium === this.browser.current) throw error;
        throw internalError('The browser of this session was restarted or ended in the meantime.');
      }
    });
  }

  /**
   * Ends the browser, once, passes the user-data-dir to `save` if its profile saves changes, and removes the session's folder as far as possible:
   * not one that could not be saved.
   */
  end(save: (userDataFolder: string) => Promise<void>): Promise<void> {
    this.record.deleted_at ??= new Date().toISOString();
    // By a request, and by the end of the browser meanwhile: what was saved and removed is not saved once more.
    return (this.#ended ??= this.#serial(() => this.#end(save)));
  }

  async #end(save: (userDataFolder: string) => Promise<void>): Promise<void> {
    const { folder, warn } = this.options;
    let mayRemove = !this.savesProfile;
    try {
      await this.#stop(this.savesProfile);
      if (this.savesProfile) await save(this.userDataFolder);
      mayRemove = true;
    } finally {
      this.browser.fail(notFound('browser', this.id));
      await (mayRemove ? removeSessionFolder : keepSessionFolder)(folder, warn);
    }
  }

  #requireActive(): void {
    if (!this.active) throw notFound('browser', this.id);
  }

  async #restart(renewed: readonly string[], left: readonly string[]): Promise<Chromium> {
    await this.#stop();
    return this.#launch(renewed, left);
  }

  async #stop(graceful = false): Promise<void> {
    const chromium = this.browser.detach();
    await (graceful ? chromium?.close() : chromium?.kill());
  }

  /** `renewed`: folders that were uploaded for this start; `left`: those that it leaves out. */
  async #launch(renewed: readonly string[] = [], left: readonly string[] = []): Promise<Chromium> {
    const loaded = this.#flagged.filter((folder) => !left.includes(folder));
    const flagged = await withFileAccess(loaded, this.extensionsFolder, renewed);
    const chromium = await Chromium.start({
      executable: this.options.executable,
      userDataFolder: this.userDataFolder,
      extensionFolders: this.options.loadOverDevTools ? [] : flagged,
      headless: this.record.headless,
      kiosk: this.record.kiosk_mode ?? false,
      viewport: this.record.viewport ?? { width: 0, height: 0 },
    });
    try {
      await loadIfIgnored(chromium, flagged);
    } catch (error) {
      await chromium.kill();
      throw error;
    }
    this.browser.set(chromium);
    this.pressed.clear();
    // After the operation that is running, which may restart the browser.
    const handleCrash = (): void => {
      if (this.browser.current === chromium) this.onCrash();
    };
    void chromium.ended.then(() => this.#serial(handleCrash));
    return chromium;
  }

  async #refusals(chromium: Chromium, folders: readonly string[]): Promise<ErrorDetail[]> {
    const reasons = await refusals(chromium, folders, this.#flagged).catch(() => {
      throw internalError('The browser ended, or did not answer, while it was loading the extensions. Try again.');
    });
    return reasons.map((reason) => ({ code: 'invalid_input', message: this.jail.clientText(reason) }));
  }

  async #rollBack(flagged: string[], folders: readonly string[], { restart }: { restart: boolean }): Promise<void> {
    this.#flagged = flagged;
    if (!restart && this.browser.current) return uninstall(folders);
    await this.#stop();
    await uninstall(folders);
    await this.#launch();
  }
}
