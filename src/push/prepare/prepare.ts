import { unusableGlobs } from '../../archive/choice';
import { TooLargeError } from '../../archive/archiveLimits';
import { type Archive, levelFor, replaceFiles } from '../../archive/packer';
import type { FolderPackers } from '../../archive/packers';
import { secretsOf, type Selection } from '../../archive/selection';
import type { CheckResult, Dependencies } from '../../manifest/check';
import { MANIFEST_FILE } from '../../manifest/load';
import type { Manifest } from '../../manifest/manifest';
import { STANDARD_JSON_RULE } from '../../manifest/rules/standardJson';
import type { Browser } from '../../service/model';
import { foundFiles, hasChecked, unpacked } from './checkedFiles';
import { checkInThread } from './checkThread';
import type { LocalhostScan } from './localhostScan';
import type { FolderCheck } from './folderCheck';
import type { LocalhostAccess, LocalhostGrant, LocalhostUse } from '../localhost';
import type { PushStep, Refusal } from '../outcome';
import { isObject } from '../../base/fields';
import pLimit from 'p-limit';
import { DEFLATE_LEVEL } from '../../archive/compress';
import { contentOf } from '../../archive/zip';

/** What an order says of the folder that is checked and packed. */
export interface PrepareOrder extends Pick<FolderCheck, 'folder' | 'exclude' | 'include' | 'storeHints'> {
  /** Whether the browsers run on this machine, as far as the address of the service tells. */
  isLocal: boolean;
  browsers: readonly Browser[];
  /** Asked where a build connects to servers of this machine, of browsers that may not reach them by themselves. */
  localhost?: LocalhostAccess;
  /** The `key` that its manifest gets when it has none, in base64, so that it has the id of this key. */
  key?: string;
  /** A check of the folder that was made with the same settings; it counts as long as the files are still those that it has found. */
  checked?: CheckResult;
  /** Called with each step; `browsers` are those that it concerns: all of them while the folder is prepared. */
  onStep: (step: PushStep, browsers: readonly Browser[]) => void;
}

/** What is remembered between pushes to check and pack only what has changed. */
export interface PrepareContext {
  /** Compressed files. */
  packers: FolderPackers;
  /** What was found in unchanged files. */
  localhostScan: LocalhostScan;
}

/** A checked and packed folder, good for any number of browsers. */
export interface Prepared {
  folder: string;
  manifest: Manifest;
  archive: Archive;
  /** Paths of files that were left out because they look like secrets. */
  secrets: readonly string[];
  /** When preparing began, by `performance.now()`, later by the time for which a question waited. */
  started: number;
  /** The servers of this machine that it is to reach, where it connects to some. */
  localhost?: LocalhostGrant;
}

/**
 * Checks a folder and packs it. A folder with errors is a refusal; a disk error rejects, and its message says what to do.
 */
