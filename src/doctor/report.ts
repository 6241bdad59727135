import * as l10n from '@vscode/l10n';
import { redact } from '../service/redact';
import { type Examination, type Leg, legTitle } from './legs';

/** A fact about the window or the machine: what it is, and its value. */
export type Fact = readonly [name: string, value: string];

const MARKS: Readonly<Record<Leg['state'], string>> = { works: '✓', broken: '✗', unknown: '–' };

/**
 * The lines of a report for an issue, as Markdown: which leg of each browser is broken, and the facts. `secrets` are in none of them, nor is anything
 * that looks like a token or an address of DevTools or of a live view.
 */
export function reportLines(
  examinations: readonly Examination[],
  facts: readonly Fact[],
  secrets: readonly string[],
): string[] {
  const lines = [
    '# Sideload: Doctor',
    '',
    ...examinations.flatMap(({ browser, legs }) => [
      `## ${browser === undefined ? l10n.t('No browser') : l10n.t('Browser {0}', browser)}`,
      '',
      ...legs.map((leg) => `- ${legLine(leg)}`),
      '',
    ]),
    `## ${l10n.t('Environment')}`,
    '',
    ...facts.map(([name, value]) => `- ${name}: ${value}`),
    '',
    l10n.t(
      'The report has no token, and no address by which a browser can be reached. "Sideload: Show Log" has one line for each step.',
    ),
    '',
  ];
  return lines.map((line) => redact(line, secrets));
}

/** A leg as one line: its state, what was seen or what to do, and how long its answer took. */
export function legLine(leg: Leg): string {
  const time = leg.ms === undefined ? '' : ` (${leg.ms} ms)`;
  return `${MARKS[leg.state]} ${legTitle(leg.name)}${time}: ${legText(leg)}`;
}

/** What was seen of a leg, and what to do, as sentences on one line. */
export function legText({ state, said, advice }: Leg): string {
  if (state === 'unknown') return l10n.t('not reached.');
  return [said, advice]
    .filter((text) => text !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ');
}
