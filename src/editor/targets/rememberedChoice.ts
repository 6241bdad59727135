import { EventEmitter, type Disposable, type Memento } from 'vscode';
import type { ServiceConnection, ServiceWiring } from '../service/connection';

/** What the user has chosen in this workspace, for each service by itself: its browsers are its own. */
export class Choice<T> implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #renamed = new EventEmitter<void>();
  /** Fires when something else is chosen, also because another service is in use. */
  readonly onDidChange = this.#changed.event;
  /** Fires when what is chosen has another name. */
  readonly onDidRename = this.#renamed.event;
  readonly #name: string;
  readonly #memory: Memento;
  readonly #connection: ServiceConnection;
  readonly #subscription: Disposable;

  /** `name`: that of the choice in the state of the workspace. */
  protected constructor(name: string, { context, connection }: ServiceWiring) {
    this.#name = name;
    this.#memory = context.workspaceState;
    this.#connection = connection;
    this.#subscription = connection.onDidChange(() => this.#changed.fire());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#renamed.dispose();
  }

  protected get chosen(): T | undefined {
    return this.#memory.get<T>(this.#key);
  }

  /** Chooses something else; undefined for nothing. */
  protected async choose(now: T | undefined): Promise<void> {
    await this.#memory.update(this.#key, now);
    this.#changed.fire();
  }

  /** Takes another description of what is chosen over. */
  protected async describe(now: T, hasOtherName = true): Promise<void> {
    await this.#memory.update(this.#key, now);
    if (hasOtherName) this.#renamed.fire();
  }

  get #key(): string {
    return `${this.#name}:${this.#connection.key}`;
  }
}
