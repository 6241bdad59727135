import * as l10n from '@vscode/l10n';
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { holdsExtension } from '../archive/locate';
import { UnpackError, unpackArchive } from '../archive/unpackArchive';
import { sizeText } from '../base/units';
import { chromium } from '../manifest/tables/keys.json';
import { idOfKey } from '../manifest/values/extensionId';
import { ServiceError } from '../service/serviceErrors';
import { type CrxContent, crxContent } from './crxFile';
import { checkOut } from './gitVersion';
import { downloadAddress, downloadPublished, publishedId, storeAddress } from './storeDownload';

/** A larger file is not read, in bytes: no service takes larger archives. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Where the old version of an update test comes from: a folder or a file by its path; a build that was pushed, by the path of its zip and what people
 * call it; a tag or commit; what a service or a store has.
 */
export type OldVersionName =
  | { from: 'folder'; path: string }
  | { from: 'file'; path: string }
  | { from: 'build'; path: string; label: string }
  | { from: 'git'; revision: string }
  | { from: 'stored'; idOrName: string }
  | { from: 'published'; id: string };

/** An old version on disk. Dispose of it. */
export interface OldVersion {
  /** The folder with its manifest, absolute. */
  folder: string;
  /** Where it comes from, for people. */
  origin: string;
  /** Whether it is a package as people have it, of which nothing is left out. */
  isPackage: boolean;
  /** The key of its id, in base64, where the package says one that its manifest need not have. */
  key?: string;
  /** Removes what was made for it. Never rejects. */
  dispose: () => Promise<void>;
}

/** What an old version is got with. */
export interface OldVersionWiring {
  /** The service in use. */
  service: {
    downloadExtension: (idOrName: string, signal?: AbortSignal) => Promise<Uint8Array>;
    downloadPublished: (address: string, signal?: AbortSignal) => Promise<Uint8Array>;
  };
  /** Whether a published version may be downloaded from an address by this program, where the service does not do it. */
  mayDownload: (address: string) => Promise<boolean>;
  /** Called when a tag or commit is found, before it is checked out and built, which may take seconds. */
  onFound?: () => void;
  /** Another server in place of {@link UPDATE_SERVER}. */
  updateServer?: string;
}

/** How the words begin that say explicitly what they name. */
const PREFIX = /^(folder|file|git|stored|published):(.+)$/s;

/**
 * What the words of a command line name: what a prefix such as `git:` says; else a folder or file that exists, below `cwd` or absolute; the id or
 * the store's address of a published extension; a tag or commit. Undefined for a published extension that is none.
 */
export async function oldVersionNamed(text: string, cwd: string): Promise<OldVersionName | undefined> {
  const [, kind, rest = ''] = PREFIX.exec(text) ?? [];
  switch (kind) {
    case 'folder':
    case 'file':
      return { from: kind, path: resolve(cwd, rest) };
    case 'git':
      return { from: 'git', revision: rest };
    case 'stored':
      return { from: 'stored', idOrName: rest };
    case 'published': {
      const id = publishedId(rest);
      return id === undefined ? undefined : { from: 'published', id };
    }
    default:
      return await unprefixed(text, cwd);
  }
}

/** What words name that do not say it. */
async function unprefixed(text: string, cwd: string): Promise<OldVersionName> {
  const path = resolve(cwd, text);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) return { from: 'folder', path };
  if (stats?.isFile()) return { from: 'file', path };
  const id = publishedId(text);
  return id === undefined ? { from: 'git', revision: text } : { from: 'published', id };
}

/**
 * Gets the old version of the extension in `folder`, which is absolute.
 * @throws Error with a sentence for people, after which nothing is left; the reason of `signal`
 */
