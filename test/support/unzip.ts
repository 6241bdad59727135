import { fromBuffer, type Entry } from 'yauzl';

export interface UnzippedEntry {
  entry: Entry;
  content: Buffer;
}

/** The entries of an archive in their order, by name. Read with another library than the one that writes archives. */
export function unzip(bytes: Uint8Array): Promise<Map<string, UnzippedEntry>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(bytes), { lazyEntries: true, strictFileNames: true }, (error, zip) => {
      if (error) return reject(error);
      const found = new Map<string, UnzippedEntry>();
      zip.on('error', reject).on('end', () => {
        resolve(found);
      });
      zip.on('entry', (entry: Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          const chunks: Buffer[] = [];
          stream
            .on('error', reject)
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('end', () => {
              found.set(entry.fileName, { entry, content: Buffer.concat(chunks) });
              zip.readEntry();
            });
        });
      });
      zip.readEntry();
    });
  });
}
