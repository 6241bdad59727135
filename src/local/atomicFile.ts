import { rm, writeFile } from 'node:fs/promises';
import { rename } from './patientFiles';
import { randomId } from './randomId';

/** Permissions of files with secrets or personal data: only for the owner. */
export const OWNER_ONLY = 0o600;
/** The same for folders. */
export const OWNER_ONLY_FOLDER = 0o700;

/** Replaces a file atomically: a reader gets either the old text or the new one. Only the owner can read the file. */
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
