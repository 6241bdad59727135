import { optionalText } from '../../base/fields';
import type { Browser } from '../../service/model';
import { itemOf } from '../lists/row';
import type { ServiceConnection } from '../service/connection';
import { enteredBrowser } from './enterId';

/**
 * The browser of a row, else the one that `browser` of a command's argument names by its name or id; undefined without either.
 * @throws UserError when no such browser runs; ServiceError
 */
export async function givenBrowser(connection: ServiceConnection, argument: unknown): Promise<Browser | undefined> {
  const row = itemOf(argument, 'browser');
  if (row) return row;
  const named = optionalText(argument, 'browser');
  return named === undefined ? undefined : await enteredBrowser(connection, named);
}
