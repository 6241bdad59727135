import type { Chance } from '../support/random';

const LONGEST_CUT = 8;
const LONGEST_COPY = 20;

const PIECES = [
  ',',
  '}',
  ']',
  '{',
  '[',
  '"',
  "'",
  '\\',
  '//',
  '/*',
  '*/',
  '// x\n',
  '/* x */',
  '#',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\v',
  '\f',
  '\u0000',
  '\u0001',
  '\u007f',
  'é',
  '\u00a0',
  '\ufeff',
  '\u2028',
  '0',
  '-',
  '+',
  '.',
  'e',
  'E5',
  '1e999',
  '-0',
  '0x1',
  'NaN',
  'null',
  'true',
  'undefined',
  ':',
  '\\x41',
  '\\u0041',
  '\\u00',
  '\\ud800',
  '\\ud83d\\ude00',
  '\\udc00',
  '\\u0000',
  '\\uffff',
  '\\v',
  "\\'",
  '\\/',
  '\\\n',
  '\u{10ffff}',
];

/** JSON with a slip: something cut away, put in, said twice or written another way. */
export function mutateText(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const share = chance.number();
  if (share < 0.45) return text.slice(0, at) + chance.pick(PIECES) + text.slice(at + chance.below(3));
  if (share < 0.55) return text.slice(0, at) + text.slice(at + chance.below(LONGEST_CUT));
  if (share < 0.6) return text.slice(0, at) + text.slice(at, at + LONGEST_COPY) + text.slice(at);
  if (share < 0.65) return text.slice(0, at);
  if (share < 0.75) return atToken(text, /[,:{}[\]]/g, (token) => token + chance.pick(PIECES), chance);
  if (share < 0.85)
    return atToken(
      text,
      /\d+/g,
      (number) =>
        chance.pick([
          `${number}.0`,
          `${number}e0`,
          `${number}E+2`,
          `-${number}`,
          `0${number}`,
          `+${number}`,
          `${number}.`,
          `.${number}`,
          `${number}e`,
          `${number}1234567890123456789`,
          `${number}e-400`,
          `-0`,
          `0x${number}`,
        ]),
      chance,
    );
  if (share < 0.9) return atToken(text, /"[^"\\]*"/g, (string) => `'${string.slice(1, -1)}'`, chance);
  if (share < 0.95) return atToken(text, /[a-z]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`, chance);
  return (
    chance.pick(['\ufeff', ' ', '\n', '// x\n', '\u0000', 'x', '[', '', '/**/', '/*']) +
    text +
    chance.pick(['', '', '\n', '//', '/*', '/* */', 'x', '{}', '\u0000', ','])
  );
}

function atToken(text: string, token: RegExp, change: (token: string) => string, chance: Chance): string {
  const found = [...text.matchAll(token)];
  if (found.length === 0) return text;
  const { 0: match, index } = chance.pick(found);
  return text.slice(0, index) + change(match) + text.slice(index + match.length);
}
