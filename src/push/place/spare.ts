import { dirname } from 'node:path/posix';
import pLimit from 'p-limit';
import { EventLoop } from '../../base/eventLoop';
import type { PackedFile } from '../../archive/knownFile';
import { type Archive, zipOfFiles } from '../../archive/packer';
import { ServiceError } from '../../service/serviceErrors';
import type { FileInfo } from '../../service/model';
import type { PlacedFiles } from '../prepare/changes';
import type { Spare } from './browserMachines';
import { discardUpload, removeUnfinished, type Placement, type StagedFolder, stagedAt } from './place';

/** What makes a spare the next build. Paths are relative to it. */
interface SpareChanges {
  /** New and changed files. */
  sent: PackedFile[];
  removedFiles: string[];
  /** Folders of which no file is left; without their subfolders. */
  removedFolders: string[];
}

/** Archives up to this size are sent whole, in bytes: there is little to save. */
const SMALL_ARCHIVE_BYTES = 64 * 1024;

/** More deletions than these take longer than sending all. */
const MOST_DELETIONS = 32;

/** So many folders are always listed. */
const FEW_FOLDERS = 64;

/** On this machine, listing a folder takes about as long as unpacking so many files. */
const FILES_PER_FOLDER = 8;

/**
 * Elsewhere, it takes as long as sending so many bytes: reckoned for 16 Mbit/s and ten requests together, which take 0.15 s. On faster networks the
 * archive would be there sooner, by less than 2 s for so many folders.
 */
const BYTES_PER_FOLDER = 32 * 1024;
const MOST_FOLDERS_ELSEWHERE = 128;

/** Requests for one spare at the same time. */
const PARALLEL_REQUESTS = 10;

/** Chromium writes a folder of this name into the extension's (C-FILES-RULESETS). */
const CHROMIUMS_FOLDER = '_metadata';

/** Whether it is worth keeping the build before `archive` as a spare. */
export function isWorthSpare({ zipBytes }: Pick<Archive, 'zipBytes'>): boolean {
  return zipBytes > SMALL_ARCHIVE_BYTES;
}

/** The files of an archive, as they are in a folder that it was unpacked into. */
export function placedFiles({ packed }: Pick<Archive, 'packed'>): PlacedFiles {
  return new Map(packed.map(({ entry, digest, size }) => [entry.name, { digest, size }]));
}

/**
 * What makes a spare with these files the build in `archive`; undefined where the whole archive is better: it is small, has many folders or little in
 * common with the spare, a file has become a folder or a folder a file, or a name differs by its case alone.
 */
export function changesOf(
  files: PlacedFiles,
  archive: Pick<Archive, 'packed' | 'zipBytes'>,
  { isLocal }: { isLocal: boolean },
): SpareChanges | undefined {
  if (!isWorthSpare(archive)) return undefined;
  const next = placedFiles(archive);
  const [foldersBefore, folders] = [foldersOf(files), foldersOf(next)];
  const most = mostFolders(archive, isLocal);
  if (folders.size > most || foldersBefore.size > most) return undefined;
  if ([...next.keys()].some((path) => foldersBefore.has(path))) return undefined;
  if ([...files.keys()].some((path) => folders.has(path))) return undefined;
  const sent = archive.packed.filter(({ entry, digest }) => files.get(entry.name)?.digest !== digest);
  const kept = archive.packed.length - sent.length;
  if (kept === 0) return undefined;
  const isGone = (folder: string): boolean => foldersBefore.has(folder) && !folders.has(folder);
  const removedFolders = [...foldersBefore].filter((folder) => isGone(folder) && !isGone(dirname(folder))).sort();
  const removedFiles = [...files.keys()].filter((path) => !next.has(path) && !isGone(dirname(path))).sort();
  if (removedFolders.length + removedFiles.length > MOST_DELETIONS) return undefined;
  // On a disk that takes both for the same, the deletion of the one would delete the other.
  const names = new Set([...next.keys(), ...folders].map(folded));
  if ([...removedFolders, ...removedFiles].some((path) => names.has(folded(path)))) return undefined;
  return { sent, removedFiles, removedFolders };
}

/** A path as disks compare it that ignore case. */
function folded(path: string): string {
  return path.normalize().toLowerCase();
}

