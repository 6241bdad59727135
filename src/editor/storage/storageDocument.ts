import type { StorageChange, StorageItems } from '../../devtools/storage/extensionStorage';
import { changeBetween, conflictsOf, documentOf, holdsText, isSameItems, parseItems, valuesFor } from './storageText';

/** What an area held at some time, as a document shows it. `mtime` in milliseconds since the epoch. */
export interface Version {
  items: StorageItems;
  bytes: Uint8Array;
  mtime: number;
}

/** Versions that the editor may still be about to show, after the present one. */
const KEPT_VERSIONS = 3;

/**
 * A storage area as a document with a version that its edits are based on, so that a save writes these edits alone. It decides which
 * version `stat` returns: by that, the editor reloads the document, or reports a conflict when it is saved.
 */
export class StorageDocument {
  #now: Version | undefined;
  /** What the open document was made from. */
  #base: Version | undefined;
  /** What was read last, the latest first. */
  #served: Version[] = [];
  /** What the area held when the editor last asked for the version. */
  #checked: Version | undefined;

  /** What the area holds, as far as it is known. */
  get now(): Version | undefined {
    return this.#now;
  }

  /** Whether the open document shows something else than the area holds. */
  get isBehind(): boolean {
    return this.#base !== undefined && this.#base !== this.#now;
  }

  /** Takes what the area holds now, after what was taken before; resolves to false when it is what it held before. */
  async accept(items: StorageItems): Promise<boolean> {
    if (this.#now && (await isSameItems(this.#now.items, items))) return false;
    // VS Code takes a newer version of the same size for the same one, when it looks for conflicts.
    this.#now = this.#version(items, await documentOf(items, this.#lengths));
    return true;
  }

  /** The text that is shown from now on. */
  serve(): Uint8Array {
    const now = this.#known();
    this.#served = [now, ...this.#served.filter((version) => version !== now)].slice(0, KEPT_VERSIONS);
    return now.bytes;
  }

  /**
   * The version for `stat`, of a document with the unsaved text `edited`, or with none. While the edits and the changes in the browser concern
   * different keys, it is the base version of the edits, since both can be merged; otherwise the present one, for which the editor reports a
   * conflict.
   */
  async versionForStat(edited: string | undefined): Promise<Version> {
    const [now, base] = [this.#known(), this.#base];
    this.#checked = now;
    if (edited === undefined || base === undefined || base === now) return now;
    const parsed = await parseItems(edited);
    if (!('items' in parsed)) return base;
    const change = await changeBetween(base.items, parsed.items);
    return conflictsOf(change, base.items, now.items).length > 0 ? now : base;
  }

  /** Notes that the document has this text and no unsaved edits; resolves to whether it is based on another version than before. */
  show(text: string): boolean {
    const versions = new Set([this.#now, this.#base, ...this.#served]);
    const shown = [...versions].find((version) => version && holdsText(version.bytes, text));
    if (!shown || shown === this.#base) return false;
    this.#base = shown;
    return true;
  }

  /**
   * What a save of `edited` writes, and the values that it replaces as the editor knows them. Undefined for a document whose edits are
   * older than this window, so that nobody knows what they are based on: it is based on the present version from then on.
   */
  async changeTo(edited: StorageItems): Promise<{ change: StorageChange; expected: Map<string, unknown> } | undefined> {
    const [now, base] = [this.#known(), this.#base];
    const checked = this.#checked ?? now;
    if (!base) this.#base = now;
    const change = await changeBetween((base ?? now).items, edited);
    if (!base && change.set.size + change.remove.length > 0) return undefined;
    return { change, expected: valuesFor(change, checked.items) };
  }

  /** Notes that the area was written from a document of these bytes. */
  written(items: StorageItems, bytes: Uint8Array): void {
    const isKnown = this.#now !== undefined && Buffer.compare(bytes, this.#now.bytes) === 0;
    this.#now = this.#version(items, isKnown ? bytes : longer(bytes, this.#lengths));
    this.#base = this.#now;
    this.#checked = this.#now;
  }

  #known(): Version {
    if (!this.#now) throw new Error('the area was not read');
    return this.#now;
  }

  /** The lengths of the documents that VS Code may know, in bytes. */
  get #lengths(): number[] {
    return [this.#now, this.#base].flatMap((version) => version?.bytes.length ?? []);
  }

  #version(items: StorageItems, bytes: Uint8Array): Version {
    return { items, bytes, mtime: Math.max(Date.now(), (this.#now?.mtime ?? 0) + 1) };
  }
}

/** A document with so many more line ends that it has none of these lengths. */
function longer(bytes: Uint8Array, lengths: readonly number[]): Uint8Array {
  let count = 0;
  while (lengths.includes(bytes.length + count)) count += 1;
  return count === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(count, '\n')]);
}
