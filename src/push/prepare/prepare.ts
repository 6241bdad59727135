import { unusableGlobs } from '../../archive/choice';
import { TooLargeError } from '../../archive/archiveLimits';
import { type Archive, levelFor, replaceFile } from '../../archive/packer';
import type { FolderPackers } from '../../archive/packers';
import { secretsOf, type Selection } from '../../archive/selection';
import type { Dependencies } from '../../manifest/check';
import { MANIFEST_FILE } from '../../manifest/load';
import type { Manifest } from '../../manifest/manifest';
import { STANDARD_JSON_RULE } from '../../manifest/rules/standardJson';
import { hasChecked, unpacked } from './checkedFiles';
import { checkInThread } from './checkThread';
import type { LocalhostScan, LocalhostUse } from './developmentBuild';
import type { PushStep, Refusal } from '../outcome';

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
    const prepared = await checkAndPack(request, signal);
    return 'kind' in prepared ? prepared : { folder: request.folder, ...prepared, started };
  } catch (error) {
    if (signal?.aborted) return { kind: 'cancelled' };
    if (error instanceof TooLargeError) return { kind: 'tooLarge', message: error.message };
    throw error;
  }
}

/** A manifest without errors. */
interface Checked extends Dependencies {
  manifest: Manifest;
  /** Whether the file is JSON as any parser reads it; Chromium accepts more. */
  isStandardJson: boolean;
}

/** Files that are packed, and what is left out. */
interface Packed {
  archive: Archive;
  selection: Selection;
}

/**
 * What is packed is what is sent, so it is what has to be checked. The folder is checked while it is packed, since both take their time, and
 * that check counts when it has found the files that are packed. Otherwise, as after a save in between, the archive itself is checked.
 */
async function checkAndPack(
  request: PrepareRequest,
  signal: AbortSignal | undefined,
): Promise<Pick<Prepared, 'manifest' | 'archive' | 'secrets'> | Refusal> {
  const ignored = unusableGlobs(request);
  if (ignored.length > 0) request.onStep({ step: 'ignoredGlobs', globs: ignored });
  const needless = new AbortController();
  try {
    const { folder } = request.packers.source(request.folder);
    const checking = folder === undefined ? Promise.resolve(undefined) : check(request, undefined, signal);
    // A folder with errors is packed for nothing, seldom to the end.
    const packing = pack(request, checking, signal ? AbortSignal.any([signal, needless.signal]) : needless.signal);
    packing.catch(() => undefined);
    const early = await checking;
    if (early && 'kind' in early) return early;
    const packed = await packing;
    if ('kind' in packed) return packed;
    const { archive, selection } = packed;
    const isChecked = early && hasChecked(early, archive.packed, selection);
    const checked = isChecked ? early : await check(request, archive.bytes, signal);
    if ('kind' in checked) return checked;
    const refusal = refuseLeftOut(checked, selection);
    if (refusal) return refusal;
    const uses = await scan(request, archive);
    if (uses.some(({ what }) => what === 'code')) return { kind: 'needsLocalhost', uses };
    const sent = await withStandardJson(archive, checked);
    return { manifest: checked.manifest, archive: sent, secrets: secretsOf(selection) };
  } finally {
    needless.abort();
  }
}

/** The archive with its manifest as standard JSON: services may read it with another parser than Chromium's. The user's file stays. */
async function withStandardJson(archive: Archive, { manifest, isStandardJson }: Checked): Promise<Archive> {
  if (isStandardJson) return archive;
  return await replaceFile(archive, MANIFEST_FILE, Buffer.from(JSON.stringify(manifest.raw, undefined, 2), 'utf8'));
}

/** Checks the folder, or, in place of its files, those of a zip. */
async function check(
  { folder, exclude, include, storeHints = false, onStep }: PrepareRequest,
  zip: Archive['bytes'] | undefined,
  signal: AbortSignal | undefined,
): Promise<Checked | Refusal> {
  onStep({ step: 'checking' });
  const started = performance.now();
  const job = { folder, exclude, include, storeHints, ...(zip && { zip }) };
  const { findings, manifest, ...rest } = await checkInThread(job, signal);
  onStep({ step: 'checked', findings, ms: performance.now() - started });
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  if (hasErrors || !manifest) return { kind: 'refusedByCheck', findings };
  return { ...rest, manifest, isStandardJson: findings.every(({ rule }) => rule !== STANDARD_JSON_RULE) };
}

/**
 * Packs the folder. It reports that, and resolves, only once the folder is checked, to a refusal when files that its manifest names are not
 * packed.
 */
async function pack(
  { folder, exclude, include, isLocal, packers, onStep }: PrepareRequest,
  checking: Promise<Checked | Refusal | undefined>,
  signal: AbortSignal,
): Promise<Packed | Refusal> {
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
  if (checked && 'kind' in checked) return checked;
  isChecked = true;
  const refusal = checked && refuseLeftOut(checked, selection);
  if (refusal) return refusal;
  onProgress(0, selection.files.length);
  const archive = await packing;
  const secrets = secretsOf(selection);
  const { files: count, bytes } = archive;
  onStep({ step: 'packed', files: count, bytes: bytes.length, ms: performance.now() - started, secrets });
  return { archive, selection };
}

/** The refusal of a folder whose manifest names files that exist, but are not packed. */
function refuseLeftOut({ manifest }: Checked, selection: Selection): Refusal | undefined {
  const files = unpacked([MANIFEST_FILE, ...manifest.files], selection);
  return files.length > 0 ? { kind: 'leftOut', files } : undefined;
}

/** Where the build connects to this machine, when the browsers are remote. */
async function scan({ isLocal, localhostScan, onStep }: PrepareRequest, { packed }: Archive): Promise<LocalhostUse[]> {
  if (isLocal) return [];
  const uses = await localhostScan.find(packed);
  const connections = uses.filter(({ what }) => what === 'connection');
  if (connections.length > 0) onStep({ step: 'foundConnections', uses: connections });
  return uses;
}
