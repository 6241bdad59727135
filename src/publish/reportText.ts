import * as l10n from '@vscode/l10n';
import { sep } from 'node:path';
import { durationText } from '../base/units';
import { isWithin, pathFrom } from '../base/disk';
import { differenceLine } from './reportLines';
import { checkTitle, hasPassed, type FilePlace, type UpdateReport } from './updateReport';

/** A report as a Markdown document for people; paths are relative to `root` where they are in it. */
export function reportMarkdown(report: UpdateReport, root: string): string {
  const { name, extensionId, chromium, old, next, checks, errors, differences, ms } = report;
  const states = { passed: '✓', failed: '✗', skipped: '–' };
  const place = (at: FilePlace): string => `${shown(at.file, root)}:${at.line}:${at.column}`;
  const lists = (items: readonly string[], none: string): string[] =>
    items.length === 0 ? [none] : items.map((item) => `- ${marked(item)}`);
  const unknown = l10n.t('Chromium does not say.');
  const nothing = l10n.t('Nothing.');
  return [
    `# ${marked(l10n.t('Update of {0} from {1} to {2}', name, old.version, next.version))}`,
    '',
    hasPassed(report)
      ? l10n.t('The update does what it should.')
      : l10n.t('Do not publish this before you have read what failed.'),
    '',
    ...checks.flatMap(({ id, state, message, at }) => {
      const where = at ? ` (${marked(place(at))})` : '';
      const said = message.split('\n').filter(Boolean);
      // Two blanks at its end keep a line apart from the next one.
      return [
        `- ${states[state]} **${checkTitle(id)}**${where}${said.length === 0 ? '' : '  '}`,
        ...said.map((line) => `  ${marked(shownText(line, root))}  `),
      ];
    }),
    '',
    `## ${l10n.t('What Chromium tells users before the update')}`,
    '',
    ...(old.warnings ? lists(old.warnings, nothing) : [unknown]),
    '',
    `## ${l10n.t('What it tells them after the update')}`,
    '',
    ...(next.warnings ? lists(next.warnings, nothing) : [unknown]),
    '',
    `## ${l10n.t('Errors since the update')}`,
    '',
    ...lists(
      errors.map((error) => `${place(error)} ${error.part}: ${error.text}`),
      l10n.t('None.'),
    ),
    '',
    `## ${l10n.t('What differs in its data')}`,
    '',
    ...lists(differences.map(differenceLine), nothing),
    '',
    `## ${l10n.t('How it was tested')}`,
    '',
    ...lists(
      [
        l10n.t('Old version: {0}', shown(old.origin, root)),
        l10n.t('New build: {0}', next.origin === root ? root : shown(next.origin, root)),
        l10n.t('Browser: {0}', chromium),
        l10n.t('Id: {0}', extensionId),
        l10n.t('Duration: {0}', durationText(ms)),
      ],
      nothing,
    ),
    '',
  ].join('\n');
}

/** A report as one JSON value; paths are relative to `root` where they are in it. */
export function reportJson(report: UpdateReport, root: string): object {
  const { before: _before, after: _after, errors, checks, ...facts } = report;
  const withPlace = (at: FilePlace): FilePlace => ({ ...at, file: shown(at.file, root) });
  return {
    ...facts,
    passed: hasPassed(report),
    installed: facts.installed ?? null,
    errors: errors.map((error) => ({ ...error, ...withPlace(error) })),
    checks: checks.map(({ at, message, ...check }) => ({
      ...check,
      message: shownText(message, root),
      ...(at && withPlace(at)),
    })),
  };
}

/** A path relative to `root`, with `/`; as it is when it is elsewhere. */
function shown(path: string, root: string): string {
  return isWithin(root, path) ? pathFrom(root, path) : path;
}

/** A text with the paths in it relative to `root`. */
export function shownText(text: string, root: string): string {
  return text.replaceAll(`${root}${sep}`, '');
}

/** A text of others in one line of a Markdown document, where it is neither a link nor an element. */
function marked(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&');
}
