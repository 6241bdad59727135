import { realpathSync, statSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersUp, isWithin } from '../base/disk';
import { loopbackPort, type LoopbackPorts } from '../base/loopback';

/** Where the sources of a build may be. Both paths absolute; `root` contains `folder` or is the same. */
export interface SourceFolders {
  /** The folder with `manifest.json`, as it was pushed. */
  folder: string;
  /** The workspace folder: nothing outside of it is ever named. */
  root: string;
  /** The ports of development servers whose code the build may run, asked each time: a person may allow and stop them. None by default. */
  servers?: () => LoopbackPorts;
}

/** A source in a map: as it is written there, and resolved against the URL of the map. */
export interface NamedSource {
  raw: string;
  resolved: string;
}

/**
 * The file on disk that a source of a map refers to, as an absolute path; undefined when there is none in the workspace. Bundlers
 * name sources relative to the map, absolutely, or from the folder of the project: after a scheme of their own (`webpack:///./a.ts`),
 * after a slash, or as if it were that of the map (Parcel). The project's folder is the nearest one above the build in which such a file exists.
 */
export async function findSourceFile(source: NamedSource, locations: SourceFolders): Promise<string | undefined> {
  const root = await realpath(locations.root).catch(() => undefined);
  if (root === undefined) return undefined;
  for (const candidate of candidates(source, locations, root)) {
    const file = await existingFile(candidate, root);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** As {@link findSourceFile}, while its caller waits, for a few sources whose order among other messages must stay. Never throws. */
export function findSourceFileNow(source: NamedSource, locations: SourceFolders): string | undefined {
  const isFile = (path: string, root: string): boolean => {
    try {
      const real = realpathSync(path);
      return isWithin(root, real) && statSync(real).isFile();
    } catch {
      return false;
    }
  };
  try {
    const root = realpathSync(locations.root);
    for (const candidate of candidates(source, locations, root)) if (isFile(candidate, root)) return candidate;
  } catch {
    // The workspace folder is gone.
  }
  return undefined;
}

/** The paths in the workspace that a source may have. A path elsewhere is not even looked at: on Windows it may name another machine, which would be sent the user's credentials. */
function* candidates(source: NamedSource, { folder, root }: SourceFolders, realRoot: string): Generator<string> {
  for (const path of named(source, folder, root)) if (isWithin(root, path) || isWithin(realRoot, path)) yield path;
}

function* named({ raw, resolved }: NamedSource, folder: string, root: string): Generator<string> {
  const near = pathOfUrl(resolved);
  if (near !== undefined) yield near;
  // A development server names sources relative to their addresses: the name alone may be that of another file.
  const written = isAbsolute(raw) ? raw : undefined;
  const paths = isOfServer(resolved) ? [servedPath(resolved), written] : [projectPath(raw), projectPath(resolved)];
  for (const path of paths) {
    if (path === undefined) continue;
    if (isAbsolute(path)) yield path;
    for (const base of foldersUp(folder, root)) yield join(base, path);
  }
}

/** Whether a source is at an address of a server, or at one of the extension: some tools answer their pages with code of the server. */
function isOfServer(resolved: string): boolean {
  return loopbackPort(resolved) !== undefined || resolved.startsWith('chrome-extension://');
}

/** The path of such a source from the folder of the project, or an absolute one as Vite writes it for files elsewhere (`/@fs/…`). */
function servedPath(address: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(address).pathname).slice(1);
    const [, elsewhere] = /^@fs\/(.*)$/s.exec(path) ?? [];
    if (elsewhere === undefined) return path;
    return /^[a-z]:/i.test(elsewhere) ? elsewhere : `/${elsewhere.replace(/^\/+/, '')}`;
  } catch {
    // A stray percent sign, or not a URL.
    return undefined;
  }
}

function pathOfUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    // Another scheme, or a path that is illegal on this system.
    return undefined;
  }
}

/** The path from the project's folder, or an absolute one; undefined for a path that leads up from the map, or a URL that names no path. */
function projectPath(raw: string): string | undefined {
  const [, rest] = /^[a-z][a-z0-9+.-]+:\/\/[^/]*\/(.*)$/is.exec(raw) ?? [];
  const path = rest ?? (isAbsolute(raw) || !/^(?:\.\.[/\\]|[a-z][a-z0-9+.-]+:)/i.test(raw) ? raw : undefined);
  // Bundlers distinguish the parts of one source by a query (`App.vue?1a2b`).
  if (path === undefined) return undefined;
  const query = path.indexOf('?', path.lastIndexOf('/') + 1);
  return query < 0 ? path : path.slice(0, query);
}

/** The path itself when it is a regular file in the workspace; links out of the workspace do not count. */
async function existingFile(path: string, root: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return isWithin(root, real) && (await stat(real)).isFile() ? path : undefined;
  } catch {
    // The file does not exist, or its name is illegal on this system.
    return undefined;
  }
}
