import * as l10n from '@vscode/l10n';
import type { Browser } from '../../../service/model';
import { askTextOr } from '../../notify';
import type { BrowserWiring } from '../browserWiring';
import { askOptions } from './createOptions';
import { defaultName, nameFor, nameNote, nameProblem } from '../defaultNames';
import { listRunning } from '../pickBrowser';
import { acquireFromPool } from './poolBrowser';
import { startBrowser } from './startBrowser';

/**
 * Asks for a name, which is that of the open extension at first, and starts a browser, which becomes the push target unless a chosen one
 * runs. A button leads to all options. Undefined when the user cancels.
 */
export async function createBrowser(wiring: BrowserWiring): Promise<Browser | undefined> {
  const taken = await takenNames(wiring);
  const answer = await askTextOr(
    {
      title: l10n.t('Create Browser'),
      prompt: l10n.t('Name of the browser. Enter starts it; the button above has more options.'),
      value: await defaultName(wiring.context.workspaceState, taken),
      noteOf: nameNote,
      problemOf: (text) => problemOf(text, taken),
    },
    { icon: 'settings-gear', tooltip: l10n.t('Options…') },
  );
  if (!answer) return undefined;
  const name = problemOf(answer.text, taken) === undefined ? nameFor(answer.text) : '';
  if (answer.isButton) return await startWithOptions(wiring, name, taken);
  return await startBrowser(wiring, name === '' ? {} : { name });
}

/** Asks for all options of a browser and starts it. Undefined when the user cancels. */
export async function createBrowserWithOptions(wiring: BrowserWiring): Promise<Browser | undefined> {
  const taken = await takenNames(wiring);
  return await startWithOptions(wiring, await defaultName(wiring.context.workspaceState, taken), taken);
}

async function startWithOptions(
  wiring: BrowserWiring,
  name: string,
  taken: readonly string[],
): Promise<Browser | undefined> {
  const options = await askOptions(wiring.connection, name, (text) => problemOf(text, taken));
  if (!options) return undefined;
  const { pool, request } = options;
  return pool
    ? await acquireFromPool(wiring, pool, request)
    : await startBrowser(wiring, request, { isConfirmed: true });
}

async function takenNames({ connection, lists }: BrowserWiring): Promise<string[]> {
  const { browsers } = lists;
  const running = browsers.isLoaded && browsers.query === undefined ? browsers.items : await listRunning(connection);
  return running.flatMap(({ name, deletedAt }) => (name && !deletedAt ? [name] : []));
}

function problemOf(text: string, taken: readonly string[]): string | undefined {
  const problem = nameProblem(text);
  if (problem !== undefined) return problem;
  return taken.includes(nameFor(text)) ? l10n.t('A browser of this name is running already.') : undefined;
}
