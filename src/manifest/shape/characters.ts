/** How Chromium garbles characters in its texts about shapes. Measured on Chromium 156. */

const FIRST_NEGATIVE_BYTE = 0x80;
const SIGN_EXTENSION = 0xff00;
const BYTE = 0xff;

/** A value as quoted by Chromium: each byte up to a zero becomes a character, and bytes above 127 are sign-extended. */
export function widened(value: string): string {
  const [read] = value.split('\0');
  return Array.from(new TextEncoder().encode(read), characterOf).join('');
}

/** The text about a list's item as quoted by Chromium: the low byte of each character up to a zero becomes a character again. */
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
