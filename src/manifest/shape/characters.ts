/** What becomes of letters in Chromium's texts about shapes. Measured on Chromium 156. */

const FIRST_NEGATIVE_BYTE = 0x80;
const SIGN_EXTENSION = 0xff00;
const BYTE = 0xff;

/** A value as Chromium repeats it: it makes a character of each byte of the value up to a zero, and of those above 127 a negative one. */
export function widened(value: string): string {
  const [read] = value.split('\0');
  return Array.from(new TextEncoder().encode(read), characterOf).join('');
}

/** The fault of a list's item as Chromium repeats it: of each character it keeps the low byte, up to a zero, and makes characters of these again. */
export function narrowed(text: string): string {
  const bytes = Array.from({ length: text.length }, (_none, at) => text.charCodeAt(at) & BYTE);
  const end = bytes.indexOf(0);
  return bytes
    .slice(0, end < 0 ? undefined : end)
    .map(characterOf)
    .join('');
}

function characterOf(byte: number): string {
  return String.fromCharCode(byte < FIRST_NEGATIVE_BYTE ? byte : SIGN_EXTENSION | byte);
}
