import type { ExtensionFolder } from '../folder/folder';
import { adviceForMissing, createAdvice, type MissingAdvice } from '../folder/similar';
import type { NamedFile } from '../namedFile';
import { proposing } from '../proposal';
import type { Report } from '../rule';

/** A report that a file is not in the folder, with what to do about it at the end of its message, from similar names when `isHinted`. */
export async function missingFile(
  folder: ExtensionFolder,
  { file, written }: Pick<NamedFile, 'file' | 'written'>,
  report: Report,
  isHinted = true,
): Promise<Report> {
  const { advice, fix }: MissingAdvice = isHinted
    ? await adviceForMissing(folder, file, written)
    : { advice: createAdvice() };
  return proposing({ ...report, message: `${report.message} ${advice}` }, fix);
}
