import * as l10n from '@vscode/l10n';
import { identifierProblem } from '../../service/identifier';
import type { Browser, Profile } from '../../service/model';
import { UserError } from '../errorTexts';
import { askText } from '../notify';
import type { ServiceConnection } from '../service/connection';
import type { EnteredKind } from '../service/enteredIds';

/** The last choice of a list of browsers, profiles or stored extensions. */
export function enterChoice(): { icon: string; label: string } {
  return { icon: 'edit', label: l10n.t('Enter an Id or Name…') };
}

/** Asks for an id or a name, at first the last one that was entered; undefined when the user cancels. */
export async function askId(connection: ServiceConnection, kind: EnteredKind): Promise<string | undefined> {
  const titles: Record<EnteredKind, string> = {
    browser: l10n.t('Enter Browser Id'),
    profile: l10n.t('Enter Profile'),
    extension: l10n.t('Enter Stored Extension'),
  };
  const text = await askText({
    title: titles[kind],
    prompt: l10n.t('Its id or name on the service'),
    value: connection.entered.of(kind).at(-1) ?? '',
    problemOf: (value) => identifierProblem(value.trim()),
  });
  return text?.trim();
}

/**
 * The browser with an id or name, and remembers what was entered.
 * @throws UserError when the service says that no such browser runs; ServiceError
 */
export async function enteredBrowser(connection: ServiceConnection, idOrName: string): Promise<Browser> {
  const browser = await (await connection.client()).findBrowser(idOrName);
  if (!browser) throw new UserError(l10n.t('No browser with the name or id "{0}" runs.', idOrName));
  await connection.entered.add('browser', idOrName);
  return browser;
}

/**
 * The profile with an id or name, as the service describes it, and remembers what was entered.
 * @throws ServiceError
 */
export async function enteredProfile(connection: ServiceConnection, idOrName: string): Promise<Profile> {
  const profile = await (await connection.client()).getProfile(idOrName);
  await connection.entered.add('profile', idOrName);
  return profile;
}
