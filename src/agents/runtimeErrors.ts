import { setTimeout as delay } from 'node:timers/promises';
import type { BuildFolders } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import type { Browser } from '../service/model';
import { pageOf } from './bounds';
import type { Reader } from './errorText';
import { countText, errorLine, type ShowPath } from './findingText';
import { shownPath } from './folders';
import type { ToolWindow } from './tool';

/** Errors that are listed after an act. */
const MOST_ERRORS = 10;

/** How long errors are waited for after an act, in milliseconds (C-TIME-ERRORS). */
export const SETTLE_MS = 700;

/** How often an error has occurred, to see what is new after an act. */
export type ErrorCounts = ReadonlyMap<PartError, number>;

/** The errors of an extension as they are before an act. */
export function countErrors(window: ToolWindow, browser: Browser, extensionId: string): ErrorCounts {
  return new Map(window.errors(browser, extensionId).map((error) => [error, error.count]));
}

/** The longest wait for errors after something slow, in milliseconds. */
const LONGEST_SETTLE_MS = 5000;

/**
 * How long errors are waited for of a page that took `tookMs` to load, or of a build to be pushed, in milliseconds: what has slowed that down slows down
 * Chromium's reports, too.
 */
export function settleMsAfter(tookMs: number): number {
  return Math.min(Math.max(SETTLE_MS, tookMs), LONGEST_SETTLE_MS);
}

/** The errors that have occurred since `before`, after a short wait for them. Rejects with the signal's reason. */
export async function newErrors(
  window: ToolWindow,
  browser: Browser,
  extensionId: string,
  before: ErrorCounts,
  signal: AbortSignal,
  settleMs = SETTLE_MS,
): Promise<readonly PartError[]> {
  await delay(settleMs, undefined, { signal });
  return window.errors(browser, extensionId).filter((error) => error.count > (before.get(error) ?? 0));
}

/** A heading and a line for each error; `since` says since when. */
export async function errorLines(
  window: ToolWindow,
  errors: readonly PartError[],
  build: BuildFolders,
  since: string,
  show: ShowPath = (path) => shownPath(window.roots, path),
  reader: Reader = 'agent',
): Promise<string[]> {
  if (errors.length === 0) return [`No error ${since}.`];
  const { items, more } = pageOf(errors, 0, MOST_ERRORS);
  const count = countText(errors.map(({ isWarning }) => (isWarning ? 'warning' : 'error')));
  const lines = await Promise.all(items.map((error) => errorLine(error, build, show)));
  const next = reader === 'agent' ? `: call get_extension_findings with offset ${items.length}.` : '.';
  const rest = more > 0 ? [`${more} more${next}`] : [];
  return [`${count} ${since}:`, ...lines, ...rest];
}
