import { EventEmitter, once } from 'node:events';
import * as l10n from '@vscode/l10n';
import { realClock, type Clock, type Timer } from '../../base/clock';
import { isWithin } from '../../base/disk';
import type { DeliveryMode } from '../browserDelivery';
import { BuildQuiet, QUIET_MS, quietMs } from './quiet';

/** How long an incomplete build may take to be completed, in milliseconds; then it is pushed, and the push says what is missing. */
const BUILD_PATIENCE_MS = 3000;

/** How long after a save an unsaved file of the extension is taken for the next one of Save All, in milliseconds. */
const SAVE_ALL_MS = 200;

/** How long the targets of a push are reused, in milliseconds. */
const TARGETS_FRESH_MS = 500;

/** Folders and files whose changes are never a build. */
const NO_BUILD = /[\\/](?:node_modules|\.(?!vite-deps-)[^\\/]+)(?:[\\/]|$)/;

/** A workspace folder. */
export interface SaveFolder {
  /** What distinguishes it from others. */
  readonly key: string;
  readonly name: string;
}

/** The settings of a workspace folder that decide about its saves. */
export interface SaveSettings {
  pushOnSave: 'off' | 'onSave' | 'onBuild';
  /** Whether files that the editor saves by itself count. */
  pushOnAutoSave: boolean;
  delivery: DeliveryMode;
}

/** The browsers that the user chose, as far as they run, and those that have ended. */
interface SaveTargets {
  readonly running: readonly unknown[];
  readonly ended: readonly unknown[];
}

/** What pushes of saved files need of the window they are made in. */
export interface SaveHost<
  Folder extends SaveFolder,
  Extension extends { readonly path: string },
  Targets extends SaveTargets,
> {
  /** The settings of a folder now; `off` for one that is no longer open. */
  settings: (folder: Folder) => SaveSettings;
  /** The extension that is pushed of a folder; undefined when it is not decided which. Rejects when there is none. */
  findExtension: (folder: Folder) => Promise<Extension | undefined>;
  /** Whether an error says that a folder holds no extension. */
  isWithoutExtension: (error: unknown) => boolean;
  /** Whether a file of the extension is changed in the editor and not saved. */
  hasUnsaved: (extension: Extension) => boolean;
  /** A predicate for absolute paths: whether a push delivers that file of the extension, by the settings and the rules for names. */
  deliveredBy: (extension: Extension) => Promise<(path: string) => boolean>;
  /** Whether all files that the manifest names are there, and no tool has yet to rename one of those that were written, absolute paths. */
  isComplete: (extension: Extension, written: readonly string[]) => Promise<boolean>;
  /** Takes note of files that have changed, absolute paths. */
  changed: (paths: readonly string[]) => void;
  findTargets: () => Promise<Targets>;
  push: (extension: Extension, targets: Targets['running']) => Promise<void>;
  /** Shows why saves are not pushed: a short label, and the sentence. */
  showWaiting: (label: string, reason: string) => void;
  warn: (reason: string) => void;
  /** The sentence about chosen browsers that have ended. */
  endedText: (ended: Targets['ended']) => string;
  /** Offers to start them again. */
  offerStartAgain: (extension: Extension, ended: Targets['ended'], text: string) => Promise<void>;
  /** The sentence about an error. */
  sentenceOf: (error: unknown) => string;
}

/** What was written in a workspace folder with builds, and is not pushed yet. */
interface Writes {
  /** The time of each file's last write, by path. */
  readonly times: Map<string, number>;
  readonly quiet: BuildQuiet;
}

/**
 * Decides when saved files are pushed, and to which browsers: after a file of an extension was saved in the editor, or after its folder has
 * changed on disk and no more writes follow. Only browsers that the user chose are pushed to.
 */
export class SavedPushes<
  Folder extends SaveFolder,
  Extension extends { readonly path: string },
  Targets extends SaveTargets,
