import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../base/disk';
import { optionalText } from '../base/fields';

/** A local service that an installed Sideload has started or found. */
export interface ServiceNote {
  /** The folder of its data. */
  readonly dataDir: string;
  /** The folder with the extensions of the editor in which this Sideload is installed. */
  readonly extensions: string;
}

/** The largest note, in bytes. */
const MAX_NOTE_BYTES = 64 * 1024;

const NAME = /^service-[0-9a-f]+\.json$/;

/**
 * Leaves a note in a folder of the user, by which the program that runs when Sideload is uninstalled finds the service: it does not know where the editor
 * keeps data. Rejects when the folder cannot be written to.
 */
export async function noteService(folder: string, note: ServiceNote): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, nameOf(note)), textOf(note), { mode: 0o600 });
}

/** Removes the note about a service. Never rejects. */
export async function forgetService(folder: string, note: ServiceNote): Promise<void> {
  await rm(join(folder, nameOf(note)), { force: true }).catch(() => undefined);
}

/** All notes in that folder. Never rejects. */
export async function serviceNotes(folder: string): Promise<ServiceNote[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name));
  const notes = await Promise.all(
    names.map(async (name) => noteIn(await readRegularFile(join(folder, name), MAX_NOTE_BYTES))),
  );
  return notes.flatMap((note) => note ?? []);
}

function textOf({ dataDir, extensions }: ServiceNote): string {
  return JSON.stringify({ dataDir, extensions });
}

function nameOf(note: ServiceNote): string {
  return `service-${createHash('sha256').update(textOf(note)).digest('hex').slice(0, 16)}.json`;
}

function noteIn(text: Buffer | undefined): ServiceNote | undefined {
  try {
    const value: unknown = JSON.parse(text?.toString('utf8') ?? 'null');
    const [dataDir, extensions] = [optionalText(value, 'dataDir'), optionalText(value, 'extensions')];
    return dataDir === undefined || extensions === undefined ? undefined : { dataDir, extensions };
  } catch {
    return undefined;
  }
}
