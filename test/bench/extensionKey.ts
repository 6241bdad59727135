import { createHash, generateKeyPairSync } from 'node:crypto';

/** A public key: an extension's id stays the same wherever it is loaded from. A manifest has it in base64. */
export function newKey(): Buffer {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return publicKey.export({ type: 'spki', format: 'der' });
}

/** The id of an extension with that key: the first 16 bytes of the digest, written with the letters a to p. */
export function idOf(key: Buffer): string {
  const digits = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return digits.replace(/./g, (digit) => String.fromCharCode('a'.charCodeAt(0) + parseInt(digit, 16)));
}