export async function getOldVersion(
  name: OldVersionName,
  folder: string,
  wiring: OldVersionWiring,
  signal?: AbortSignal,
): Promise<OldVersion> {
  if (name.from === 'folder') return await ofFolder(name.path);
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'sideload-update-')));
  const dispose = async (): Promise<void> => {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  };
  const target = join(scratch, 'old');
  try {
    if (name.from === 'git') {
      const {
        commit,
        dispose: remove,
        ...found
      } = await checkOut(folder, name.revision, target, signal, wiring.onFound);
      const disposeAll = async (): Promise<void> => {
        await remove().catch(() => undefined);
        await dispose();
      };
      const isCommit = name.revision.length >= commit.length && name.revision.toLowerCase().startsWith(commit);
      const origin = isCommit ? l10n.t('commit {0}', commit) : l10n.t('"{0}", commit {1}', name.revision, commit);
      return { ...found, origin, isPackage: false, dispose: disposeAll };
    }
    const { bytes, origin, id } = await archiveOf(name, wiring, signal);
    const found = await unpacked(bytes, target, origin);
    if (id !== undefined && found.key !== undefined && idOfKey(found.key) !== id) {
      throw new Error(l10n.t('{0} is of the extension {1}, and not of {2}.', origin, idOfKey(found.key), id));
    }
    return { ...found, origin, isPackage: true, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function ofFolder(path: string): Promise<OldVersion> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(l10n.t('There is no folder {0}.', path));
  if (!(await holdsExtension(path))) throw new Error(noExtension(path));
  return { folder: path, origin: path, isPackage: false, dispose: () => Promise.resolve() };
}

/** The bytes of a package, and what it is for people; `id`: the one that it must have. */
async function archiveOf(
  name: Exclude<OldVersionName, { from: 'folder' | 'git' }>,
  wiring: OldVersionWiring,
  signal: AbortSignal | undefined,
): Promise<{ bytes: Uint8Array; origin: string; id?: string }> {
  switch (name.from) {
    case 'file':
      return { bytes: await fileBytes(name.path), origin: basename(name.path) };
    case 'build': {
      const bytes = await fileBytes(name.path).catch(() => undefined);
      if (bytes) return { bytes, origin: l10n.t('the pushed build {0}', name.label) };
      throw new Error(
        l10n.t(
          'The build {0} is no longer kept, since the last builds go with their window. Choose another one.',
          name.label,
        ),
      );
    }
    case 'stored': {
      const bytes = await wiring.service.downloadExtension(name.idOrName, signal).catch(said);
      return { bytes, origin: l10n.t('the stored extension {0}', name.idOrName) };
    }
    case 'published': {
      const origin = l10n.t('the published version of {0}', name.id);
      return { bytes: await publishedBytes(name.id, wiring, signal), origin, id: name.id };
    }
  }
}

async function fileBytes(path: string): Promise<Uint8Array> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) throw new Error(l10n.t('There is no file {0}.', path));
  if (stats.size > MOST_FILE_BYTES) {
    throw new Error(l10n.t('{0} has more than {1}.', basename(path), sizeText(MOST_FILE_BYTES)));
  }
  return await readFile(path);
}

/** By the service where it offers that, else by this program where it may. */
async function publishedBytes(
  id: string,
  { service, mayDownload, updateServer }: OldVersionWiring,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  try {
    return await service.downloadPublished(storeAddress(id), signal);
  } catch (error) {
    // The local service takes the path for that of a stored extension.
    const isMissing = error instanceof ServiceError && (error.kind === 'unsupported' || error.kind === 'notFound');
    if (!isMissing) return said(error);
  }
  const address = downloadAddress(id, chromium, updateServer);
  if (!(await mayDownload(address))) {
    const reason = l10n.t(
      'The published version was not downloaded, because the download from {0} was not allowed. Allow the download (in a terminal: --allow-download), or choose a folder, a zip file or a tag of the old version.',
      address,
    );
    throw new Error(reason);
  }
  return await downloadPublished(address, signal);
}

async function unpacked(bytes: Uint8Array, target: string, origin: string): Promise<{ folder: string; key?: string }> {
  let content: CrxContent;
  try {
    content = crxContent(bytes);
    await unpackArchive(content.zip, target);
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    throw new Error(l10n.t('{0} cannot be unpacked: {1}.', origin, error.message), { cause: error });
  }
  if (!(await holdsExtension(target))) throw new Error(noExtension(origin));
  return { folder: target, ...(content.key !== undefined && { key: content.key }) };
}

function noExtension(place: string): string {
  return l10n.t('{0} has no manifest.json with a "manifest_version".', place);
}

/** Rejects with the sentences of an error of the service. */
function said(error: unknown): never {
  if (error instanceof ServiceError) throw new Error(error.sentences.join(' '), { cause: error });
  throw error;
}
