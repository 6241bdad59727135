/** How much a JSON text may hold that somebody else has written. */
export interface JsonLimits {
  /** How deep arrays and objects may be nested. */
  depth: number;
  /** How many arrays, objects and members there may be, counted by the characters that begin or separate them. */
  values: number;
}

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const LIST_START = 91;
const LIST_END = 93;
const OBJECT_START = 123;
const OBJECT_END = 125;

/**
 * Whether a JSON text is within the limits, before it is parsed: deep values end in a RangeError wherever they are walked or written again, and
 * many small ones take a hundred times the memory of their text. Reads the text once; strings are skipped by a native search.
 */
export function isWithinLimits(text: string, { depth, values }: JsonLimits): boolean {
  let level = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === LIST_START || code === OBJECT_START) {
      level += 1;
      count += 1;
      if (level > depth) return false;
    } else if (code === LIST_END || code === OBJECT_END) {
      level -= 1;
    } else if (code === COMMA) {
      count += 1;
    }
    if (count > values) return false;
  }
  return true;
}

/** A JSON text, or its bytes in UTF-8: the characters of its syntax have the same codes in both. */
export type JsonText = string | Buffer;

/** The code of a character, or the byte, at this place. */
export function codeAt(text: JsonText, at: number): number | undefined {
  return typeof text === 'string' ? text.charCodeAt(at) : text[at];
}

/** Where the string of a JSON text ends that begins at `start`; the end of the text when it does not end. */
export function endOfString(text: JsonText, start: number): number {
  let end = nextQuote(text, start + 1);
  while (end !== -1) {
    let before = end - 1;
    while (codeAt(text, before) === BACKSLASH) before -= 1;
    // An even number of backslashes are escaped themselves.
    if ((end - before) % 2 === 1) return end;
    end = nextQuote(text, end + 1);
  }
  return text.length;
}

function nextQuote(text: JsonText, from: number): number {
  return typeof text === 'string' ? text.indexOf('"', from) : text.indexOf(QUOTE, from);
}
