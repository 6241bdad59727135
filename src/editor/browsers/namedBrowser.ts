import * as l10n from '@vscode/l10n';
import { fieldOf } from '../../fields';
import type { BrowserSession } from '../../service/model';
import { UserError } from '../errors';
import type { ServiceConnection } from '../service/connection';
import { findRunning } from './target';

/**
 * The browser that `browser` of a command's argument names by its name or id; undefined without such an argument.
 * @throws UserError when no such browser runs
 */
export async function namedBrowser(
  connection: ServiceConnection,
  argument: unknown,
): Promise<BrowserSession | undefined> {
  const named = fieldOf(argument, 'browser');
  if (typeof named !== 'string') return undefined;
  const session = await findRunning(await connection.client(), named);
  if (!session) throw new UserError(l10n.t('No browser with the name or id "{0}" runs.', named));
  return session;
}
