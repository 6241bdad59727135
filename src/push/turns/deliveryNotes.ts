import { randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../../base/disk';
import { fieldOf, optionalText } from '../../base/fields';
import type { PushOutcome } from '../pushRun';
import { OWNER_ONLY, patiently } from './sharedFolder';

/** The file in the folder of a browser. */
const FILE = 'deliveries.json';

/** Most extensions that are noted for a browser, and the largest file, in bytes. */
const MOST_NOTES = 20;
const MAX_BYTES = 64 * 1024;

/** The last delivery of an extension to a browser by any program of this user on this machine. */
export interface DeliveryNote {
  name: string;
  version: string;
  /** Of the archive. */
  digest: string;
  /** The extension folder on this machine, absolute. */
  folder: string;
  outcome: PushOutcome['kind'];
  /** Undefined when it was not verified what runs. */
  extensionId?: string;
  /** When it ended, in milliseconds since the epoch. */
  at: number;
  /** The engine that has delivered. */
  engine: string;
}

/** All that is noted of one browser. */
interface DeliveryNotes {
  /** Another one after each delivery. */
  mark: string;
  notes: readonly DeliveryNote[];
}

/** What is noted in the folder of a browser; undefined when there is nothing, or not what this version writes. Never rejects. */
export async function readNotes(folder: string): Promise<DeliveryNotes | undefined> {
  const bytes = await readRegularFile(join(folder, FILE), MAX_BYTES);
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    const [mark, notes] = [fieldOf(value, 'mark'), fieldOf(value, 'notes')];
    return typeof mark === 'string' && Array.isArray(notes) ? { mark, notes: notes.filter(isNote) } : undefined;
  } catch {
    return undefined;
  }
}

/** Notes a delivery, in the turn of its program. Resolves to the new mark. */
export async function writeNote(folder: string, note: DeliveryNote): Promise<string> {
  const mark = randomBytes(8).toString('hex');
  const known = (await readNotes(folder))?.notes ?? [];
  const notes = [note, ...known.filter((other) => !isSame(other, note))].slice(0, MOST_NOTES);
  const draft = join(folder, `${FILE}.${mark}`);
  try {
    await writeFile(draft, JSON.stringify({ mark, notes }), { mode: OWNER_ONLY });
    await patiently(() => rename(draft, join(folder, FILE)));
    return mark;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Calls `onChange` after each delivery to the browser by any program. Returns what ends that. */
export function watchNotes(folder: string, onChange: () => void): () => void {
  const watcher = watch(folder, { persistent: false }, (_event, name) => {
    if (name === FILE) onChange();
  });
  // The folder was removed, or the system has no more watchers: what is noted is read at the next push.
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}

/** Whether two notes are about the same extension. */
export function isSame(
  one: Pick<DeliveryNote, 'name' | 'extensionId'>,
  other: { name?: string; extensionId?: string },
): boolean {
  const haveIds = one.extensionId !== undefined && other.extensionId !== undefined;
  return haveIds ? one.extensionId === other.extensionId : one.name === other.name;
}

function isNote(value: unknown): value is DeliveryNote {
  const texts = ['name', 'version', 'digest', 'folder', 'outcome', 'engine'];
  const id = fieldOf(value, 'extensionId');
  const hasTexts = texts.every((name) => optionalText(value, name) !== undefined);
  return hasTexts && typeof fieldOf(value, 'at') === 'number' && (id === undefined || typeof id === 'string');
}
