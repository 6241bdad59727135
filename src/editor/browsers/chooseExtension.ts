import * as l10n from '@vscode/l10n';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import type { Browser } from '../../service/model';
import type { Handler } from '../commandRegistry';
import type { BrowserExtension } from '../lists/browserContents';
import { browserLabel } from '../lists/labels';
import { itemOf } from '../lists/row';
import { pick, showInformation } from '../notify';
import type { BrowserWiring } from './browserWiring';
import { withLink } from './readContents';
import { withBrowser } from './gone';
import { givenBrowser } from './namedBrowser';
import { chooseBrowser, pickBrowser } from './pickBrowser';
import { findChosen } from '../targets/target';

/**
 * The extension of a row, else one that the user picks in a browser; `isPushed` prefers the one that was pushed to the browser over a
 * question. Undefined when the user cancels, or when the browser has none; a notification says that.
 */
export async function chooseExtension(
  wiring: BrowserWiring,
  argument: unknown,
  question: string,
  { isPushed }: { isPushed: boolean },
): Promise<BrowserExtension | undefined> {
  const row = itemOf(argument, 'browserExtension');
  if (row) return row;
  const browser = await browserOf(wiring, argument);
  return browser && (await chooseExtensionIn(wiring, browser, question, { isPushed }));
}

/**
 * As `chooseExtension` with `isPushed`, but where the argument gives no browser, the one that pushes go to is preferred over a question, too,
 * if this window has pushed to it and it runs.
 */
export async function choosePushed(
  wiring: BrowserWiring,
  argument: unknown,
  question: string,
): Promise<BrowserExtension | undefined> {
  const row = itemOf(argument, 'browserExtension');
  if (row) return row;
  const { connection } = wiring;
  const browser =
    (await givenBrowser(connection, argument)) ??
    (await browserPushedTo(wiring)) ??
    (await pickBrowser(connection, whichBrowser()));
  return browser && (await chooseExtensionIn(wiring, browser, question, { isPushed: true }));
}

/**
 * A command for the extension of a row, else the pushed one, else the one that the user picks; `act` is not called when the user cancels. `load`
 * imports what it needs, with the first use.
 */
export function extensionCommand<T>(
  wiring: BrowserWiring,
  load: () => Promise<T>,
  act: (loaded: T, chosen: BrowserExtension) => Promise<void>,
): Handler {
  return async (row) => {
    const chosen = await choosePushed(wiring, row, l10n.t('Select the extension'));
    if (chosen) await act(await load(), chosen);
  };
}

/** The browser that pushes go to, if this window has pushed to it and it runs; undefined where that is so of several pinned ones. */
async function browserPushedTo(wiring: BrowserWiring): Promise<Browser | undefined> {
  const { running } = await findChosen(await wiring.connection.client(), wiring);
  const pushedTo = running.filter(({ id }) => wiring.records.pushed(id) !== undefined);
  return pushedTo.length === 1 ? pushedTo[0] : undefined;
}

async function chooseExtensionIn(
  wiring: BrowserWiring,
  browser: Browser,
  question: string,
  { isPushed }: { isPushed: boolean },
): Promise<BrowserExtension | undefined> {
  const extensions = await withBrowser(wiring, browser, () => withLink(wiring, browser, (link) => link.extensions()));
  if (!extensions) return undefined;
  if (extensions.length === 0) {
    showInformation(l10n.t('{0} has no extension. Push one first.', browserLabel(browser)));
    return undefined;
  }
  const pushedId = wiring.records.pushed(browser.id)?.extensionId;
  const pushed = isPushed ? extensions.find(({ id }) => id === pushedId) : undefined;
  const extension = pushed ?? (await pickExtension(extensions, question));
  return extension && { browser, extension };
}

/** The browser of a row or a command's argument, else one that the user picks. */
export async function browserOf({ connection }: BrowserWiring, argument: unknown): Promise<Browser | undefined> {
  return await chooseBrowser(connection, argument, whichBrowser());
}

function whichBrowser(): string {
  return l10n.t('Select the browser it is in');
}

/** The only one, else the one that the user picks. */
async function pickExtension(
  extensions: readonly LoadedExtension[],
  placeHolder: string,
): Promise<LoadedExtension | undefined> {
  const [only] = extensions;
  if (extensions.length === 1) return only;
  const choices = extensions.map((extension) => ({
    label: `${extension.name} ${extension.version}`,
    description: extension.id,
    extension,
  }));
  return (await pick(choices, { placeHolder }))?.extension;
}
