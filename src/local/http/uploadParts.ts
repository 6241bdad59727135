import type { ArchiveSource } from '../archive/unpack';
import { invalidInput } from '../httpErrors';
import type { UploadedExtension } from '../sessions/installation';
import type { FormPart } from './multipart';

type FieldName = 'name' | 'zip_file';
type ArchivePart = FormPart<ArchiveSource>;

interface NamedPart {
  part: ArchivePart;
  field: FieldName;
  index?: number;
}

/**
 * Part names of all generations of the official client: `extensions[0][name]`, `extensions[][name]`, `extensions.0.name`,
 * `extensions.name`.
 */
const PART_NAME =
  /^extensions(?:\[(?<bracket>\d{0,9})\]\[(?<inner>name|zip_file)\]|(?:\.(?<dot>\d{1,9}))?\.(?<plain>name|zip_file))$/;

/**
 * Groups the parts of an upload into extensions: by index if the names have one; `extensions.name` as consecutive pairs;
 * `extensions[][name]` as two lists, since clients send all names before all files. 400 names an unexpected part.
 */
export function groupParts(parts: readonly ArchivePart[]): UploadedExtension[] {
  const named = parts.map(readName);
  const indexed = named.filter((part) => part.index !== undefined);
  if (indexed.length === named.length) return byIndex(indexed);
  if (indexed.length > 0) throw invalidInput('Parts with and without an index cannot be mixed in one upload.');
  const consecutive = parts.every((part) => part.name.startsWith('extensions.'));
  return consecutive ? byPairs(named) : byLists(named);
}

function readName(part: ArchivePart): NamedPart {
  const groups = PART_NAME.exec(part.name)?.groups;
  const field = groups?.['inner'] ?? groups?.['plain'];
  if (field !== 'name' && field !== 'zip_file') throw invalidInput(`invalid field: ${part.name}`);
  const index = groups?.['bracket'] ?? groups?.['dot'];
  return index ? { part, field, index: Number(index) } : { part, field };
}

function byIndex(parts: readonly NamedPart[]): UploadedExtension[] {
  const groups = new Map<number, NamedPart[]>();
  for (const part of parts) {
    const index = part.index ?? 0;
    groups.set(index, [...(groups.get(index) ?? []), part]);
  }
  return [...groups.entries()].sort(([a], [b]) => a - b).map(([, group]) => pair(group));
}

function byPairs(parts: readonly NamedPart[]): UploadedExtension[] {
  const uploads: UploadedExtension[] = [];
  for (let at = 0; at < parts.length; at += 2) uploads.push(pair(parts.slice(at, at + 2)));
  return uploads;
}

function byLists(parts: readonly NamedPart[]): UploadedExtension[] {
  const names = parts.filter((part) => part.field === 'name');
  const files = parts.filter((part) => part.field === 'zip_file');
  if (names.length !== files.length) throw invalidInput('Each extension needs one name and one zip_file.');
  return names.map((name, at) => pair([name, files[at]].filter((part) => part !== undefined)));
}

function pair(parts: readonly NamedPart[]): UploadedExtension {
  const [name, secondName] = parts.filter((part) => part.field === 'name');
  const [file, secondFile] = parts.filter((part) => part.field === 'zip_file');
  if (!name || !file || secondName || secondFile) {
    throw invalidInput('Each extension needs one name and one zip_file, next to each other.');
  }
  if (file.part.file === undefined) throw invalidInput(`"${file.part.name}" must be a file.`);
  if (name.part.text === undefined) throw invalidInput(`"${name.part.name}" must be text.`);
  return { name: name.part.text, archive: file.part.file };
}
