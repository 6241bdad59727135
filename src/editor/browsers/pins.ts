import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { ServiceClient } from '../../service/client';
import { ServiceError } from '../../service/errors';
import type { BrowserSession } from '../../service/model';
import { browserLabel } from '../lists/labels';
import type { Log } from '../log';

const PINS_KEY = 'pinnedBrowsers';

/** A browser as it is remembered: its name is for the day when it is gone. */
interface Pin {
  sessionId: string;
  label: string;
}

/** The browsers that pushes of this workspace go to together, instead of the one target. Remembered per workspace. */
export class PushPins implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #memory: Memento;

  constructor(memory: Memento) {
    this.#memory = memory;
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

  /** The pinned browsers that run. Those that are gone are unpinned, with a line in the log each. */
  async findRunning(client: ServiceClient, log: Log): Promise<BrowserSession[]> {
    const found = await Promise.all(
      this.#pins.map(async (pin) => ({ pin, session: await running(client, pin.sessionId) })),
    );
    for (const { pin, session } of found) {
      if (session) continue;
      log.info(`${pin.label} is gone, so it is no longer pinned as a push target`);
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
