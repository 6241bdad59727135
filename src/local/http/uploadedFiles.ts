import { invalidInput } from '../httpErrors';
import type { UploadedFile } from '../files/sessionFiles';
import type { FormPart } from './multipart';

/** Part names of all generations of the official client: `files[0][file]` and `files.0.file`. */
const PART_NAME =
  /^files(?:\[(?<bracket>\d{1,9})\]\[(?<inner>file|dest_path)\]|\.(?<dot>\d{1,9})\.(?<plain>file|dest_path))$/;

/** Groups the parts of an upload into files by their index, in any order. 400 names a missing or unexpected part. */
export function groupFiles(parts: readonly FormPart[]): UploadedFile[] {
  if (parts.length === 0) throw invalidInput('no files provided');
  const groups = new Map<number, Partial<UploadedFile>>();
  for (const part of parts) {
    const names = PART_NAME.exec(part.name)?.groups;
    if (!names) throw invalidInput(`invalid field: ${part.name}`);
    const index = Number(names['bracket'] ?? names['dot']);
    const group = groups.get(index) ?? {};
    groups.set(index, group);
    const key = (names['inner'] ?? names['plain']) === 'file' ? 'file' : 'path';
    if (group[key] !== undefined) throw invalidInput(`"${part.name}" is a duplicate.`);
    const value = key === 'file' ? part.file : part.text;
    if (value === undefined) throw invalidInput(`"${part.name}" must be ${key === 'file' ? 'a file' : 'text'}.`);
    group[key] = value;
  }
  return [...groups.entries()]
    .sort(([a], [b]) => a - b)
    .map(([index, { file, path }]) => {
      if (file === undefined || path === undefined) {
        throw invalidInput(`files[${index}] needs one "file" and one "dest_path".`);
      }
      return { file, path };
    });
}
