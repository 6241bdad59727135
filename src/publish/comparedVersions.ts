import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { readRegularFile } from '../base/disk';
import { fieldOf, optionalText } from '../base/fields';
import type { CheckResult } from '../manifest/check';
import type { JsonDocument } from '../manifest/document';
import { MANIFEST_FILE } from '../manifest/load';
import type { Manifest } from '../manifest/manifest';
import { parsedManifest } from '../manifest/update/manifestText';
import { idOfKey } from '../manifest/values/extensionId';
import { compareVersions, parseVersionNumber } from '../manifest/values/version';
import { checkInThread } from '../push/prepare/checkThread';
import type { PushSettings } from '../push/pushRun';
import type { OldVersion } from './oldVersion';
import { refusedByCheck, type TestedVersion } from './refusedVersion';
import { UpdateTestError } from './updateStep';

/** A larger manifest is not read, in bytes; the check refuses it, too. */
const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;

/** One of the two versions: a folder that Chromium would load, as far as its check knows. */
export interface CheckedVersion {
  /** Absolute. */
  folder: string;
  manifest: Manifest;
  document: JsonDocument;
  check: CheckResult;
  lists: FileLists;
}

/** Which files of a version are left out or sent. */
type FileLists = Pick<PushSettings, 'exclude' | 'include'>;

/** All that a package holds, but for what Chromium itself writes. */
const WHOLE_PACKAGE: FileLists = { exclude: [], include: ['!(_metadata)'] };

/** The two versions of an update test. */
export interface ComparedVersions {
  old: CheckedVersion;
  next: CheckedVersion;
  /** Whether the version number rises. */
  rises: boolean;
  /** The key that both get where they have none, so that the update has the id of the old version; undefined where none has a key. */
  key: string | undefined;
}

/**
 * Reads and compares the manifests of two versions; `checkingNext` is the check of the new build.
 * @throws UpdateTestError when one of them cannot be loaded, the version falls, or the id changes
 */
export async function compareVersionsOf(
  old: OldVersion,
  checkingNext: Promise<CheckedVersion>,
  settings: PushSettings,
  signal?: AbortSignal,
): Promise<ComparedVersions> {
  const before = await checkedVersion('old', old.folder, old.isPackage ? WHOLE_PACKAGE : settings, signal);
  const next = await checkingNext;
  const [{ version: oldVersion }, { version: newVersion }] = [before.manifest, next.manifest];
  const change = compareVersions(parseVersionNumber(newVersion) ?? [], parseVersionNumber(oldVersion) ?? []);
  if (change < 0) {
    throw new UpdateTestError(
      'newBuild',
      l10n.t(
        'Version {0} of the new build is lower than {1} of the old version, and no browser updates to a lower one. Raise "version" in its manifest.json.',
        newVersion,
        oldVersion,
      ),
    );
  }
  return { old: before, next, rises: change > 0, key: commonKey(keyOf(before) ?? old.key, keyOf(next)) };
}

/** The range of a value in the manifest of a version; lines and columns count from 1. */
export function lineOfValue(
  { document }: CheckedVersion,
  path: readonly (string | number)[],
): [line: number, column: number] {
  const { start } = document.range(path);
  return [start.line + 1, start.column + 1];
}

/**
 * Checks the folder of a version, whose path is absolute, but for its rulesets, which may take seconds.
 * @throws UpdateTestError when Chromium would refuse it
 */
export async function checkedVersion(
  version: TestedVersion,
  folder: string,
  { exclude, include }: FileLists,
  signal: AbortSignal | undefined,
): Promise<CheckedVersion> {
  const check = await checkInThread({ folder, exclude, include, skipsRulesets: true }, signal);
  const { findings, manifest } = check;
  const isRefused = findings.some(({ severity }) => severity === 'error');
  const bytes = await readRegularFile(join(folder, MANIFEST_FILE), MAX_MANIFEST_BYTES);
  const document = bytes && parsedManifest(bytes);
  if (isRefused || !manifest || !document) {
    throw new UpdateTestError(version === 'old' ? 'oldVersion' : 'newBuild', refusedByCheck(version, findings));
  }
  return { folder, manifest, document, check, lists: { exclude, include } };
}

/**
 * Checks the rulesets of the new build, where it has some. Those of the old version are not checked: Chromium has taken them where people have it,
 * and judges them when it loads them here.
 * @throws UpdateTestError when Chromium would refuse one
 */
export async function checkRulesets(
  { folder, manifest: { raw } }: CheckedVersion,
  { exclude, include }: PushSettings,
  signal?: AbortSignal,
): Promise<void> {
  if (fieldOf(raw, 'declarative_net_request') === undefined) return;
  const { findings } = await checkInThread({ folder, exclude, include }, signal);
  if (findings.some(({ severity }) => severity === 'error')) {
    throw new UpdateTestError('newBuild', refusedByCheck('next', findings));
  }
}

function keyOf({ manifest: { raw } }: CheckedVersion): string | undefined {
  return optionalText(raw, 'key');
}

function commonKey(old: string | undefined, next: string | undefined): string | undefined {
  if (old !== undefined && next !== undefined && old !== next && idOfKey(old) !== idOfKey(next)) {
    throw new UpdateTestError(
      'newBuild',
      l10n.t(
        'The "key" of the new build makes the id {0}, and the old version has the id {1}, so it is another extension. Correct or remove "key".',
        idOfKey(next),
        idOfKey(old),
      ),
    );
  }
  return old ?? next;
}
