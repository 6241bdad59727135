import { join } from 'node:path';
import { locateError, type BuildFolders } from '../console/errorSpots';
import type { PartError } from '../console/extensionErrors';
import { partText } from '../console/partText';
import { chromiumWords, type Finding, type Fix } from '../manifest/finding';
import { shortened } from '../base/units';
import { oneLine, quoted } from './bounds';
import { errorAdvice } from './errorAdvice';

/** Edits of a fix that are shown, and how much of each new text, in characters. */
const MOST_EDITS = 5;
const MOST_NEW_TEXT = 200;

/** Shows an absolute path, such as relative to the workspace. */
export type ShowPath = (path: string) => string;

/** How many there are, as `2 errors, 1 warning`. */
export function countText(severities: readonly string[]): string {
  const counts = (['error', 'warning', 'hint'] as const).flatMap((severity) => {
    const count = severities.filter((one) => one === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`];
  });
  return counts.length === 0 ? 'nothing found' : counts.join(', ');
}

/** A finding of the check: place, rule and message; Chromium's words; the fix. Lines and columns count from 1. */
export function findingText(finding: Finding, folder: string, show: ShowPath): string {
  const { file, range, severity, rule, message, fix } = finding;
  const path = oneLine(show(join(folder, file)));
  const chromium = chromiumWords(finding);
  return [
    `${path}:${range.start.line + 1}:${range.start.column + 1} ${severity} ${rule}: ${oneLine(message)}`,
    ...(chromium === undefined ? [] : [`  Chromium says: ${quoted(chromium)}`]),
    ...(fix ? [`  Fix: ${fixText(fix, folder, show)}`] : []),
  ].join('\n');
}

function fixText({ title, edits, isGuess, setting }: Fix, folder: string, show: ShowPath): string {
  const shown = edits.slice(0, MOST_EDITS).map(({ file, range, newText }) => {
    const { start, end } = range;
    const where = `${oneLine(show(join(folder, file)))}:${start.line + 1}:${start.column + 1}-${end.line + 1}:${end.column + 1}`;
    return `replace ${where} by ${JSON.stringify(shortened(newText, MOST_NEW_TEXT))}`;
  });
  const inTerminal = setting ? `; in a terminal: --${setting.list}` : '';
  const text = `${oneLine(title, MOST_NEW_TEXT)}${inTerminal}${isGuess ? ' (one of several ways)' : ''}`;
  // A fix by a setting has no edits.
  return shown.length === 0 ? text : `${text}: ${shown.join('; ')}`;
}

/** An error of a running extension: place in the source, part, Chromium's text, how often, and what to do where that is known. Never rejects. */
export async function errorLine(error: PartError, build: BuildFolders, show: ShowPath): Promise<string> {
  const spot = await locateError(error, build);
  const { file, start, built } = spot;
  const { part, text, isWarning, count } = error;
  const at = `${oneLine(show(file))}:${start.line + 1}:${start.column + 1}`;
  const times = count === 1 ? '' : ` (${count} times)`;
  const inBuilt = built ? ` [built file: ${oneLine(show(built.file))}:${built.line + 1}:${built.column + 1}]` : '';
  const advice = await errorAdvice(error, spot, build.folder);
  const line = `${at} ${isWarning ? 'warning' : 'error'} in ${oneLine(partText(part), 100)}: ${quoted(text)}${times}${inBuilt}`;
  return advice === undefined ? line : `${line} ${advice}`;
}
