/** Lengths of records of a zip, in bytes: of the end of a zip without a comment, and of an entry of its directory without name and fields. */
const END_BYTES = 22;
const ENTRY_BYTES = 46;

/**
 * One zip with the entries of several, in their order, as JSZip would have written it: the files, then the directories, in which the offsets of
 * the files are moved, then one end. The zips are those of JSZip, without comments and without the extension for huge archives.
 */
export function joinZips(zips: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const parts = zips.map((bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const end = bytes.length - END_BYTES;
    return { bytes, end, count: view.getUint16(end + 10, true), directory: view.getUint32(end + 16, true) };
  });
  const joined = new Uint8Array(parts.reduce((sum, { end }) => sum + end, END_BYTES));
  const view = new DataView(joined.buffer);
  const offsets: number[] = [];
  let at = 0;
  for (const { bytes, directory } of parts) {
    joined.set(bytes.subarray(0, directory), at);
    offsets.push(at);
    at += directory;
  }
  const directory = at;
  for (const [index, part] of parts.entries()) {
    joined.set(part.bytes.subarray(part.directory, part.end), at);
    for (let entry = 0; entry < part.count; entry++) {
      view.setUint32(at + 42, view.getUint32(at + 42, true) + (offsets[index] ?? 0), true);
      at += ENTRY_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  }
  const last = parts.at(-1);
  if (last) joined.set(last.bytes.subarray(last.end), at);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  for (const field of [8, 10]) view.setUint16(at + field, count, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return joined;
}
