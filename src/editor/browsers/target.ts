import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import type { Log } from '../log';
import type { Parts } from '../parts';
import { listRunning } from './pickBrowser';
import type { PushPins } from './pins';
import { remembered, type RememberedBrowser } from './remembered';

const TARGET_KEY = 'targetBrowser';

/** The browser that pushes of this workspace go to without asking. Remembered per workspace. */
export class PushTarget implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #memory: Memento;

  constructor({ context }: Parts) {
    this.#memory = context.workspaceState;
  }

  get browser(): RememberedBrowser | undefined {
    return this.#memory.get<RememberedBrowser>(TARGET_KEY);
  }

  get sessionId(): string | undefined {
    return this.browser?.sessionId;
  }

  async remember(session: BrowserSession): Promise<void> {
    const known = this.sessionId;
    await this.#memory.update(TARGET_KEY, remembered(session));
    if (session.session_id !== known) this.#changed.fire();
  }

  async forget(): Promise<void> {
    if (this.browser === undefined) return;
    await this.#memory.update(TARGET_KEY, undefined);
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/**
 * The browser to act on without asking: the remembered one while it runs, else the only running one. A remembered browser that no
 * longer exists is forgotten. Undefined when none or several run.
 */
export async function findTarget(
  client: ServiceClient,
  target: PushTarget,
  signal?: AbortSignal,
): Promise<BrowserSession | undefined> {
  const { sessionId } = target;
  if (sessionId !== undefined) {
    try {
      const session = await client.getBrowser(sessionId, signal);
      if (!session.deleted_at) return session;
    } catch (error) {
      if (!(error instanceof ServiceError && error.kind === 'notFound')) throw error;
    }
    await target.forget();
  }
  const running = await listRunning(client, signal);
  return running.length === 1 ? running[0] : undefined;
}

/** The browsers to push to without asking: the running pinned ones, else the target. May be empty. */
export async function findTargets(
  client: ServiceClient,
  { pins, target, log }: { pins: PushPins; target: PushTarget; log: Log },
): Promise<BrowserSession[]> {
  const pinned = await pins.findRunning(client, log);
  if (pinned.length > 0) return pinned;
  const session = await findTarget(client, target);
  return session ? [session] : [];
}
