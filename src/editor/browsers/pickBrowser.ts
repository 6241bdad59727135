import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import { isNamed } from '../../service/identifier';
import { ServiceError } from '../../service/serviceErrors';
import type { Browser } from '../../service/model';
import { UserError } from '../errorTexts';
import { ageText } from '../lists/ages';
import { browserLabel, modeText } from '../lists/labels';
import { pick, pickMany, type Choice } from '../notify';
import type { ServiceConnection } from '../service/connection';
import { askId, enterChoice, enteredBrowser } from './enterId';
import { givenBrowser } from './namedBrowser';
import { collect } from './pickRecord';

/** What `pickBrowser` takes besides the connection. */
type PickQuestion =
  Parameters<typeof pickBrowser> extends [ServiceConnection, ...infer Question extends unknown[]] ? Question : never;

/** A browser, or what to do instead of choosing one. */
type BrowserChoice = Choice & { browser?: Browser; act?: () => Promise<Browser | undefined> };

/**
 * Asks for one of the running browsers that `isOffered`; `create` and an id that is entered are the last choices. Undefined when the user
 * cancels.
 */
export async function pickBrowser(
  connection: ServiceConnection,
  placeHolder: string,
  create?: () => Promise<Browser | undefined>,
  isOffered: (browser: Browser) => boolean = () => true,
): Promise<Browser | undefined> {
  const running = await listRunning(connection);
  if (running.length === 0 && !create) await requireListless(connection);
  const choices: BrowserChoice[] = running.filter(isOffered).map((browser) => ({ ...choiceOf(browser), browser }));
  const choice = await pick([...choices, ...(await otherChoices(connection, create))], { placeHolder });
  return choice?.browser ?? (await choice?.act?.());
}

/**
 * The browser of a row, else the one that `browser` of a command's argument names by its id or name, else one that `pickBrowser` asks for.
 * @throws UserError when no such browser runs
 */
export async function chooseBrowser(
  connection: ServiceConnection,
  argument: unknown,
  ...question: PickQuestion
): Promise<Browser | undefined> {
  return (await givenBrowser(connection, argument)) ?? (await pickBrowser(connection, ...question));
}

/**
 * Asks for any number of the running browsers; those that `isPicked` are ticked at first. `create` and an id that is entered are the last
 * choices. Undefined when the user cancels.
 */
export async function pickBrowsers(
  connection: ServiceConnection,
  placeHolder: string,
  isPicked: (browserId: string) => boolean,
  create?: () => Promise<Browser | undefined>,
): Promise<Browser[] | undefined> {
  const running = await listRunning(connection);
  const choices: BrowserChoice[] = running.map((browser) => ({
    ...choiceOf(browser),
    picked: isPicked(browser.id),
    browser,
  }));
  const picked = await pickMany([...choices, ...(await otherChoices(connection, create))], { placeHolder });
  const browsers: Browser[] = [];
  for (const { browser, act } of picked ?? []) {
    const chosen = browser ?? (await act?.());
    if (!chosen) return undefined;
    browsers.push(chosen);
  }
  return picked && browsers;
}

/**
 * An id can still be entered where the service lists no browsers.
 * @throws UserError where it does, and none runs
 */
async function requireListless(connection: ServiceConnection): Promise<void> {
  if ((await connection.client()).lacks('listBrowsers')) return;
  throw new UserError(
    l10n.t('No browser is running.'),
    { label: l10n.t('Run Extension'), command: COMMANDS.runExtension },
    { label: l10n.t('Create Browser…'), command: COMMANDS.createBrowser },
  );
}

/** What can be done instead of choosing a browser that runs. */
async function otherChoices(
  connection: ServiceConnection,
  create: (() => Promise<Browser | undefined>) | undefined,
): Promise<BrowserChoice[]> {
  const isOffered = create && !(await connection.client()).lacks('createBrowser');
  return [
    ...(isOffered ? [{ icon: 'add', label: l10n.t('Create Browser…'), act: create }] : []),
    { ...enterChoice(), act: () => enterBrowser(connection) },
  ];
}

/**
 * Asks for the id of a browser; undefined when the user cancels.
 * @throws UserError when no such browser runs
 */
export async function enterBrowser(connection: ServiceConnection): Promise<Browser | undefined> {
  const id = await askId(connection, 'browser');
  return id === undefined ? undefined : await enteredBrowser(connection, id);
}

function choiceOf(browser: Browser): { label: string; description: string } {
  const { headless, createdAt } = browser;
  const facts = [
    ...(headless === undefined ? [] : [modeText({ headless })]),
    ...(createdAt === undefined ? [] : [ageText(Date.parse(createdAt), Date.now())]),
  ];
  return { label: browserLabel(browser), description: facts.join(' · ') };
}

/**
 * Of {@link listRunning}, the browser with an id or a name; undefined when there is none. A service that lists no browsers is asked for that one, whose id
 * need not have been entered before.
 */
export async function findRunning(connection: ServiceConnection, idOrName: string): Promise<Browser | undefined> {
  const found = (await listRunning(connection)).find((browser) => isNamed(browser, idOrName));
  const client = await connection.client();
  return found ?? (client.lacks('listBrowsers') ? await client.findBrowser(idOrName) : undefined);
}

/** All browsers of the service that run; of a service that lists none, those whose ids were entered. */
export async function listRunning(connection: ServiceConnection): Promise<Browser[]> {
  const client = await connection.client();
  try {
    return (await collect(client.listBrowsers())).filter(({ deletedAt }) => !deletedAt);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'unsupported') throw error;
    const entered = connection.entered.of('browser').map((id) => client.findBrowser(id));
    // One may have been entered by its id and by its name.
    const found = (await Promise.all(entered)).flatMap((browser) => (browser ? [[browser.id, browser] as const] : []));
    return [...new Map(found).values()];
  }
}
