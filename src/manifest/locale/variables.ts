/** A variable that no catalogue or placeholder defines; `written` is with its delimiters. */
export class UndefinedVariableError extends Error {
  constructor(readonly written: string) {
    super(`Variable ${written} used but not defined.`);
  }
}

/** True for the characters that Chromium allows in the name of a message or placeholder. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z0-9_@]+$/.test(name);
}

/** In characters. */
const MAX_LENGTH = 1_000_000;

/**
 * Replaces every variable between the delimiters by its value; names are case-insensitive. Text between the delimiters that is not a name
 * is kept. Throws UndefinedVariableError for the first name without a value. A result longer than {@link MAX_LENGTH} keeps the other
 * variables as they are written: messages that hold one another could grow beyond all memory.
 *
 * Source: MessageBundle::ReplaceVariables of Chromium.
 */
export function replaceVariables(
  text: string,
  [opening, closing]: readonly [string, string],
  values: ReadonlyMap<string, string>,
): string {
  let result = '';
  let rest = text;
  for (;;) {
    const start = rest.indexOf(opening);
    const end = start < 0 ? -1 : rest.indexOf(closing, start + opening.length);
    if (end < 0 || result.length > MAX_LENGTH) return result + rest;
    const name = rest.slice(start + opening.length, end);
    if (isVariableName(name)) {
      const value = values.get(name.toLowerCase());
      if (value === undefined) throw new UndefinedVariableError(opening + name + closing);
      result += rest.slice(0, start) + value;
      rest = rest.slice(end + closing.length);
    } else {
      result += rest.slice(0, start + opening.length);
      rest = rest.slice(start + opening.length);
    }
  }
}
