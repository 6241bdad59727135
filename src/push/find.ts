import { DevToolsError } from '../devtools/connect';
import { listExtensions, type LoadedExtension } from '../devtools/extensions';
import type { DeliverRequest } from './deliverRequest';
import { folderNameOf, isFolderOf } from './folderName';
import { unblock } from './unblock';

/** What is loaded from the folder of an extension on the browser; `loaded` is undefined when nothing is. */
export interface LoadedState {
  folderName: string;
  loaded: LoadedExtension | undefined;
}

/**
 * Looks over DevTools for what the browser has loaded from the folder of the extension `name`. Undefined when DevTools was never
 * reached and a restart may stand in for it: once it was, a failure passes, and restarting the browser for it would close tabs
 * for nothing.
 * @throws DevToolsError
 */
export async function find(
  name: string,
  request: DeliverRequest,
  signal: AbortSignal | undefined,
): Promise<LoadedState | undefined> {
  const { session, browsers, delivery, folderName: configured, log } = request;
  const folderName = folderNameOf(name, configured);
  const look = async (): Promise<LoadedState> => {
    const extensions = await browsers.use(session, ({ connection }) => listExtensions(connection), signal);
    const ours = extensions.filter(({ path }) => isFolderOf(folderName, path));
    const loaded = ours.find(({ enabled }) => enabled) ?? ours[0];
    return { folderName: loaded?.path.split('/').at(-1) ?? folderName, loaded };
  };
  const wasReached = browsers.wasReached(session);
  try {
    // A connection that is kept may turn out to be lost; looking twice does no harm.
    return await (wasReached ? look().catch(look) : look());
  } catch (error) {
    if (!(error instanceof DevToolsError) || signal?.aborted) throw error;
    if (wasReached && (await isGoingAgain(request, signal))) return await look();
    if (wasReached || delivery === 'inPlace') throw error;
    log.warn(`DevTools cannot be reached (${error.message}), so the push restarts the browser and cannot be verified.`);
    return undefined;
  }
}

/** Gets a browser going that was reached before and now stands still over a folder that somebody else has uploaded. */
async function isGoingAgain(
  { service, session, log }: DeliverRequest,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (session.headless) return false;
  return (await unblock({ service, session, mend: () => Promise.resolve(), log }, signal)) === 'unblocked';
}
