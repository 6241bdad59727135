import { relative, resolve, sep } from 'node:path';
import { isWithin } from '../base/disk';
import { isAtPort } from '../base/loopback';
import { RecentMap } from '../base/recentMap';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import type { SourceFolders as Folders } from '../sources/sourceFiles';
import { findSource } from '../sources/sourceMaps';
import type { BuiltLocation } from './consoleLine';

/** Locations that are remembered; the oldest are forgotten. */
const MAX_KNOWN = 2000;

/** Locations that wait to be mapped; those beyond are shown as they are. */
const MAX_WAITING = 50;

/**
 * Shows locations in a pushed build, and in what development servers give it, as locations in its sources: `path:line:column`, with the path
 * relative to the workspace folder.
 */
export class SourceLocations {
  #known = new RecentMap<string, string>(MAX_KNOWN);
  #waiting = new Map<string, Promise<string>>();
  /** One after the other: each reads a script and its map in a worker thread, of which one is kept. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * `folders`: undefined when it is not known where the build is from; locations are then in the extension's folder. `prefix`: what paths in the
   * workspace folder begin with.
   */
  constructor(
    private readonly extensionId: string,
    private readonly folders: Folders | undefined,
    private readonly prefix = '',
  ) {}

  /** Another build is in the folder: locations are looked for in its source maps from now on. */
  forget(): void {
    this.#known = new RecentMap(MAX_KNOWN);
    this.#waiting = new Map();
  }

  /** The location without source maps; undefined for a location that is neither in the extension nor in code of its servers. */
  built({ url, line, column }: BuiltLocation): string | undefined {
    if (this.#isServed(url)) return textOf(url, line, column);
    const path = pathInExtension(url, this.extensionId);
    if (path === undefined) return undefined;
    const file = this.#fileOf(path);
    return textOf(file === undefined ? path : this.#shown(file), line, column);
  }

  /** The location in the source by the source map, at once when it is known. Never rejects; undefined as {@link built}. */
  source(location: BuiltLocation): string | Promise<string> | undefined {
    const built = this.built(location);
    const path = pathInExtension(location.url, this.extensionId);
    const file = this.#isServed(location.url) ? location.url : path === undefined ? undefined : this.#fileOf(path);
    if (built === undefined || file === undefined || !this.folders) return built;
    const { line, column } = location;
    const key = `${file}:${line}:${column}`;
    const [known, waiting] = [this.#known, this.#waiting];
    const found = known.get(key) ?? waiting.get(key);
    if (found !== undefined) return found;
    if (waiting.size >= MAX_WAITING) return built;
    const spot = { file, line: line - 1, column: column === undefined ? undefined : column - 1 };
    const mapping = this.#map(spot, this.folders, built).then((text) => {
      waiting.delete(key);
      known.set(key, text);
      return text;
    });
    waiting.set(key, mapping);
    return mapping;
  }

  async #map(spot: Parameters<typeof findSource>[0], folders: Folders, built: string): Promise<string> {
    const mapping = this.#last.then(() => findSource(spot, folders));
    this.#last = mapping;
    const found = await mapping;
    return found ? textOf(this.#shown(found.file), found.line + 1, found.column + 1) : built;
  }

  /** The file of a path in the extension; a script's `sourceURL` comment may claim one that is not in its folder. */
  #fileOf(path: string): string | undefined {
    if (!this.folders) return undefined;
    const { folder } = this.folders;
    const file = resolve(folder, path);
    return isWithin(folder, file) && file !== resolve(folder) ? file : undefined;
  }

  #isServed(url: string): boolean {
    return isAtPort(url, this.folders?.servers?.());
  }

  #shown(file: string): string {
    const path = relative(this.folders?.root ?? '', file);
    return `${this.prefix}${path.split(sep).join('/')}`;
  }
}

function textOf(path: string, line: number, column: number | undefined): string {
  return column === undefined ? `${path}:${line}` : `${path}:${line}:${column}`;
}
