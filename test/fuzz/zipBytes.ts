import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip, as an archive may claim it to be. */
export interface ZipEntryParts {
  readonly name: string;
  readonly content: Uint8Array;
  /** 0 stored, 8 deflated; others are known to few. */
  readonly method: number;
  /** How much longer the entry says that it is, in bytes. */
  readonly claimed: number;
  /** The Unix mode. */
  readonly mode: number;
}

/** A zip of entries that may be wrong about themselves, which no library writes (APPNOTE 4.3). */
export function zipBytes(entries: readonly ZipEntryParts[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method, claimed, mode } of entries) {
    const [nameBytes, data] = [
      Buffer.from(name).subarray(0, 0xffff),
      method === 8 ? deflateRawSync(content) : Buffer.from(content),
    ];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20);
    // Names are UTF-8.
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(Math.max(0, content.length + claimed), 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode * 0x1_0000) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, nameBytes);
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}
