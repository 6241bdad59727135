import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/**
 * Writes the content of a stream into a file. When it rejects, all writing has ended, so that the file can be removed. (The `pipeline` of
 * Node 20 may reject before a file that is being opened is there, and never settles for a stream that was destroyed after its end was
 * received.)
 */
export async function writeStream(file: string, content: Readable): Promise<void> {
  // It may fail before the file is open; the error reaches who reads it.
  content.on('error', () => undefined);
  await writeFile(file, content);
}