> {
  readonly #timers = new Map<string, Timer>();
  /** The targets of the next push, by folder: requested while the quiet time runs. */
  readonly #targets = new Map<string, { askedAt: number; chosen: Promise<Targets> }>();
  /** Counts how often others were chosen. */
  #choices = 0;
  /** Documents whose last save was not by the user's hand. */
  readonly #autoSaved = new Set<string>();
  /** The keys of folders of whose extension something was saved or built that is not pushed yet. */
  readonly #waiting = new Set<string>();
  /** What goes on because of saves and builds, by the key of the folder. */
  readonly #acting = new Map<string, Set<Promise<void>>>();
  readonly #events = new EventEmitter<{ settled: [] }>();
  /** The push of a build that is on its way, by the key of its folder. */
  readonly #running = new Map<string, Promise<void>>();
  /** The extension that was last found of a folder, by its key. */
  readonly #extensions = new Map<string, Extension>();
  #lastReason = '';
  #isDisposed = false;

  constructor(
    private readonly host: SaveHost<Folder, Extension, Targets>,
    private readonly clock: Clock = realClock,
  ) {
    // Each message of a development server may wait for it.
    this.#events.setMaxListeners(0);
  }

  /** A document is about to be saved: `isByHand` when the user saves it, not the editor. */
  willSave(document: string, isByHand: boolean): void {
    if (isByHand) this.#autoSaved.delete(document);
    else this.#autoSaved.add(document);
  }

  /** A document of a folder was saved under an absolute path. */
  saved(folder: Folder, document: string, path: string): void {
    this.#onSave(folder, document, path).catch((error: unknown) => this.#fail(error));
  }

  /** Begins to collect the writes of builds in a folder: the returned function takes note of one, by its absolute path. */
  collectWrites(folder: Folder): (path: string) => void {
    // A bundler writes thousands of files: each event only records its path, and they are evaluated together.
    const writes: Writes = { times: new Map(), quiet: new BuildQuiet() };
    return (path) => {
      writes.times.set(path, this.clock.now());
      const known = this.#extensions.get(folder.key);
      if (known === undefined || isOfExtension(known.path, path)) this.#waiting.add(folder.key);
      if (this.#timers.has(folder.key)) return;
      this.#schedule(folder, this.#quietOf(folder, writes.quiet.ms), () => this.#onWritten(folder, writes));
    };
  }

  /** Other browsers are chosen: pushes that have not begun go to those. */
  targetsChanged(): void {
    this.#choices += 1;
    this.#targets.clear();
  }

  /** Resolves when all that was saved or built until now is pushed, or is not going to be. */
  async untilPushed(): Promise<void> {
    while (this.#waiting.size > 0) await once(this.#events, 'settled');
  }

  /** Pushes nothing more. */
  dispose(): void {
    this.#isDisposed = true;
    for (const timer of this.#timers.values()) timer.clear();
    this.#timers.clear();
    this.#waiting.clear();
    this.#events.emit('settled');
  }

  async #onSave(folder: Folder, document: string, path: string): Promise<void> {
    const { pushOnSave, pushOnAutoSave } = this.host.settings(folder);
    if (pushOnSave !== 'onSave') return;
    // A file that is saved in the middle of a line is no state that anybody wants to run.
    if (!pushOnAutoSave && this.#autoSaved.has(document)) return;
    const extension = await this.host.findExtension(folder).catch((error: unknown) => {
      // The setting may be that of a user, for all folders.
      if (this.host.isWithoutExtension(error) && !this.#extensions.has(folder.key)) return 'none' as const;
      throw error;
    });
    if (extension === 'none') return;
    if (!extension) {
      this.#waitForFolder(folder);
      return;
    }
    this.#extensions.set(folder.key, extension);
    const saved = this.clock.now();
    if (!isInside(extension.path, path) || !(await this.host.deliveredBy(extension))(path)) return;
    void this.#askForTargets(folder);
    this.#waiting.add(folder.key);
    this.#schedule(folder, this.#quietOf(folder, QUIET_MS), () => this.#pushSaved(folder, extension, saved));
  }

  /** Saves that belong together, such as those of Save All, are one push. */
  async #pushSaved(folder: Folder, extension: Extension, saved: number): Promise<void> {
    if (this.host.settings(folder).pushOnSave !== 'onSave') return;
    if (this.host.hasUnsaved(extension) && this.clock.now() - saved < SAVE_ALL_MS) {
      this.#schedule(folder, this.#quietOf(folder, QUIET_MS), () => this.#pushSaved(folder, extension, saved));
      return;
    }
    await this.#push(folder, extension);
  }

  /**
   * Pushes what a build has written once no more writes follow. Other files of the workspace folder neither cause a push nor delay it.
   */
  async #onWritten(folder: Folder, writes: Writes): Promise<void> {
    const { times: written, quiet } = writes;
    const { host, clock } = this;
    const found = await host.findExtension(folder).catch(() => 'none' as const);
    host.changed([...written.keys()]);
    // The setting may have changed since the write.
    if (host.settings(folder).pushOnSave !== 'onBuild') return;
    const again = (delayMs: number): void => this.#schedule(folder, delayMs, () => this.#onWritten(folder, writes));
    if (found === undefined) {
      // A build may have deleted the chosen folder just now.
      if (clock.now() - latestOf(written) < BUILD_PATIENCE_MS) again(this.#quietOf(folder, quiet.ms));
      else this.#waitForFolder(folder);
      return;
    }
    if (found === 'none') {
      written.clear();
      return;
    }
    const extension = found;
    this.#extensions.set(folder.key, extension);
    const isDelivered = await host.deliveredBy(extension);
    for (const path of written.keys())
      if (!isOfExtension(extension.path, path) || !isDelivered(path)) written.delete(path);
    if (written.size === 0) return;
    quiet.note(written.values());
    const quietMs = this.#quietOf(folder, quiet.ms);
    const entries = [...written];
    const lastMs = latestOf(written);
    const restMs = clock.now() - lastMs;
    if (restMs < quietMs) {
      again(quietMs - restMs);
      return;
    }
    const running = this.#running.get(folder.key);
    if (running) {
      // A push that waited for it would read what is written until then, which nobody has looked at.
      await running;
      again(0);
      return;
    }
    void this.#askForTargets(folder);
    if (restMs < BUILD_PATIENCE_MS && !(await host.isComplete(extension, [...written.keys()]))) {
      again(quietMs);
      return;
    }
    // The build has gone on meanwhile, and its events have scheduled the next check.
    if ([...written].some(([path, at]) => at > lastMs && isOfExtension(extension.path, path))) return;
    for (const [path, at] of entries) if (written.get(path) === at) written.delete(path);
    const pushing = this.#push(folder, extension);
    const ended = pushing.catch(() => undefined).finally(() => this.#running.delete(folder.key));
    this.#running.set(folder.key, ended);
    await pushing;
  }

  #schedule(folder: Folder, delayMs: number, act: () => Promise<void>): void {
    if (this.#isDisposed) return;
    this.#timers.get(folder.key)?.clear();
    this.#timers.set(
      folder.key,
      this.clock.after(delayMs, () => {
        this.#timers.delete(folder.key);
        const acting = act().catch((error: unknown) => this.#fail(error));
        const all = this.#acting.get(folder.key) ?? new Set();
        this.#acting.set(folder.key, all.add(acting));
        void acting.finally(() => {
          all.delete(acting);
          if (all.size === 0) this.#settle(folder.key);
        });
      }),
    );
  }

  /** Nothing of a folder waits any more, unless it has changed meanwhile. */
  #settle(key: string): void {
    if (this.#timers.has(key)) return;
    this.#waiting.delete(key);
    this.#events.emit('settled');
  }

  /** The quiet time before a push of `folder`, in milliseconds. */
  #quietOf(folder: Folder, usualMs: number): number {
    return quietMs(usualMs, this.host.settings(folder).delivery);
  }

  /** Requests the targets of the next push, unless that was done just now for another save of the same push. */
  #askForTargets({ key }: Folder): Promise<Targets> {
    const known = this.#targets.get(key);
    if (known && this.clock.now() - known.askedAt < TARGETS_FRESH_MS) return known.chosen;
    const chosen = this.host.findTargets();
    this.#targets.set(key, { askedAt: this.clock.now(), chosen });
    // The push that awaits the targets reports the failure.
    chosen.catch(() => undefined);
    return chosen;
  }

  /** The targets of a push that begins now. */
  async #takeTargets(folder: Folder): Promise<Targets> {
    const targets = this.#askForTargets(folder);
    this.#targets.delete(folder.key);
    const choices = this.#choices;
    await targets.catch(() => undefined);
    return choices === this.#choices ? await targets : await this.#takeTargets(folder);
  }

  async #push(folder: Folder, extension: Extension): Promise<void> {
    if (this.#isDisposed) return;
    const { running, ended } = await this.#takeTargets(folder);
    if (this.#isDisposed) return;
    if (ended.length > 0) this.#tellEnded(extension, ended);
    else if (running.length === 0) {
      this.#wait(
        l10n.t('no browser chosen'),
        l10n.t('Push on save waits: no browser is chosen. Push once by hand, or choose a browser.'),
      );
    } else this.#lastReason = '';
    if (running.length > 0) await this.host.push(extension, running);
  }

  /** Shows once that saves are not pushed to browsers that have ended. */
  #tellEnded(extension: Extension, ended: Targets['ended']): void {
    const text = l10n.t('{0} Saves are not pushed there.', this.host.endedText(ended));
    if (!this.#wait(l10n.t('has ended, saves wait'), text)) return;
    this.host.offerStartAgain(extension, ended, text).catch((error: unknown) => this.#fail(error));
  }

  #waitForFolder({ name }: Folder): void {
    this.#wait(
      l10n.t('choose a folder'),
      l10n.t(
        '"{0}" has several extension folders, or not the chosen one. Choose the one to push: "Sideload: Choose Extension Folder…".',
        name,
      ),
    );
  }

  #fail(error: unknown): void {
    this.#wait(l10n.t('not pushed'), l10n.t('Push on save failed: {0}', this.host.sentenceOf(error)));
  }

  /** Shows why saves are not pushed, and logs it once; returns whether it is new. */
  #wait(label: string, reason: string): boolean {
    if (this.#isDisposed) return false;
    this.host.showWaiting(label, reason);
    if (reason === this.#lastReason) return false;
    this.#lastReason = reason;
    this.host.warn(reason);
    return true;
  }
}

/** The time of the last write. */
function latestOf(written: ReadonlyMap<string, number>): number {
  return [...written.values()].reduce((latest, at) => Math.max(latest, at), 0);
}

function isInside(folder: string, path: string): boolean {
  return path !== folder && isWithin(folder, path);
}

/** Bundlers write to folders such as `.output`, so only the path within the extension folder is tested. */
function isOfExtension(extension: string, path: string): boolean {
  return isInside(extension, path) && !NO_BUILD.test(path.slice(extension.length));
}
