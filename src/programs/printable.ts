/* oxlint-disable no-restricted-properties -- the helper of this sink */
import { escapedJson } from '../agents/bounds';

/** What acts in a terminal instead of being shown, or makes a text read differently from what it is. */
const ACTING = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * What pipelines take for a command: GitHub's `::error::`, also behind blanks, and `##[error]` and Azure's `##vso[`, anywhere in a line. Source: `ActionCommand`
 * of GitHub's runner, `Command` of Azure's agent.
 */
const COMMAND = /^([^\S\n]*:)(?=:)|(#)(?=#(?:vso)?\[)/gim;

/** A text as a terminal or the log of a pipeline may show it, whatever names of files and messages of others are in it. */
export function printable(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll(ACTING, ' ')
    .replaceAll(COMMAND, '$1$2 ');
}

/** A value as JSON in one line, with nothing that {@link printable} would change. */
export function jsonLine(value: unknown): string {
  return escapedJson(value, /#(?=#)|[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g);
}

/** Prints a result. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Prints a warning or an error. */
export function complain(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** A reader such as `head` may have enough: what was started still ends as it should. */
export function ignoreGoneReader(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
}

/** Ends the program when all that was printed has gone out, or its reader has: a pipe takes 64 KiB at once, and the rest would be lost. */
export function exitWhenPrinted(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}
