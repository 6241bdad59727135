import * as l10n from '@vscode/l10n';
import type { ErrorRecord } from '../console/errorSpots';
import type { DataDifference, ExtensionData } from './extensionData';
import type { PermissionChange } from '../manifest/update/permissionChange';

/** What an update test finds out. */
export type UpdateCheckId = 'version' | 'id' | 'minimum' | 'permissions' | 'runs' | 'installed' | 'data' | 'errors';

/** The checks in their order. */
export const UPDATE_CHECK_IDS: readonly UpdateCheckId[] = [
  'version',
  'id',
  'minimum',
  'permissions',
  'runs',
  'installed',
  'data',
  'errors',
];

/** The title of a check for people. */
export function checkTitle(id: UpdateCheckId): string {
  return {
    version: l10n.t('Its version number rises'),
    id: l10n.t('Its id stays'),
    minimum: l10n.t('The browser is new enough for it'),
    permissions: l10n.t('Its users are not asked again'),
    runs: l10n.t('It runs after the update'),
    installed: l10n.t('Its runtime.onInstalled names the previous version'),
    data: l10n.t('Its data is still there'),
    errors: l10n.t('It has no error after the update'),
  }[id];
}

/** Where in a file of the new build, or in a source of it: an absolute path, line and column counted from 1. */
export interface FilePlace {
  file: string;
  line: number;
  column: number;
}

/** How a check ended; `skipped`: there was nothing to check. */
export interface UpdateCheck {
  id: UpdateCheckId;
  state: 'passed' | 'failed' | 'skipped';
  /** Why, or what was found; may have several lines. */
  message: string;
  /** Where the cause is, if that is a place in a file. */
  at?: FilePlace;
}

/** What is known of a version. */
export interface ReportedVersion {
  version: string;
  /** Where it comes from, for people. */
  origin: string;
  /** What Chromium says to users of its permissions, in the language of the browser; undefined where it refuses to say. */
  warnings: readonly string[] | undefined;
}

/** What an update does to those who have the extension. */
export interface UpdateReport {
  name: string;
  extensionId: string;
  /** Of the browser, such as `Chrome/156.0.8078.108`. */
  chromium: string;
  old: ReportedVersion;
  next: ReportedVersion;
  /** Whether existing users are asked again. */
  permissions: PermissionChange;
  /** What `runtime.onInstalled` said to the new build; undefined where that is not known, and null where it did not come. */
  installed: { reason: string; previousVersion: string } | null | undefined;
  /** Those of the new build since the update. */
  errors: readonly ErrorRecord[];
  before: ExtensionData;
  after: ExtensionData;
  differences: readonly DataDifference[];
  checks: readonly UpdateCheck[];
  /** The whole test, in milliseconds. */
  ms: number;
}

/** Whether no check has failed. */
export function hasPassed({ checks }: Pick<UpdateReport, 'checks'>): boolean {
  return checks.every(({ state }) => state !== 'failed');
}
