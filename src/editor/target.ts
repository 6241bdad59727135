import { EventEmitter, l10n, window, type Disposable, type Memento } from 'vscode';
import type { ServiceClient } from '../service/client';
import { ServiceError } from '../service/errors';
import type { BrowserSession } from '../service/model';
import type { ServiceConnection } from './connection';
import type { Log } from './log';
import { ageText, browserLabel } from './nodes';
import type { PushPins } from './pins';

const TARGET_KEY = 'pushTarget';

/** The browser that pushes of this workspace go to without asking. Remembered per workspace. */
export class PushTarget implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
  }

  get sessionId(): string | undefined {
    return this.#memory.get<string>(TARGET_KEY);
  }

  async remember(sessionId: string | undefined): Promise<void> {
    if (sessionId === this.sessionId) return;
    await this.#memory.update(TARGET_KEY, sessionId);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/**
 * The browser to act on without asking: the remembered one while it runs, else the only one that runs. A remembered one that is
 * gone is forgotten. Undefined when there is none or several.
 */
export async function findTarget(
  client: ServiceClient,
  target: PushTarget,
  signal?: AbortSignal,
): Promise<BrowserSession | undefined> {
  const remembered = target.sessionId;
  if (remembered !== undefined) {
    try {
      const session = await client.getBrowser(remembered, signal);
      if (!session.deleted_at) return session;
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'notFound')) throw error;
    }
    await target.remember(undefined);
  }
  const running = await listRunning(client, signal);
  return running.length === 1 ? running[0] : undefined;
}

/** The browsers to push to without asking: the pinned ones that run, else the target. Empty when there is neither. */
export async function findTargets(
  client: ServiceClient,
  { pins, target, log }: { pins: PushPins; target: PushTarget; log: Log },
): Promise<BrowserSession[]> {
  const pinned = await pins.findRunning(client, log);
  if (pinned.length > 0) return pinned;
  const session = await findTarget(client, target);
  return session ? [session] : [];
}

/** Asks for one of the running browsers; `create` stands at the end of the list. Undefined when the user backs out. */
export async function pickBrowser(
  connection: ServiceConnection,
  placeHolder: string,
  create?: () => Promise<BrowserSession | undefined>,
): Promise<BrowserSession | undefined> {
  interface Choice {
    label: string;
    description?: string;
    session?: BrowserSession;
  }
  const running = await listRunning(await connection.client());
  const choices: Choice[] = running.map((session) => ({ ...choiceOf(session), session }));
  if (create) choices.push({ label: `$(add) ${l10n.t('Create Browser')}` });
  if (choices.length === 0) return tellNoneRuns();
  const choice = await window.showQuickPick(choices, { placeHolder, matchOnDescription: true });
  if (!choice) return undefined;
  return choice.session ?? (await create?.());
}

/**
 * Asks for any number of the running browsers; those that `isPicked` are ticked at first. Undefined when the user backs out, or
 * when none runs.
 */
export async function pickBrowsers(
  connection: ServiceConnection,
  placeHolder: string,
  isPicked: (sessionId: string) => boolean,
): Promise<BrowserSession[] | undefined> {
  const running = await listRunning(await connection.client());
  if (running.length === 0) return tellNoneRuns();
  const choices = running.map((session) => ({
    ...choiceOf(session),
    picked: isPicked(session.session_id),
    session,
  }));
  const picked = await window.showQuickPick(choices, { placeHolder, matchOnDescription: true, canPickMany: true });
  return picked?.map(({ session }) => session);
}

function choiceOf(session: BrowserSession): { label: string; description: string } {
  return {
    label: browserLabel(session),
    description: `${session.headless ? 'headless' : 'with window'} · ${ageText(session.created_at, Date.now())}`,
  };
}

function tellNoneRuns(): undefined {
  void window.showInformationMessage(l10n.t('No browser is running. Run "Sideload: Create Browser" first.'));
}

async function listRunning(client: ServiceClient, signal?: AbortSignal): Promise<BrowserSession[]> {
  const running: BrowserSession[] = [];
  for await (const session of client.listBrowsers({}, signal)) {
    if (!session.deleted_at) running.push(session);
  }
  return running;
}
