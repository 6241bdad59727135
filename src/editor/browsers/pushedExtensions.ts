import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import type { Browser } from '../../service/model';
import { UserError } from '../errorTexts';
import { itemOf } from '../lists/row';
import type { BrowserWiring } from './browserWiring';
import { givenBrowser } from './namedBrowser';
import { findChosen } from '../targets/target';

/** An extension in a browser that a command is for. */
export interface ExtensionIn {
  browser: Browser;
  id: string;
  name: string;
}

/**
 * The extensions that a command is for: that of the row it was run on; for the row of a browser, or the one that `browser` of an
 * argument names, the one that was pushed there; else the
 * pushed one in each of the browsers that pushes go to.
 * @throws UserError when there is none
 */
export async function extensionsFor(wiring: BrowserWiring, argument: unknown): Promise<ExtensionIn[]> {
  const { connection, records } = wiring;
  const row = itemOf(argument, 'browserExtension') ?? itemOf(argument, 'extensionWorker');
  if (row) {
    const { browser, extension } = row;
    const { id, name } = extension;
    return [{ browser, id, name }];
  }
  const browser = await givenBrowser(connection, argument);
  const browsers = browser ? [browser] : (await findChosen(await connection.client(), wiring)).running;
  const pushed = browsers.flatMap((browser) => {
    const { extensionId: id, name } = records.pushed(browser.id) ?? {};
    return id === undefined ? [] : [{ browser, id, name: name ?? id }];
  });
  if (pushed.length > 0) return pushed;
  throw notPushedError();
}

/** The error of a command that needs a pushed extension. */
export function notPushedError(): UserError {
  return new UserError(l10n.t('This window has not pushed the extension to a browser yet. Run it first.'), {
    label: l10n.t('Run Extension'),
    command: COMMANDS.runExtension,
  });
}
