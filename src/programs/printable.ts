/** What acts in a terminal instead of being shown, or makes a text read differently from what it is. */
const ACTING = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What pipelines take for a command at the begin of a line: GitHub's `::error::`, Azure's `##vso[`. */
const COMMAND = /^(?=::|##)/gm;

/** A text as a terminal or the log of a pipeline may show it, whatever names of files and messages of others are in it. */
export function printable(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(ACTING, ' ')
    .replaceAll(COMMAND, ' ');
}
