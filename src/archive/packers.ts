import { FolderPacker } from './packer';

/** Folders whose compressed files are kept at the same time; each may hold as much memory as an archive has bytes. */
const MAX_FOLDERS = 4;

/** The packers of the folders that were pushed last. */
export class FolderPackers {
  /** Latest last. */
  readonly #packers = new Map<string, FolderPacker>();

  /** The packer of a folder, named by its absolute path. */
  of(folder: string): FolderPacker {
    const packer = this.#packers.get(folder) ?? new FolderPacker(folder);
    this.#packers.delete(folder);
    this.#packers.set(folder, packer);
    for (const oldest of this.#packers.keys()) {
      if (this.#packers.size <= MAX_FOLDERS) break;
      this.#packers.delete(oldest);
    }
    return packer;
  }
}
