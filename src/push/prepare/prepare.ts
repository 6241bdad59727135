import * as l10n from '@vscode/l10n';
import { unusableGlobs } from '../../archive/choice';
import { ArchiveError } from '../../archive/error';
import { TooLargeError } from '../../archive/archiveLimits';
import { type Archive, levelFor, replaceFile } from '../../archive/packer';
import type { FolderPackers } from '../../archive/packers';
import { type LeftOut, secretsOf, type Selection } from '../../archive/selection';
import { MANIFEST_FILE } from '../../manifest/load';
import type { Manifest } from '../../manifest/manifest';
import { STANDARD_JSON_RULE } from '../../manifest/rules/standardJson';
import { checkInThread } from './checkThread';
import type { LocalhostScan, LocalhostUse } from './developmentBuild';
import type { PushStep, Refusal } from '../outcome';

/** How many times a folder is checked and packed because its manifest was saved meanwhile. */
const MAX_ATTEMPTS = 3;

/** Which folder is checked and packed, and how. */
export interface PrepareRequest {
  /** Absolute path of the folder that holds `manifest.json`. */
  folder: string;
  exclude: readonly string[];
  include: readonly string[];
  /** Whether findings hint at what the Chrome Web Store refuses; hints never stop a push. */
  storeHints?: boolean;
  /** Whether the browsers run on this machine. */
  isLocal: boolean;
  /** Keeps compressed files between pushes, so that a push packs only what has changed. */
  packers: FolderPackers;
  /** Keeps what was found in unchanged files between pushes. */
  localhostScan: LocalhostScan;
  onStep: (step: PushStep) => void;
}

/** A checked and packed folder, good for any number of browsers. */
export interface Prepared {
  folder: string;
  manifest: Manifest;
  archive: Archive;
  /** Paths of files that were left out because they look like secrets. */
  secrets: readonly string[];
  /** When preparing began, by `performance.now()`. */
  started: number;
}

/**
 * Checks a folder and packs it. A folder with errors is a refusal; a disk error rejects, and its message says what to do.
 */
export async function prepare(request: PrepareRequest, signal?: AbortSignal): Promise<Prepared | Refusal> {
  const started = performance.now();
  try {
    const checked = await checkAndPack(request, signal);
    if ('outcome' in checked) return checked;
    const { manifest, archive, secrets } = checked;
    const uses = await scan(request, archive);
    if (uses.some(({ what }) => what === 'code')) return { outcome: 'needsLocalhost', uses };
    return { folder: request.folder, manifest, archive, secrets, started };
  } catch (error) {
    if (signal?.aborted) return { outcome: 'cancelled' };
    if (error instanceof TooLargeError) return { outcome: 'tooLarge', message: error.message };
    throw error;
  }
}

/** A manifest without errors, and the SHA-256 of its file. */
interface Checked {
  manifest: Manifest;
  manifestDigest: string | undefined;
  /** Whether the file is JSON as any parser reads it; Chromium accepts more. */
  isStandardJson: boolean;
}

/** Checks and packs until the packed manifest is the checked one: it may be saved in between. */
async function checkAndPack(
  request: PrepareRequest,
  signal: AbortSignal | undefined,
): Promise<Pick<Prepared, 'manifest' | 'archive' | 'secrets'> | Refusal> {
  const ignored = unusableGlobs(request);
  if (ignored.length > 0) request.onStep({ step: 'ignoredGlobs', globs: ignored });
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const needless = new AbortController();
    const either = signal ? AbortSignal.any([signal, needless.signal]) : needless.signal;
    const checking = check(request, signal);
    // Both read the folder, so they do it at the same time; a folder with errors is packed for nothing, seldom to the end.
    const packing = pack(request, checking, either);
    packing.catch(() => undefined);
    const checked = await checking;
    if ('outcome' in checked) {
      needless.abort();
      return checked;
    }
    const packed = await packing;
    if ('outcome' in packed) {
      needless.abort();
      return packed;
    }
    const { manifest, manifestDigest } = checked;
    if (packed.archive.digests.get(MANIFEST_FILE) !== manifestDigest) continue;
    return { manifest, ...packed, archive: await withStandardJson(packed.archive, checked) };
  }
  throw new ArchiveError(
    'changed',
    MANIFEST_FILE,
    l10n.t('{0} keeps changing while it is being checked. Push again when the build has finished.', MANIFEST_FILE),
  );
}

