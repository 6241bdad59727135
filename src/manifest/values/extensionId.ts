import { createHash } from 'node:crypto';

/** True for 32 letters from a to p, which are hexadecimal digits. */
export function isExtensionId(id: string): boolean {
  return /^[a-p]{32}$/i.test(id);
}

/** The id that Chromium makes of a key, or of a path: the beginning of its digest, in the letters a to p (C-ID-DIGEST). */
export function idOf(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return hex.replaceAll(/./g, (digit) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)));
}

/** The id of an extension with this key in its manifest. */
export function idOfKey(key: string): string {
  return idOf(Buffer.from(key, 'base64'));
}
