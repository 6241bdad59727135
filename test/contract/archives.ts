import JSZip from 'jszip';
import { crc32, deflateRawSync } from 'node:zlib';

const SYMLINK_MODE = 0o120777;

/** A zip archive of some files. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, content] of Object.entries(files)) zip.file(name, content, { createFolders: false });
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** One file of an archive that is large: its bytes are stored as they are, or deflated. */
export interface LargeFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly method: 'store' | 'deflate';
}

/** A zip archive of large files (APPNOTE 4.3): made by the code of Node.js, in a small part of JSZip's time. */
export function zipOfLarge(files: readonly LargeFile[]): Buffer {
  const parts: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, method } of files) {
    const body = method === 'deflate' ? deflateRawSync(bytes) : bytes;
    // The fields that a local header and a record of the central directory share.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(method === 'deflate' ? 8 : 0, 4);
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(body.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04'), shared, Buffer.from(name), body);
    records.push(Buffer.from('PK\x01\x02\x14\0'), shared, rest, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + body.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

/** A zip archive with a symbolic link, made as on Unix. */
export async function zipWithLink(name: string, target: string): Promise<Buffer> {
  const zip = new JSZip();
  zip.file('manifest.json', manifest());
  zip.file(name, target, { unixPermissions: SYMLINK_MODE });
  return zip.generateAsync({ type: 'nodebuffer', platform: 'UNIX' });
}

/** The text of a small Manifest V3; `more` adds or replaces. */
export function manifest(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ manifest_version: 3, name: 'Contract', version: '1.0', ...more });
}

/** A whole extension whose service worker tells which build it is, as `self.build`. */
export function extensionZip(build: number, more: Readonly<Record<string, unknown>> = {}): Promise<Buffer> {
  const text = manifest({ version: `1.${build}`, background: { service_worker: 'worker.js' }, ...more });
  return zipOf({ 'manifest.json': text, 'worker.js': `self.build = ${build};` });
}
