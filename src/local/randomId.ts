import { randomBytes, randomInt } from 'node:crypto';

const ID_LENGTH = 24;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ALPHABET = `${LETTERS}0123456789`;
const TOKEN_BYTES = 32;

/** A new id like those in the service's examples: 24 lower-case letters and digits, beginning with a letter. */
export function randomId(): string {
  let id = LETTERS.charAt(randomInt(LETTERS.length));
  while (id.length < ID_LENGTH) id += ALPHABET.charAt(randomInt(ALPHABET.length));
  return id;
}

/** True for a text in the shape of `randomId`, which is the name of a file or folder and leads nowhere. */
export function isId(text: string): boolean {
  return /^[a-z][a-z0-9]{23}$/.test(text);
}

/** A new secret of 256 bits, for URLs and headers. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}