export async function prepare(
  order: PrepareOrder,
  context: PrepareContext,
  signal?: AbortSignal,
): Promise<Prepared | Refusal> {
  const started = performance.now();
  try {
    const prepared = await checkAndPack(order, context, signal);
    if ('kind' in prepared) return prepared;
    const { askedMs, ...rest } = prepared;
    return { folder: order.folder, ...rest, started: started + askedMs };
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

/**
 * What is packed is what is sent, so it is what has to be checked. The folder is checked while it is packed, since both take their time, and
 * that check counts when it has found the files that are packed. Otherwise, as after a save in between, the archive itself is checked.
 */
async function checkAndPack(
  order: PrepareOrder,
  { packers, localhostScan }: PrepareContext,
  signal: AbortSignal | undefined,
): Promise<(Omit<Prepared, 'folder' | 'started'> & { askedMs: number }) | Refusal> {
  const ignored = unusableGlobs(order);
  if (ignored.length > 0) tell(order, { step: 'ignoredGlobs', globs: ignored });
  const needless = new AbortController();
  try {
    const source = packers.source(order.folder);
    // A folder with errors is packed for nothing, seldom to the end.
    const until = signal ? AbortSignal.any([signal, needless.signal]) : needless.signal;
    const { exclude, include } = order;
    const { isListed } = source;
    const listing = source.list({ exclude, include, signal: until });
    listing.catch(() => undefined);
    const checking =
      source.folder === undefined
        ? Promise.resolve(undefined)
        : checkFolder(order, isListed ? listing : undefined, signal);
    const packing = pack(order, packers, { listing, checking }, until);
    packing.catch(() => undefined);
    const early = await checking;
    if (early && 'kind' in early) return early;
    const packed = await packing;
    if ('kind' in packed) return packed;
    const { archive, selection } = packed;
    const isChecked = early && hasChecked(early, archive.packed);
    const checked = isChecked ? early : await check(order, { zip: await archive.zip() }, signal);
    if ('kind' in checked) return (early && (await refuseLacking(early, selection, order, signal))) ?? checked;
    const refusal = refuseWithout(namedFiles(checked), selection);
    if (refusal) return refusal;
    const access = await localhostOf(order, await scan(order, localhostScan, archive));
    if ('kind' in access) return access;
    const { grant, askedMs } = access;
    const manifest = withKey(checked.manifest, order.key);
    const isAsWritten = checked.isStandardJson && manifest === checked.manifest;
    const standard = isAsWritten ? archive : await withManifest(archive, manifest);
    const sent = grant ? await withCarriedSockets(order, standard, grant) : standard;
    const secrets = secretsOf(selection);
    return { manifest, archive: sent, secrets, askedMs, ...(grant && { localhost: grant }) };
  } finally {
    needless.abort();
  }
}

/**
 * The archive with this manifest as standard JSON: services may read it with another parser than Chromium's. The user's file stays.
 */
async function withManifest(archive: Archive, { raw }: Manifest): Promise<Archive> {
  const text = JSON.stringify(raw, undefined, 2);
  return await replaceFiles(archive, new Map([[MANIFEST_FILE, Buffer.from(text, 'utf8')]]));
}

/** The manifest with this key, when it has none. */
function withKey(manifest: Manifest, key: string | undefined): Manifest {
  const { raw } = manifest;
  return key === undefined || !isObject(raw) || 'key' in raw ? manifest : { ...manifest, raw: { ...raw, key } };
}

/** Checks the folder, with what a list of its files says that is there at once. */
async function checkFolder(
  order: PrepareOrder,
  listing: Promise<Selection> | undefined,
  signal: AbortSignal | undefined,
): Promise<Checked | Refusal> {
  const selection = await listing?.catch(() => undefined);
  const listed = selection && { bytes: selection.totalBytes, secrets: secretsOf(selection) };
  return await check(order, listed ? { listed } : {}, signal);
}

/** Checks the folder, unless that was done, or, in place of its files, those of a zip. */
async function check(
  order: PrepareOrder,
  files: Pick<FolderCheck, 'zip' | 'listed'>,
  signal: AbortSignal | undefined,
): Promise<Checked | Refusal> {
  tell(order, { step: 'checking' });
  const started = performance.now();
  const { folder, exclude, include, storeHints = false } = order;
  const job = { folder, exclude, include, storeHints, ...files };
  const known = files.zip ? undefined : order.checked;
  const { findings, manifest, ...rest } = known ?? (await checkInThread(job, signal));
  tell(order, { step: 'checked', findings, ms: performance.now() - started });
  const hasErrors = findings.some(({ severity }) => severity === 'error');
  if (hasErrors || !manifest) return { kind: 'refusedByCheck', findings };
  return { ...rest, manifest, isStandardJson: findings.every(({ rule }) => rule !== STANDARD_JSON_RULE) };
}

/**
 * Packs the folder. It reports that, and resolves, only once the folder is checked, to a refusal when files that its manifest names are not
 * packed.
 */
async function pack(
  order: PrepareOrder,
  packers: FolderPackers,
  { listing, checking }: { listing: Promise<Selection>; checking: Promise<Checked | Refusal | undefined> },
  signal: AbortSignal,
): Promise<{ archive: Archive; selection: Selection } | Refusal> {
  const started = performance.now();
  const { folder, isLocal } = order;
  const selection = await listing;
  let isChecked = false;
  const onProgress = (done: number, total: number): void => {
    if (isChecked) tell(order, { step: 'packing', done, total });
  };
  const level = levelFor(isLocal, selection.totalBytes);
  const packing = packers.of(folder).pack(selection.files, { signal, onProgress, level });
  packing.catch(() => undefined);
  const checked = await checking;
  if (checked && 'kind' in checked) return checked;
  isChecked = true;
  const refusal = checked && refuseWithout(namedFiles(checked), selection);
  if (refusal) return refusal;
  onProgress(0, selection.files.length);
  const archive = await packing;
  const secrets = secretsOf(selection);
  const { files: count, zipBytes: bytes } = archive;
  tell(order, { step: 'packed', files: count, bytes, ms: performance.now() - started, secrets });
  return { archive, selection };
}

/** The manifest, and the files that it names. */
function namedFiles({ manifest }: Checked): string[] {
  return [MANIFEST_FILE, ...manifest.files];
}

/** The refusal of an archive without those of the files at these paths that exist. */
function refuseWithout(paths: readonly string[], selection: Selection): Refusal | undefined {
  const files = unpacked(paths, selection);
  return files.length > 0 ? { kind: 'leftOut', files } : undefined;
}

/**
 * The refusal of an archive that has errors which its folder, when it was checked `early`, had not; undefined where the archive lacks nothing that
 * was found there. A save in between may have brought the errors, so the folder is checked as it is now: what it has and the archive lacks is
 * the cause only where it has none.
 */
async function refuseLacking(
  early: Checked,
  selection: Selection,
  { checked: _before, ...order }: PrepareOrder,
  signal: AbortSignal | undefined,
): Promise<Refusal | undefined> {
  if (!refuseWithout(foundFiles(early), selection)) return undefined;
  const now = await check(order, {}, signal);
  return 'kind' in now ? now : refuseWithout(foundFiles(now), selection);
}

/** Where the build connects to this machine, when the browsers may be elsewhere. */
async function scan(order: PrepareOrder, localhostScan: LocalhostScan, { packed }: Archive): Promise<LocalhostUse[]> {
  return order.isLocal && !order.localhost ? [] : await localhostScan.find(packed);
}

/** What a build that connects to this machine is granted, and for how long that was asked; a refusal where it cannot run without. */
async function localhostOf(
  order: PrepareOrder,
  uses: readonly LocalhostUse[],
): Promise<{ grant?: LocalhostGrant; askedMs: number } | Refusal> {
  if (uses.length === 0) return { askedMs: 0 };
  const asked = performance.now();
  const grant = await order.localhost?.grantFor(uses, order.browsers);
  if (grant && grant !== 'declined') return { grant, askedMs: performance.now() - asked };
  // A service behind an address of this machine may have its browsers here, too.
  const isOut = grant === 'declined' || !order.isLocal;
  if (isOut && uses.some(({ what }) => what === 'code')) return { kind: 'needsLocalhost', uses };
  if (!order.isLocal) tell(order, { step: 'foundConnections', uses });
  return { askedMs: performance.now() - asked };
}

async function withCarriedSockets(order: PrepareOrder, archive: Archive, grant: LocalhostGrant): Promise<Archive> {
  const carried = await withSockets(archive, grant);
  if (carried.changed.length > 0) tell(order, { step: 'carriedSockets', files: carried.changed });
  return carried.archive;
}

function tell({ onStep, browsers }: PrepareOrder, step: PushStep): void {
  onStep(step, browsers);
}

/** Files that are read at the same time. */
const PARALLEL_FILES = 8;

const SCRIPT = /\.m?js$/i;

/**
 * The archive with its scripts changed so that their websockets reach servers of this machine; the user's own files stay. Resolves to the paths
 * of those that were changed, too.
 */
async function withSockets(
  archive: Archive,
  grant: LocalhostGrant,
): Promise<{ archive: Archive; changed: readonly string[] }> {
  const scripts = archive.packed.filter(({ entry }) => SCRIPT.test(entry.name));
  const changed = new Map<string, Uint8Array>();
  await pLimit(PARALLEL_FILES).map(scripts, async ({ entry }) => {
    const script = Buffer.from(await contentOf(entry)).toString('utf8');
    const carried = grant.withSockets(script);
    if (carried !== script) changed.set(entry.name, Buffer.from(carried, 'utf8'));
  });
  return { archive: await replaceFiles(archive, changed, DEFLATE_LEVEL), changed: [...changed.keys()].sort() };
}
