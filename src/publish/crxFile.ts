import * as l10n from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { UnpackError } from '../archive/unpackArchive';

/** What a crx file begins with. */
const MAGIC = 'Cr24';

/** The longest header, in bytes: it holds keys and signatures, each of less than a kilobyte. */
const MOST_HEADER_BYTES = 1024 * 1024;

/** Fields of the header (crx3.proto): proofs with RSA keys, and what is signed; of a proof its key; of what is signed the id. */
const FIELD = { rsaProof: 2, signedData: 10_000, publicKey: 1, crxId: 1 } as const;

/** A packed extension: the zip in it, and the key of its id in base64, as a manifest has it, when the file has one. */
export interface CrxContent {
  zip: Uint8Array;
  key?: string;
}

/**
 * The zip of a crx file of format 2 or 3, or the bytes themselves when they are a zip.
 * @throws UnpackError for what is neither
 */
export function crxContent(bytes: Uint8Array): CrxContent {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (buffer.toString('latin1', 0, 2) === 'PK') return { zip: bytes };
  if (buffer.toString('latin1', 0, MAGIC.length) !== MAGIC || buffer.length < 16) {
    throw new UnpackError(l10n.t('it is neither a crx file nor a zip archive'));
  }
  const version = buffer.readUInt32LE(4);
  if (version === 2) return crx2(buffer);
  if (version === 3) return crx3(buffer);
  throw new UnpackError(l10n.t('its crx format {0} is not known', version));
}

/** Format 2: the lengths of a key and a signature, these two, and the zip. */
function crx2(buffer: Buffer): CrxContent {
  const [keyBytes, signatureBytes] = [buffer.readUInt32LE(8), buffer.readUInt32LE(12)];
  const key = part(buffer, 16, keyBytes).toString('base64');
  part(buffer, 16 + keyBytes, signatureBytes);
  return { zip: buffer.subarray(16 + keyBytes + signatureBytes), ...(key !== '' && { key }) };
}

/** Format 3: the length of a header, the header as a protocol buffer, and the zip. */
function crx3(buffer: Buffer): CrxContent {
  const headerBytes = buffer.readUInt32LE(8);
  const header = fieldsOf(part(buffer, 12, headerBytes));
  const signed = header.find(([field]) => field === FIELD.signedData)?.[1];
  const id = signed && fieldsOf(signed).find(([field]) => field === FIELD.crxId)?.[1];
  const keys = header
    .filter(([field]) => field === FIELD.rsaProof)
    .flatMap(([, proof]) => fieldsOf(proof).filter(([field]) => field === FIELD.publicKey));
  // A store adds a proof of its own: the developer's key is the one that the id is made of.
  const key = keys.find(([, bytes]) => id !== undefined && digestOf(bytes).subarray(0, id.length).equals(id))?.[1];
  return { zip: buffer.subarray(12 + headerBytes), ...(key && { key: key.toString('base64') }) };
}

function part(buffer: Buffer, start: number, length: number): Buffer {
  if (length > MOST_HEADER_BYTES || start + length > buffer.length) throw broken();
  return buffer.subarray(start, start + length);
}

/** The fields of a protocol buffer that hold bytes, by their numbers; others are passed over. */
function fieldsOf(buffer: Buffer): [field: number, bytes: Buffer][] {
  const found: [number, Buffer][] = [];
  let at = 0;
  const number = (): number => {
    let [value, factor] = [0, 1];
    for (let count = 0; count < 10; count++) {
      const byte = buffer[at++];
      if (byte === undefined) throw broken();
      value += (byte & 0x7f) * factor;
      factor *= 128;
      if (byte < 0x80) return value;
    }
    throw broken();
  };
  while (at < buffer.length) {
    const tag = number();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) number();
    else if (type === 2) {
      const length = number();
      found.push([field, part(buffer, at, length)]);
      at += length;
    } else if (type === 1 || type === 5) at += type === 1 ? 8 : 4;
    else throw broken();
  }
  return found;
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function broken(): UnpackError {
  return new UnpackError(l10n.t('the header of the crx file is broken'));
}
