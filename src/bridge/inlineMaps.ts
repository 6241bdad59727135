import { createHash } from 'node:crypto';
import { dataOf } from '../base/dataUrl';

/** The beginning of a source map within a script or a style, also within the text of an `eval`, as bundlers write it. */
const BEGINNING = /[#@]\s{0,2}sourceMappingURL=(?=data:)/g;

/** What ends it. A search for it takes no memory, which a match of megabytes does. */
const END = /[^\w/+.;=:,%-]/g;

/** A map that is shorter stays where it is, in characters. */
const MIN_LENGTH = 1024;

/** How much is kept, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** The source maps that were cut out of answers, since browsers only need them with a debugger: most bytes of a development build are such. */
export class InlineMaps {
  /** The addresses of data by their digest, the oldest first. */
  readonly #kept = new Map<string, string>();
  #length = 0;

  /** `folder`: the path below which the maps are had, on the host of each server. */
  constructor(private readonly folder: string) {}

  /** The code of a server, in which each map of more than 1 kB is an address of `origin`. */
  cutFrom(code: string, origin: string): string {
    const parts: string[] = [];
    let done = 0;
    for (const { 0: name, index } of code.matchAll(BEGINNING)) {
      const at = index + name.length;
      END.lastIndex = at;
      const end = END.exec(code)?.index ?? code.length;
      if (end - at < MIN_LENGTH) continue;
      parts.push(code.slice(done, at), `${origin}${this.folder}/${this.#keep(code.slice(at, end))}`);
      done = end;
    }
    return parts.length === 0 ? code : [...parts, code.slice(done)].join('');
  }

  /** The map at a path; undefined for one that is not kept, or no longer. */
  mapAt(path: string): Buffer | undefined {
    const data = this.dataAt(path);
    return data === undefined ? undefined : dataOf(data);
  }

  /** The same as it was written in the answer: as an address of data. */
  dataAt(path: string): string | undefined {
    return path.startsWith(`${this.folder}/`) ? this.#kept.get(path.slice(this.folder.length + 1)) : undefined;
  }

  #keep(data: string): string {
    const digest = createHash('sha256').update(data).digest('hex').slice(0, 32);
    // What is asked for again is the newest again.
    if (this.#kept.delete(digest)) this.#length -= data.length;
    this.#kept.set(digest, data);
    this.#length += data.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#length <= MAX_KEPT) break;
      this.#kept.delete(oldest);
      this.#length -= length;
    }
    return digest;
  }
}
