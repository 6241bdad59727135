import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChoiceOptions } from '../archive/choice';
import { checkInThread } from './checkThread';

/**
 * Whether a build in `folder`, absolute, is complete: its manifest has no errors, and all files that it names exist. Files that
 * `rules` leave out of the archive are not looked at.
 */
export async function isCompleteBuild(folder: string, { exclude = [], include = [] }: ChoiceOptions): Promise<boolean> {
  const { findings, manifest } = await checkInThread({ folder, exclude, include });
  if (!manifest || findings.some(({ severity }) => severity === 'error')) return false;
  // One after the other: a manifest may name 50,000 files.
  for (const file of manifest.files) {
    if (!(await stat(join(folder, file)).catch(() => undefined))) return false;
  }
  return true;
}
