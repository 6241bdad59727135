import type { Browser } from '../../service/model';
import { defaultName } from '../browsers/defaultNames';
import { listRunning } from '../browsers/pickBrowser';
import { startAgain } from '../browsers/creating/startAgain';
import { startBrowser } from '../browsers/creating/startBrowser';
import { findChosen } from '../targets/target';
import type { PushParts } from './pushWiring';

/** The chosen browsers, those that have ended started again; else a new one. Undefined when the user cancels. */
export async function browsersToRun(parts: PushParts): Promise<Browser[] | undefined> {
  const { connection, context } = parts;
  const client = await connection.client();
  const { running, ended } = await findChosen(client, parts);
  if (ended.length > 0) {
    const again = await startAgain(parts, ended);
    return again && [...running, ...again];
  }
  if (running.length > 0) return running;
  const taken = (await listRunning(connection)).flatMap(({ name }) => name ?? []);
  const browser = await startBrowser(parts, { name: await defaultName(context.workspaceState, taken) });
  return browser && [browser];
}
