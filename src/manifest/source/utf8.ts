import { isUtf8 } from 'node:buffer';

/** First bytes of characters that may be noncharacters: U+FDD0 to U+FFFF, and all of four bytes. */
const THREE_BYTES = 0xef;
const FOUR_BYTES = 0xf0;

/** True for UTF-8 without the 66 noncharacters, which Chromium does not accept (R-CS-UTF8). A byte order mark is accepted. */
export function isPlainUtf8(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  for (let at = bytes.indexOf(THREE_BYTES); at >= 0; at = bytes.indexOf(THREE_BYTES, at + 1)) {
    if (isNoncharacter3(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)) return false;
  }
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) >= FOUR_BYTES && isNoncharacter4(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0))
      return false;
  }
  return true;
}

/** U+FDD0 to U+FDEF, U+FFFE and U+FFFF. */
function isNoncharacter3(second: number, third: number): boolean {
  return (second === 0xb7 && third >= 0x90 && third <= 0xaf) || (second === 0xbf && third >= 0xbe);
}

/** The last two of each plane. */
function isNoncharacter4(second: number, third: number, fourth: number): boolean {
  return (second & 0x0f) === 0x0f && third === 0xbf && fourth >= 0xbe;
}
