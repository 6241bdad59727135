import type { LeftOut } from '../../archive/selection';
import { CompressThreads } from '../../archive/compressThreads';
import { FolderSource } from '../../archive/folderSource';
import { MAX_FOLDER_BYTES, TooLargeError } from '../../archive/archiveLimits';
import { ArchiveError } from '../../archive/error';
import { FolderPacker, replaceFiles } from '../../archive/packer';
import type { ChoiceOptions } from '../../archive/choice';
import type { CheckResult } from '../../manifest/check';
import { MANIFEST_FILE } from '../../manifest/load';
import { PAGE_FILES } from '../../manifest/rules/pageFiles';
import { STANDARD_JSON_RULE } from '../../manifest/rules/standardJson';
import { foundFiles, hasChecked, unpacked } from './checkedFiles';
import { checkInThread } from './checkThread';

/** The rule about files that do not belong into a package. */
const PACKAGE_FILES = 'R-STORE-FILES';

/** The best compression: a package is made seldom. */
const LEVEL = 9;

/** A package for a store: the same files give the same bytes, on every machine. */
export interface StorePackage {
  bytes: Uint8Array<ArrayBuffer>;
  /** With their sizes in bytes before they were compressed. */
  files: readonly { path: string; size: number }[];
}

/** What the check for the store says, and the package where it has no errors. */
export interface PackResult {
  findings: CheckResult['findings'];
  uses: NonNullable<CheckResult['uses']>;
  /** Files that a push would send, and that the extension does not need when it runs. */
  leftOut: readonly string[];
  /** Files that the extension needs and that are left out, so that there is no package. */
  missing: readonly LeftOut[];
  package?: StorePackage;
}

/**
 * Checks an extension for a store, and packs what a push would send without what does not belong into a package. The manifest is standard JSON
 * in it. Rejects with an ArchiveError when files cannot be read or change meanwhile, a TooLargeError, or the signal's reason.
 */
export async function packForStore(
  folder: string,
  { exclude = [], include = [] }: ChoiceOptions,
  signal?: AbortSignal,
): Promise<PackResult> {
  const options = { folder, exclude, include, storeHints: true, readsCode: true };
  const checked = await checkInThread(options, signal);
  // Of a folder that does not exist, there are no files to list.
  if (!checked.manifest) return resultOf(checked, [], []);
  const source = new FolderSource(folder);
  const threads = new CompressThreads();
  try {
    const selection = await source.list({ exclude, include, ...(signal && { signal }) });
    const stray = new Set(checked.findings.flatMap(({ rule, file }) => (rule === PACKAGE_FILES ? file : [])));
    const leftOut = selection.files.map(({ path }) => path).filter((path) => stray.has(path));
    const ofPages = checked.findings.flatMap(({ rule, fix }) =>
      rule === PAGE_FILES ? (fix?.setting?.path ?? []) : [],
    );
    const missing = unpacked([MANIFEST_FILE, ...checked.manifest.files, ...new Set(ofPages)], selection);
    const result = resultOf(checked, leftOut, missing);
    if (isRefused(checked) || missing.length > 0) return result;
    const files = selection.files.filter(({ path }) => !stray.has(path));
    const limits = { level: LEVEL, maxBytes: MAX_FOLDER_BYTES, ...(signal && { signal }) };
    const packed = await new FolderPacker(source, threads).pack(files, limits);
    // What was saved in between is checked as it is packed.
    const last = hasChecked(checked, packed.packed)
      ? checked
      : await checkInThread({ ...options, zip: await packed.zip() }, signal);
    if (isRefused(last)) {
      // Where the folder itself has no errors, what is left out of the package is the cause.
      const now = await checkInThread(options, signal);
      if (isRefused(now)) return resultOf(now, leftOut, missing);
      const needed = unpacked(foundFiles(now), selection);
      return resultOf(needed.length > 0 ? now : last, leftOut, needed);
    }
    const isStandard = last.findings.every(({ rule }) => rule !== STANDARD_JSON_RULE);
    const json = Buffer.from(JSON.stringify(last.manifest?.raw, undefined, 2), 'utf8');
    const archive = isStandard ? packed : await replaceFiles(packed, new Map([[MANIFEST_FILE, json]]), LEVEL);
    const listed = archive.packed.map(({ entry, size }) => ({ path: entry.name, size }));
    return { ...resultOf(last, leftOut, missing), package: { bytes: await archive.zip(), files: listed } };
  } finally {
    source.dispose();
    threads.dispose();
  }
}

/** The sentence about files that cannot be packed, of an error of {@link packForStore}. @throws the error, when it is another one */
export function unpackable(error: unknown): string {
  if (error instanceof ArchiveError || error instanceof TooLargeError) return error.message;
  throw error;
}

function isRefused({ findings, manifest }: CheckResult): boolean {
  return !manifest || findings.some(({ severity }) => severity === 'error');
}

function resultOf(
  { findings, uses = [] }: CheckResult,
  leftOut: readonly string[],
  missing: readonly LeftOut[],
): Omit<PackResult, 'package'> {
  // Of files that are left out there is nothing more to say.
  return { findings: findings.filter(({ rule }) => rule !== PACKAGE_FILES), uses, leftOut, missing };
}