/** How many folders are listed in about the time in which the whole archive is brought. */
function mostFolders({ packed, zipBytes }: Pick<Archive, 'packed' | 'zipBytes'>, isLocal: boolean): number {
  const worth = isLocal
    ? packed.length / FILES_PER_FOLDER
    : Math.min(zipBytes / BYTES_PER_FOLDER, MOST_FOLDERS_ELSEWHERE);
  return Math.max(FEW_FOLDERS, worth);
}

/**
 * Makes a spare the build in `archive`: sends what differs and deletes what is no longer there, and meanwhile lists the spare, to
 * make sure that the rest is what it is thought to be. Undefined, and the spare is gone, when it is not, or when something fails that
 * sending the whole archive may still do. `signal` discards the spare.
 */
export async function stageOnSpare(
  placement: Placement,
  spare: Spare,
  changes: SpareChanges,
  signal: AbortSignal,
): Promise<StagedFolder | undefined> {
  const {
    to: { service, browser, log },
    progress,
  } = placement;
  const id = browser.id;
  const staged = stagedAt(placement, spare.path);
  const limit = pLimit(PARALLEL_REQUESTS);
  try {
    const zip = await zipOfFiles(changes.sent);
    progress?.begin(zip.length, { restarts: false });
    const upload =
      changes.sent.length === 0 ? undefined : service.uploadZip(id, zip, spare.path, signal, progress?.sent);
    const [isKnown] = await settled([
      holdsRest(placement, spare, changes, limit, signal),
      upload,
      ...changes.removedFiles.map((path) => limit(() => service.deleteFile(id, `${spare.path}/${path}`, signal))),
      ...changes.removedFolders.map((path) =>
        limit(() => service.deleteDirectory(id, `${spare.path}/${path}`, signal)),
      ),
    ]);
    if (isKnown) {
      removeUnfinished(placement);
      return staged;
    }
    log.info('The spare folder on the browser has changed, so the whole extension is sent.');
  } catch (error) {
    await discardUpload(placement, spare.path);
    if (signal.aborted || !(error instanceof ServiceError)) throw error;
    log.info(`The spare folder on the browser cannot be used, so the whole extension is sent: ${String(error)}`);
    return undefined;
  }
  await staged.discard();
  return undefined;
}

/** As `Promise.all`, but does not reject while something is still under way. */
async function settled<T extends readonly unknown[]>(
  all: [...T],
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}

/** Whether the spare holds what does not change, and nothing that should not be there. What Chromium has written is deleted. */
async function holdsRest(
  { to: { service, browser } }: Placement,
  { path, files }: Spare,
  { sent, removedFiles, removedFolders }: SpareChanges,
  limit: ReturnType<typeof pLimit>,
  signal: AbortSignal,
): Promise<boolean> {
  const eventLoop = new EventLoop();
  const removed = new Set([...removedFiles, ...removedFolders]);
  const isRemoved = (path: string): boolean => path !== '.' && (removed.has(path) || isRemoved(dirname(path)));
  const written = new Set(sent.map(({ entry }) => entry.name));
  const kept: PlacedFiles = new Map(
    [...files].filter(([path]) => !written.has(path) && (removed.size === 0 || !isRemoved(path))),
  );
  // Whatever is not kept may or may not be there yet, or any more.
  const passing = new Set([...written, ...foldersOf(files), ...[...written].flatMap(parentsOf)]);
  const mayBeThere = (path: string): boolean => files.has(path) || passing.has(path);
  const folders = ['.', ...foldersOf(kept)];
  const found = new Map<string, FileInfo>();
  await Promise.all(
    folders.map((folder) =>
      limit(async () => {
        const [place, start] = folder === '.' ? [path, ''] : [`${path}/${folder}`, `${folder}/`];
        for (const entry of await service.listFiles(browser.id, place, signal)) {
          if (eventLoop.isDue) await eventLoop.yield();
          found.set(start + entry.name, entry);
        }
      }),
    ),
  );
  for (const [path, { size }] of kept) {
    if (eventLoop.isDue) await eventLoop.yield();
    const entry = found.get(path);
    if (!entry || entry.isFolder || entry.sizeBytes !== size) return false;
  }
  if (found.delete(CHROMIUMS_FOLDER) && !mayBeThere(CHROMIUMS_FOLDER)) {
    await service.deleteDirectory(browser.id, `${path}/${CHROMIUMS_FOLDER}`, signal);
  }
  return [...found.keys()].every(mayBeThere);
}

/** All folders that files are in, at any depth, without the uppermost one. */
function foldersOf(files: PlacedFiles): Set<string> {
  const folders = new Set<string>();
  for (const path of files.keys()) {
    for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}

function parentsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}
