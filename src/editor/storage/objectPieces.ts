import { codeAt, endOfString, type JsonText } from '../../base/jsonLimits';

const QUOTE = 34;
const COMMA = 44;
const LIST_START = 91;
const LIST_END = 93;
const OBJECT_START = 123;
const OBJECT_END = 125;

/** What JSON allows around a value. */
const BLANK = /^[ \t\r\n]*$/;

/**
 * Cuts the text of a JSON object between its members, into texts of objects that can be parsed one after the other. Each has at least `length`
 * characters or bytes, but the last. Gives nothing for a text that is no object. Faults of the text are in the pieces: it is JSON if all of them are, and
 * each has a member or is the only one.
 */
export function* objectPieces(text: JsonText, length: number): Generator<string> {
  const [begin, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (begin < 0 || !BLANK.test(textBetween(text, 0, begin)) || !BLANK.test(textBetween(text, end + 1))) return;
  let level = 0;
  let start = begin + 1;
  for (let at = start; at < end; at++) {
    const code = codeAt(text, at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === LIST_START || code === OBJECT_START) {
      level += 1;
    } else if (code === LIST_END || code === OBJECT_END) {
      level -= 1;
    } else if (code === COMMA && level === 0 && at - start >= length) {
      yield `{${textBetween(text, start, at)}}`;
      start = at + 1;
    }
  }
  yield `{${textBetween(text, start, end)}}`;
}

function textBetween(text: JsonText, from: number, to?: number): string {
  return typeof text === 'string' ? text.slice(from, to) : text.toString('utf8', from, to);
}
