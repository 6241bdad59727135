import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  DEFAULT_VIEWPORT,
  EXTENSIONS_ROOT,
  type BrowserSession,
  type ErrorDetail,
  type Viewport,
} from '../../service/model';
import { Chromium, fitContents } from '../chromium/chromium';
import { loadIfIgnored, refusals } from '../chromium/flaggedExtensions';
import { RunningBrowser } from '../chromium/runningBrowser';
import { showInFirstTab } from '../chromium/screen';
import { ApiError, internal, notFound, refusedBy } from '../errors';
import { Jail } from '../files/jail';
import type { Point } from '../input/input';
import type { Behaviour } from '../options';
import { Turns } from '../turns';
import { Activity } from './activity';
import { install, uninstall, type UploadedExtension } from './installation';

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
  readonly browser = new RunningBrowser();
  /** Set when the session's profile is to be saved at its end. */
  saveChanges = false;

  /** Where the mouse was left, in pixels of the viewport. In the middle at first, as on an X display. */
  pointer: Point;

  readonly #turns = new Turns();
  readonly #inputTurns = new Turns();
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
    const { width, height } = seed.record.viewport ?? DEFAULT_VIEWPORT;
    this.pointer = { x: Math.floor(width / 2), y: Math.floor(height / 2) };
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

  /** Marks the session as in use until the returned function is called. */
  busy(): () => void {
    return this.#activity.begin();
  }

  /** Keeps the session from ending for lack of use until the returned function is called, without being a use itself. */
  hold(): () => void {
    return this.#activity.hold();
  }

  /**
   * True when the session stood by for longer than its `timeout_seconds`. A use is an open DevTools connection or a call of
   * the `computer` group, as the service's documentation names them.
   */
  expired(): boolean {
    return this.#activity.standbyMs() > this.record.timeout_seconds * 1000;
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
        // The earlier service kept folder and flag; its supervisor only started the browser once more.
        else if (!this.browser.current) await this.#launch().catch(() => undefined);
        throw error;
      } finally {
        // A browser that would not come up again: the session has nothing left to live for.
        if (!this.browser.current) this.onCrash();
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
    const { x, y } = this.pointer;
    this.pointer = { x: Math.min(x, viewport.width - 1), y: Math.min(y, viewport.height - 1) };
    const chromium = this.browser.current;
    if (!chromium) return;
    const { targetInfos } = await chromium.send('Target.getTargets');
    const pages = targetInfos.filter((target) => target.type === 'page');
    for (const page of pages) await fitContents(chromium, page.targetId, viewport.width, viewport.height);
  }

  /** Runs keyboard, mouse and screen work on the browser, one at a time as on a machine with one pointer. */
  input<T>(work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#inputTurns.run(async () => {
      this.#requireActive();
      const chromium = this.browser.current;
      if (!chromium) throw internal('The browser of this session is restarting. Try again in a moment.');
      try {
        return await work(chromium);
      } catch (error) {
        if (error instanceof ApiError || chromium === this.browser.current) throw error;
        throw internal('The browser of this session was restarted or ended meanwhile.');
      }
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
        this.browser.giveUp(notFound('browser', this.id));
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
    const chromium = this.browser.leave();
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
    this.browser.arrive(chromium);
    void chromium.ended.then(() => {
      if (this.browser.current === chromium) this.onCrash();
    });
    return chromium;
  }

  async #refusals(chromium: Chromium, folders: readonly string[]): Promise<ErrorDetail[]> {
    const reasons = await refusals(chromium, folders, this.#flagged);
    return reasons.map((reason) => ({ code: 'invalid_input', message: this.jail.clientText(reason) }));
  }

  async #undo(flagged: string[], folders: readonly string[], restart: boolean): Promise<void> {
    this.#flagged = flagged;
    if (!restart && this.browser.current) return uninstall(folders);
    await this.#stop();
    await uninstall(folders);
    await this.#launch();
  }
}
