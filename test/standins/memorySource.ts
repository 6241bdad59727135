import { deliveryFilter } from '../../src/archive/choice';
import { ArchiveError } from '../../src/archive/error';
import type { ExtensionSource, FolderWatch, SelectOptions } from '../../src/archive/extensionSource';
import type { SelectedFile, Selection } from '../../src/archive/selection';

interface MemoryFile extends SelectedFile {
  content: Uint8Array;
}

/** The files of an extension in memory: a source that is not a folder. */
export class MemorySource implements ExtensionSource {
  readonly place = 'memory';
  readonly folder: string | undefined;
  readonly isListed = false;
  /** Paths of the files that were read, in order. */
  readonly reads: string[] = [];
  readonly #files = new Map<string, MemoryFile>();
  #writes = 0;

  /** `texts`: by path. `folder`: that of a source whose files were in this folder when they were listed. */
  constructor(texts: Readonly<Record<string, string>>, folder?: string) {
    this.folder = folder;
    for (const [path, text] of Object.entries(texts)) this.write(path, text);
  }

  write(path: string, text: string): void {
    const content = Buffer.from(text);
    this.#writes += 1;
    this.#files.set(path, { path, size: content.length, mtimeMs: this.#writes, ctimeMs: this.#writes, content });
  }

  list(options: SelectOptions = {}): Promise<Selection> {
    const isDelivered = deliveryFilter(options);
    const paths = [...this.#files.keys()].filter(isDelivered).sort();
    const files = paths.flatMap((path) => this.#files.get(path) ?? []);
    return Promise.resolve({ files, leftOut: [], totalBytes: files.reduce((sum, { size }) => sum + size, 0) });
  }

  read({ path, mtimeMs }: SelectedFile): Promise<Uint8Array> {
    this.reads.push(path);
    const file = this.#files.get(path);
    if (file?.mtimeMs === mtimeMs) return Promise.resolve(file.content);
    return Promise.reject(new ArchiveError('changed', path, `${path} changed while it was being packed.`));
  }

  watch(): FolderWatch {
    const ignore = (): void => undefined;
    return { changed: ignore, markIncomplete: ignore, dispose: ignore };
  }

  dispose(): void {
    // Nothing runs in the background.
  }
}
