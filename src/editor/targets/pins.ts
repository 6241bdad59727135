import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { Browser } from '../../service/model';
import type { ServiceConnection, ServiceParts } from '../service/connection';
import { remembered, renamed, type RememberedBrowser } from './remembered';

const PINS_KEY = 'pinned';

/** The browsers that pushes of this workspace go to together, instead of the one target. Remembered per workspace. */
export class PushPins implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #renamed = new EventEmitter<void>();
  /** Fires when a pinned browser has another name. */
  readonly onDidRename = this.#renamed.event;
  readonly #memory: Memento;
  readonly #connection: ServiceConnection;
  readonly #subscription: Disposable;

  constructor({ context, connection }: ServiceParts) {
    this.#memory = context.workspaceState;
    this.#connection = connection;
    this.#subscription = connection.onDidChange(() => {
      this.#changed.fire();
    });
  }

  get browsers(): readonly RememberedBrowser[] {
    return this.#memory.get<readonly RememberedBrowser[]>(this.#key, []);
  }

  get isEmpty(): boolean {
    return this.browsers.length === 0;
  }

  has(sessionId: string): boolean {
    return this.browsers.some((pin) => pin.sessionId === sessionId);
  }

  async add(session: Browser): Promise<void> {
    if (!this.has(session.id)) await this.#set([...this.browsers, remembered(session)]);
  }

  async remove(sessionId: string): Promise<void> {
    if (this.has(sessionId)) await this.#set(this.browsers.filter((pin) => pin.sessionId !== sessionId));
  }

  /** Pins these browsers and no others. */
  async replace(sessions: readonly Browser[]): Promise<void> {
    if (sessions.length > 0 || !this.isEmpty) await this.#set(sessions.map(remembered));
  }

  /** Takes the names over that the service gives pinned browsers now, which are among these. */
  async follow(sessions: readonly Browser[]): Promise<void> {
    const now = renamed(this.browsers, sessions);
    if (!now) return;
    await this.#memory.update(this.#key, now);
    this.#renamed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#renamed.dispose();
  }

  /** Each service has browsers of its own. */
  get #key(): string {
    return `${PINS_KEY}:${this.#connection.key}`;
  }

  async #set(pins: readonly RememberedBrowser[]): Promise<void> {
    await this.#memory.update(this.#key, pins);
    this.#changed.fire();
  }
}
