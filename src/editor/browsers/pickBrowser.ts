import * as l10n from '@vscode/l10n';
import type { ServiceClient } from '../../service/client';
import type { BrowserSession } from '../../service/model';
import { ageText } from '../lists/ages';
import { browserLabel, modeText } from '../lists/labels';
import { pick, pickMany, showInformation, type Choice } from '../notify';
import type { ServiceConnection } from '../service/connection';

/**
 * Asks for one of the running browsers that `isOffered`; `create` is the last choice. Undefined when the user cancels, or when
 * there is none; a notification says that.
 */
export async function pickBrowser(
  connection: ServiceConnection,
  placeHolder: string,
  create?: () => Promise<BrowserSession | undefined>,
  isOffered: (session: BrowserSession) => boolean = () => true,
): Promise<BrowserSession | undefined> {
  const running = await listRunning(await connection.client());
  const choices: (Choice & { session?: BrowserSession })[] = running.filter(isOffered).map((session) => ({
    ...choiceOf(session),
    session,
  }));
  if (create) choices.push({ icon: 'add', label: l10n.t('Create Browser…') });
  if (choices.length === 0) return showNone(running.length > 0);
  const choice = await pick(choices, { placeHolder });
  if (!choice) return undefined;
  return choice.session ?? (await create?.());
}

/**
 * Asks for any number of the running browsers; those that `isPicked` are ticked at first. Undefined when the user cancels, or
 * when none runs.
 */
export async function pickBrowsers(
  connection: ServiceConnection,
  placeHolder: string,
  isPicked: (sessionId: string) => boolean,
): Promise<BrowserSession[] | undefined> {
  const running = await listRunning(await connection.client());
  if (running.length === 0) return showNone(false);
  const choices = running.map((session) => ({
    ...choiceOf(session),
    picked: isPicked(session.session_id),
    session,
  }));
  const picked = await pickMany(choices, { placeHolder });
  return picked?.map(({ session }) => session);
}

function choiceOf(session: BrowserSession): { label: string; description: string } {
  const age = ageText(Date.parse(session.created_at), Date.now());
  return { label: browserLabel(session), description: [modeText(session), age].join(' · ') };
}

function showNone(runOthers: boolean): undefined {
  showInformation(runOthers ? l10n.t('No running browser can do this.') : l10n.t('No browser is running.'));
}

/** All browsers of the service that run. */
export async function listRunning(client: ServiceClient, signal?: AbortSignal): Promise<BrowserSession[]> {
  const running: BrowserSession[] = [];
  for await (const session of client.listBrowsers({}, signal)) {
    if (!session.deleted_at) running.push(session);
  }
  return running;
}
