import { setTimeout as delay } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import {
  Disposable,
  EventEmitter,
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  workspace,
  type FileChangeEvent,
  type FileStat,
  Uri,
  type TextDocument,
} from 'vscode';
import type { HiddenPage } from '../../devtools/protocol/hiddenPage';
import { readStorage, STORAGE_AREAS, writeStorage, type StorageArea } from '../../devtools/storage/extensionStorage';
import { STORAGE_SCHEME } from '../../ids';
import type { Browser } from '../../service/model';
import type { BrowserWiring } from '../browsers/browserWiring';
import { sentenceFor } from '../messages';
import { addressOf, type StorageAddress } from './storageAddress';
import { StorageDocument } from './storageDocument';
import { reachOf } from './storageReach';
import { StorageSource } from './storageSource';
import { explained } from './storageTarget';
import { keysText, parseItems } from './storageText';

/** Pause between a change and the next reading of an area, in milliseconds; longer for an area whose reading takes long. */
const PAUSE_MS = 100;
const PAUSE_FACTOR = 4;

/** How long after the last event of a reload the new extension is read, in milliseconds. */
const SETTLE_MS = 500;

/** How long a page is kept that no document is open for, in milliseconds. */
const UNUSED_MS = 5000;

/** An area that a document was asked for. */
interface Known {
  uri: Uri;
  address: StorageAddress;
  document: StorageDocument;
  source: StorageSource;
  /** The page through which the area was read last. */
  page?: HiddenPage;
  pauseMs: number;
}

/**
 * The areas of `chrome.storage` as JSON documents. An open document follows its area, without polling, as long as the connection of the
 * pushes to the browser lasts; it is read again when the editor asks for it. The worker of the extension is not woken for it.
 */
