import { rename, rm, writeFile } from 'node:fs/promises';
import { randomId } from './randomId';

/** Permission of files that hold a secret or a person's data: the owner alone. */
export const OWNER_ONLY = 0o600;

/** Replaces a file as a whole: a reader finds the old text or the new one, never a part. Readable by the owner only. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomId()}.tmp`;
  try {
    await writeFile(draft, text, { mode: OWNER_ONLY, flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
