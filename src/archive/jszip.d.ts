// JSZip has types only for its public part. When it loads a zip, it passes the content of each entry to its own `file` in this form; what it
// gets in this form it neither reads nor compresses again.

declare module 'jszip/lib/compressions' {
  export interface Compression {
    /** The number of the method as a zip has it. */
    magic: string;
  }
  const compressions: { STORE: Compression; DEFLATE: Compression };
  export default compressions;
}

declare module 'jszip/lib/compressedObject' {
  import type { Compression } from 'jszip/lib/compressions';
  /** The content of a file as a zip holds it. It is no Blob, but `file` takes it as it takes one. */
  export default class CompressedObject extends Blob {
    constructor(
      compressedSize: number,
      uncompressedSize: number,
      crc32: number,
      compression: Compression,
      content: Uint8Array,
    );
  }
}