export class StorageFiles implements Disposable {
  readonly #changed = new EventEmitter<FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #subscriptions: Disposable;
  /** By the text of the address. */
  readonly #known = new Map<string, Known>();
  /** By browser and extension. */
  readonly #sources = new Map<string, StorageSource>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(private readonly wiring: BrowserWiring) {
    const { devTools, records } = wiring;
    const reread = ({ id }: Browser): void => this.#rereadLater(id);
    const note = (document: TextDocument): void => this.#note(document);
    this.#subscriptions = Disposable.from(
      this.#changed,
      devTools.onExtensions(reread),
      devTools.onLost(reread),
      records.onDidChange((browserId) => {
        if (!records.isPushing(browserId)) this.#rereadLater(browserId);
      }),
      workspace.onDidOpenTextDocument(note),
      workspace.onDidChangeTextDocument(({ document }) => note(document)),
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === STORAGE_SCHEME) this.#closeUnusedLater();
      }),
    );
  }

  /** @throws FileSystemError */
  async stat(uri: Uri): Promise<FileStat> {
    // VS Code asks for the folder before it writes a file that it cannot read, to make it.
    if (!uri.path.endsWith('.json')) return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    const { document, address } = await this.#fresh(uri);
    const open = openDocument(uri);
    const { mtime, bytes } = await document.versionForStat(open?.isDirty === true ? open.getText() : undefined);
    const isReadOnly = address.area === 'managed';
    return {
      type: FileType.File,
      ctime: 0,
      mtime,
      size: bytes.length,
      ...(isReadOnly ? { permissions: FilePermission.Readonly } : {}),
    };
  }

  /** The areas, for the path above the editor. */
  readDirectory(folder: Uri): [string, FileType][] {
    const isArea = (name: string): boolean => addressOf(Uri.joinPath(folder, name)) !== undefined;
    return STORAGE_AREAS.map((area) => `${area}.json`)
      .filter((name) => folder.path.split('/').length === 3 && isArea(name))
      .map((name) => [name, FileType.File]);
  }

  /** @throws FileSystemError */
  async readFile(uri: Uri): Promise<Uint8Array> {
    return (await this.#fresh(uri)).document.serve();
  }

  /**
   * Writes the keys that were changed, added or removed, and no others.
   * @throws FileSystemError when nothing was written
   */
  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const known = await this.#fresh(uri);
    const { document, source, address } = known;
    if (address.area === 'managed') {
      throw FileSystemError.NoPermissions(
        l10n.t('Managed storage is set by a policy and cannot be written. Change the policy instead.'),
      );
    }
    const parsed = await parseItems(content);
    if ('problem' in parsed) {
      const { line, column, message } = parsed.problem;
      throw new FileSystemError(
        l10n.t('Line {0}, column {1}: {2}. Nothing was written; correct it and save again.', line, column, message),
      );
    }
    const wanted = await document.changeTo(parsed.items);
    if (!wanted) {
      throw new FileSystemError(
        l10n.t(
          'It was edited before this window was loaded, and may be out of date. Save again to write what differs.',
        ),
      );
    }
    const { change, expected } = wanted;
    if (change.set.size + change.remove.length > 0) {
      const end = await this.#explain(source.use((page) => writeStorage(page, address.area, change, expected)));
      if (end.end === 'changed') {
        await this.#read(known);
        const keys = keysText(end.keys);
        throw new FileSystemError(
          l10n.t('The extension has changed {0} at the same time. Nothing was written; save again to compare.', keys),
        );
      }
    }
    document.written(parsed.items, content);
    // Other keys may have changed; the editor loads them once the document is clean.
    await this.#read(known).catch(() => undefined);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const source of this.#sources.values()) source.close();
  }

  /** The area of an address, read unless its changes are reported anyway. */
  async #fresh(uri: Uri): Promise<Known> {
    const address = addressOf(uri);
    if (!address) throw FileSystemError.FileNotFound(uri);
    const key = uri.toString();
    const source = this.#sourceOf(address);
    let known = this.#known.get(key);
    if (known?.source !== source) {
      known = { uri, address, document: known?.document ?? new StorageDocument(), source, pauseMs: PAUSE_MS };
      this.#known.set(key, known);
    }
    if (!source.watches(known.page)) await this.#read(known);
    this.#closeUnusedLater();
    return known;
  }

  #sourceOf({ service, browserId, extensionId }: StorageAddress): StorageSource {
    const key = `${service}/${browserId}/${extensionId}`;
    const known = this.#sources.get(key);
    if (known) return known;
    const source = new StorageSource(reachOf(this.wiring, { service, browserId, extensionId }), (area) => {
      this.#follow(source, area);
    });
    this.#sources.set(key, source);
    return source;
  }

  /** `isPassive`: nobody has asked for it, so the connection is closed no later for it. */
  async #read(known: Known, { isPassive = false }: { isPassive?: boolean } = {}): Promise<void> {
    const { document, source, address, uri } = known;
    const read = async (page: HiddenPage): Promise<boolean> => {
      const items = await readStorage(page, address.area);
      const isFirst = document.now === undefined;
      const isOther = await document.accept(items);
      known.page = page;
      return isOther && !isFirst;
    };
    if (await this.#explain(source.use(read, isPassive))) this.#fire(uri);
  }

  /** Reads an area again after it was changed. */
  #follow(source: StorageSource, area: StorageArea): void {
    for (const known of this.#known.values()) {
      if (known.source !== source || known.address.area !== area) continue;
      void delay(known.pauseMs, undefined, { ref: false }).then(async () => {
        // Its document may be closed by now: the source would open a page that nobody closes.
        if (this.#known.get(known.uri.toString()) !== known) return;
        const started = performance.now();
        await this.#reread(known);
        known.pauseMs = Math.max(PAUSE_MS, (performance.now() - started) * PAUSE_FACTOR);
      });
    }
  }

  /** Reads the open documents of a browser again when a reload of an extension, or a push, is over. */
  #rereadLater(browserId: string): void {
    if (![...this.#known.values()].some(({ address }) => address.browserId === browserId)) return;
    this.#timer(browserId, SETTLE_MS, () => {
      for (const known of this.#known.values()) {
        if (known.address.browserId === browserId && openDocument(known.uri)) void this.#reread(known);
      }
    });
  }

  /** Never rejects: what cannot be read is said when the editor asks for it. */
  async #reread(known: Known): Promise<void> {
    try {
      await this.#read(known, { isPassive: true });
    } catch (error) {
      this.wiring.log.debug(`Storage ${known.uri.path} could not be read: ${String(error)}`);
    }
  }

  /** Notes what a document without unsaved edits shows, and has the editor load what it does not show yet. */
  #note(document: TextDocument): void {
    if (document.uri.scheme !== STORAGE_SCHEME || document.isDirty) return;
    const known = this.#known.get(document.uri.toString());
    if (!known) return;
    const isOther = known.document.show(document.getText());
    if (isOther || known.document.isBehind) this.#fire(known.uri);
  }

  #fire(uri: Uri): void {
    this.#changed.fire([{ type: FileChangeType.Changed, uri }]);
  }

  /** Later, since the editor reads a document before it is open. */
  #closeUnusedLater(): void {
    this.#timer('unused', UNUSED_MS, () => this.#closeUnused());
  }

  #closeUnused(): void {
    for (const [key, known] of this.#known) if (!openDocument(known.uri)) this.#known.delete(key);
    const used = new Set([...this.#known.values()].map(({ source }) => source));
    for (const [key, source] of this.#sources) {
      if (used.has(source)) continue;
      source.close();
      this.#sources.delete(key);
    }
  }

  #timer(key: string, ms: number, act: () => void): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.set(key, setTimeout(act, ms).unref());
  }

  /** The result of an action on storage. @throws FileSystemError with a sentence */
  async #explain<T>(action: Promise<T>): Promise<T> {
    try {
      return await action;
    } catch (error) {
      const cause = explained(error);
      this.wiring.log.info(`Storage: ${String(cause)}`);
      throw FileSystemError.Unavailable(sentenceFor(cause) ?? String(cause));
    }
  }
}

function openDocument(uri: Uri): TextDocument | undefined {
  const text = uri.toString();
  return workspace.textDocuments.find(
    (document) => document.uri.scheme === STORAGE_SCHEME && document.uri.toString() === text,
  );
}
