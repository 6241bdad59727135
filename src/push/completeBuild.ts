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
  const files = await Promise.all(manifest.files.map((file) => stat(join(folder, file)).catch(() => undefined)));
  return files.every((file) => file !== undefined);
}
