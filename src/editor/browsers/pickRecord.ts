import { optionalText } from '../../base/fields';
import { ServiceError } from '../../service/serviceErrors';
import type { Profile, StoredExtension } from '../../service/model';
import { recordLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { pick, type Choice } from '../notify';
import type { ServiceConnection } from '../service/connection';
import { askId, enterChoice, enteredProfile } from './enterId';

/**
 * The profile of a row, else the one that `profile` of a command's argument names by its id or name, else one that is picked or entered.
 * Undefined when the user cancels.
 * @throws ServiceError
 */
export async function chooseProfile(
  connection: ServiceConnection,
  argument: unknown,
  placeHolder: string,
): Promise<Profile | undefined> {
  const given = itemOf(argument, 'profile') ?? (await namedProfile(connection, argument));
  return given ?? (await pickOrEnter(await listProfiles(connection), placeHolder, () => enterProfile(connection)));
}

/** The profile that `profile` of a command's argument names by its id or name; undefined without it. @throws ServiceError */
export async function namedProfile(connection: ServiceConnection, argument: unknown): Promise<Profile | undefined> {
  const named = optionalText(argument, 'profile');
  return named === undefined ? undefined : await enteredProfile(connection, named);
}

/** The stored extension that `extension` of a command's argument names, of which nothing but that is known; undefined without it. */
export function namedStored(argument: unknown): StoredExtension | undefined {
  const named = optionalText(argument, 'extension');
  return named === undefined ? undefined : { id: named };
}

/** Asks for the id or name of a profile; undefined when the user cancels. @throws ServiceError */
export async function enterProfile(connection: ServiceConnection): Promise<Profile | undefined> {
  const id = await askId(connection, 'profile');
  return id === undefined ? undefined : await enteredProfile(connection, id);
}

/**
 * The stored extension of a row, else the one that `extension` of a command's argument names by its id or name, else one that is picked or
 * entered; of such a one nothing but that is known. Undefined when the user cancels.
 * @throws ServiceError
 */
export async function chooseStored(
  connection: ServiceConnection,
  argument: unknown,
  placeHolder: string,
): Promise<StoredExtension | undefined> {
  const given = itemOf(argument, 'extension') ?? namedStored(argument);
  return given ?? (await pickOrEnter(await listStored(connection), placeHolder, () => enterStored(connection)));
}

/** Asks for the id or name of a stored extension; undefined when the user cancels. */
export async function enterStored(connection: ServiceConnection): Promise<StoredExtension | undefined> {
  const id = await askId(connection, 'extension');
  if (id === undefined) return undefined;
  await connection.entered.add('extension', id);
  return { id };
}

/** All profiles; of a service that lists none, those that were entered. @throws ServiceError */
export async function listProfiles(connection: ServiceConnection): Promise<Profile[]> {
  return await allOr((await connection.client()).listProfiles(), () => enteredRecords(connection, 'profile'));
}

/** All stored extensions; of a service that lists none, those that were entered. @throws ServiceError */
export async function listStored(connection: ServiceConnection): Promise<StoredExtension[]> {
  return await allOr((await connection.client()).listExtensions(), () => enteredRecords(connection, 'extension'));
}

/** What is known of what was entered: its id, or name. */
export function enteredRecords(connection: ServiceConnection, kind: 'profile' | 'extension'): { id: string }[] {
  return connection.entered.of(kind).map((id) => ({ id }));
}

/** All items of a list. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function allOr<T>(items: AsyncIterable<T>, entered: () => T[]): Promise<T[]> {
  try {
    return await collect(items);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unsupported') return entered();
    throw error;
  }
}

async function pickOrEnter<T extends Profile | StoredExtension>(
  records: readonly T[],
  placeHolder: string,
  enter: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const choice = await pick([...records.map(choiceOf<T>), enterChoice()], { placeHolder });
  return choice && ('record' in choice ? choice.record : await enter());
}

function choiceOf<T extends Profile | StoredExtension>(record: T): Choice & { record: T } {
  return { label: recordLabel(record), description: record.name ? record.id : '', record };
}