/** The archive with its manifest as standard JSON: services may read it with another parser than Chromium's. The user's file stays. */
async function withStandardJson(archive: Archive, { manifest, isStandardJson }: Checked): Promise<Archive> {
  if (isStandardJson) return archive;
  return await replaceFile(archive, MANIFEST_FILE, Buffer.from(JSON.stringify(manifest.raw, undefined, 2), 'utf8'));
}

async function check(
  { folder, exclude, include, storeHints = false, onStep }: PrepareRequest,
  signal: AbortSignal | undefined,
): Promise<Checked | Refusal> {
  onStep({ step: 'checking' });
  const started = performance.now();
  const { findings, manifest, manifestDigest } = await checkInThread({ folder, exclude, include, storeHints }, signal);
  onStep({ step: 'checked', findings, ms: performance.now() - started });
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  if (hasErrors || !manifest) return { outcome: 'refusedByCheck', findings };
  return { manifest, manifestDigest, isStandardJson: findings.every(({ rule }) => rule !== STANDARD_JSON_RULE) };
}

/**
 * Packs the folder. It reports that, and resolves, only once the folder is checked, to a refusal when files that its manifest names are not
 * packed.
 */
async function pack(
  { folder, exclude, include, isLocal, packers, onStep }: PrepareRequest,
  checking: Promise<Checked | Refusal>,
  signal: AbortSignal,
): Promise<Pick<Prepared, 'archive' | 'secrets'> | Refusal> {
  const started = performance.now();
  const selection = await packers.source(folder).list({ exclude, include, signal });
  let isChecked = false;
  const onProgress = (done: number, total: number): void => {
    if (isChecked) onStep({ step: 'packing', done, total });
  };
  const level = levelFor(isLocal, selection.totalBytes);
  const packing = packers.of(folder).pack(selection.files, { signal, onProgress, level });
  packing.catch(() => undefined);
  const checked = await checking;
  if ('outcome' in checked) return checked;
  isChecked = true;
  const files = missing([MANIFEST_FILE, ...checked.manifest.files], selection);
  if (files.length > 0) return { outcome: 'leftOut', files };
  onProgress(0, selection.files.length);
  const archive = await packing;
  const secrets = secretsOf(selection);
  const { files: count, bytes } = archive;
  onStep({ step: 'packed', files: count, bytes: bytes.length, ms: performance.now() - started, secrets });
  return { archive, secrets };
}

/** Where the build connects to this machine, when the browsers are remote. */
async function scan(
  { folder, isLocal, localhostScan, onStep }: PrepareRequest,
  { digests }: Archive,
): Promise<LocalhostUse[]> {
  if (isLocal) return [];
  const uses = await localhostScan.find(folder, digests);
  const connections = uses.filter(({ what }) => what === 'connection');
  if (connections.length > 0) onStep({ step: 'foundConnections', uses: connections });
  return uses;
}

/** Files that the manifest names and that exist, but that are not packed, each with the reason. */
function missing(needed: readonly string[], { files, leftOut }: Selection): LeftOut[] {
  const packed = new Set(files.map(({ path }) => path));
  const reasons = new Map(leftOut.map(({ path, reason }) => [path, reason]));
  return needed
    .filter((path) => !packed.has(path))
    .flatMap((path) => {
      const [reason] = [...withParents(path)].flatMap((parent) => reasons.get(parent) ?? []);
      return reason === undefined ? [] : [{ path, reason }];
    });
}

function* withParents(path: string): Generator<string> {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}
