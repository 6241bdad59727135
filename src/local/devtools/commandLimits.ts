/** How deep a command may be nested (C-COMMAND-DEPTH). */
const MAX_DEPTH = 300;
/** How many arrays, objects and members a command may have: each takes much more memory than its text. */
const MAX_VALUES = 1_000_000;

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const LIST_START = 91;
const LIST_END = 93;
const OBJECT_START = 123;
const OBJECT_END = 125;

/**
 * Why a command is not parsed; undefined for one that is. Reads the text once, as bytes: what it looks for is no part of a longer character
 * of UTF-8.
 */
export function commandFault(text: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(text, at);
    } else if (byte === LIST_START || byte === OBJECT_START) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH}`;
    } else if (byte === LIST_END || byte === OBJECT_END) {
      depth -= 1;
    } else if (byte === COMMA) {
      values += 1;
    }
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/** Where the string ends that begins at `start`; the end of the text when it does not end. */
function endOfString(text: Buffer, start: number): number {
  let end = text.indexOf(QUOTE, start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (text[before] === BACKSLASH) before -= 1;
    // An even number of backslashes are escaped themselves.
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf(QUOTE, end + 1);
  }
  return text.length;
}
