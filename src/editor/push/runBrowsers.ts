import type { Browser } from '../../service/model';
import { defaultName } from '../browsers/defaultNames';
import { listRunning } from '../browsers/pickBrowser';
import { startAgain } from '../browsers/creating/startAgain';
import { startBrowser } from '../browsers/creating/startBrowser';
import { findChosen } from '../targets/target';
import type { PushWiring } from './pushWiring';

/** The browsers that are being found or started, by the connection of their window. */
const finding = new WeakMap<PushWiring['connection'], Promise<Browser[] | undefined>>();

/**
 * The chosen browsers, those that have ended started again; else a new one. Undefined when the user cancels. Two calls at once, as after a
 * double click, start one browser.
 */
export async function browsersToRun(wiring: PushWiring): Promise<Browser[] | undefined> {
  const { connection } = wiring;
  const found = finding.get(connection) ?? findOrStart(wiring).finally(() => finding.delete(connection));
  finding.set(connection, found);
  return await found;
}

async function findOrStart(wiring: PushWiring): Promise<Browser[] | undefined> {
  const { connection, context } = wiring;
  const client = await connection.client();
  const { running, ended } = await findChosen(client, wiring);
  if (ended.length > 0) {
    const again = await startAgain(wiring, ended);
    return again && [...running, ...again];
  }
  if (running.length > 0) return running;
  const taken = (await listRunning(connection)).flatMap(({ name }) => name ?? []);
  const browser = await startBrowser(wiring, { name: await defaultName(context.workspaceState, taken) });
  return browser && [browser];
}
