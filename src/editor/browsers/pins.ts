import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../log';
import type { Parts } from '../parts';

const PINS_KEY = 'pinnedBrowsers';

/** A remembered browser; its label is shown when the browser no longer exists. */
interface Pin {
  sessionId: string;
  label: string;
}

/** The browsers that pushes of this workspace go to together, instead of the one target. Remembered per workspace. */
export class PushPins implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #memory: Memento;

  constructor({ context }: Parts) {
    this.#memory = context.workspaceState;
  }

  get isEmpty(): boolean {
    return this.#pins.length === 0;
  }

  has(sessionId: string): boolean {
    return this.#pins.some((pin) => pin.sessionId === sessionId);
  }

  async add(session: BrowserSession): Promise<void> {
    if (!this.has(session.session_id)) await this.#set([...this.#pins, pinOf(session)]);
  }

  async remove(sessionId: string): Promise<void> {
    if (this.has(sessionId)) await this.#set(this.#pins.filter((pin) => pin.sessionId !== sessionId));
  }

  /** Pins these browsers and no others. */
  async replace(sessions: readonly BrowserSession[]): Promise<void> {
    if (sessions.length > 0 || !this.isEmpty) await this.#set(sessions.map(pinOf));
  }

  /** The pinned browsers that run. Those that no longer exist are unpinned and logged. */
  async findRunning(client: ServiceClient, log: Log): Promise<BrowserSession[]> {
    const found = await Promise.all(
      this.#pins.map(async (pin) => ({ pin, session: await running(client, pin.sessionId) })),
    );
    for (const { pin, session } of found) {
      if (session) continue;
      log.info(`${pin.label} no longer exists, so it is unpinned`);
      await this.remove(pin.sessionId);
    }
    return found.flatMap(({ session }) => session ?? []);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  get #pins(): readonly Pin[] {
    return this.#memory.get<readonly Pin[]>(PINS_KEY, []);
  }

  async #set(pins: readonly Pin[]): Promise<void> {
    await this.#memory.update(PINS_KEY, pins);
    this.#changed.fire();
  }
}

function pinOf(session: BrowserSession): Pin {
  return { sessionId: session.session_id, label: browserLabel(session) };
}

async function running(client: ServiceClient, sessionId: string): Promise<BrowserSession | undefined> {
  try {
    const session = await client.getBrowser(sessionId);
    return session.deleted_at ? undefined : session;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}
