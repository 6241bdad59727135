/** One fact of a row: as it is shown after the label, and as a screen reader says it. */
export interface Fact {
  shown: string;
  spoken: string;
}

/** A fact that is shown and spoken in the same words. */
export function fact(words: string): Fact {
  return { shown: words, spoken: words };
}

/** The description of a row. */
export function shownFacts(facts: readonly Fact[]): string {
  return facts.map(({ shown }) => shown).join(' · ');
}

/** A row as one phrase: `name` says what it is and its label. */
export function spokenFacts(name: string, facts: readonly Fact[]): string {
  return [name, ...facts.map(({ spoken }) => spoken)].join(', ');
}
