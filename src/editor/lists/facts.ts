import * as l10n from '@vscode/l10n';
import { agoText, spokenAgo } from './ages';

/** One fact of a row: as it is shown after the label, and as a screen reader says it. */
export interface Fact {
  shown: string;
  spoken: string;
}

/** A fact that is shown and spoken in the same words. */
export function fact(words: string): Fact {
  return { shown: words, spoken: words };
}

/** How many errors there were, of extensions that may have been pushed at different times. */
export function errorsFact(errors: number): Fact {
  return fact(errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors));
}

/** How many errors there were since the push that a row is about. */
export function errorsSinceFact(errors: number): Fact {
  return fact(errors === 1 ? l10n.t('1 error since') : l10n.t('{0} errors since', errors));
}

/** A fact with a time in the past; `words` get it as it is shown, and as it is spoken. */
export function agoFact(then: number, now: number, words: (ago: string) => string): Fact {
  return { shown: words(agoText(then, now)), spoken: words(spokenAgo(then, now)) };
}

/** The texts of a row: `name` says what it is and its label, and `more` are lines of its tooltip after the facts. */
export function rowTexts(
  { label, name = label }: { label: string; name?: string },
  facts: readonly Fact[],
  more: readonly string[],
): Record<'label' | 'description' | 'tooltip' | 'spoken', string> {
  return {
    label,
    description: shownFacts(facts),
    tooltip: [label, ...facts.map(({ spoken }) => spoken), ...more].join('\n'),
    spoken: spokenFacts(name, facts),
  };
}

/** The description of a row. */
export function shownFacts(facts: readonly Fact[]): string {
  return facts.map(({ shown }) => shown).join(' · ');
}

/** A row as one phrase: `name` says what it is and its label. */
export function spokenFacts(name: string, facts: readonly Fact[]): string {
  return [name, ...facts.map(({ spoken }) => spoken)].join(', ');
}
