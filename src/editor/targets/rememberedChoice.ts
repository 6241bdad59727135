import { EventEmitter } from 'vscode';
import type { ServiceWiring } from '../service/connection';

/** What the user has chosen in this workspace, for each service by itself: its browsers are its own. */
export class Choice<T> {
  readonly #changed = new EventEmitter<void>();
  readonly #renamed = new EventEmitter<void>();
  /** Fires when something else is chosen, also because another service is in use. */
  readonly onDidChange = this.#changed.event;
  /** Fires when what is chosen has another name. */
  readonly onDidRename = this.#renamed.event;

  /** `name`: that of the choice in the state of the workspace. */
  protected constructor(
    private readonly name: string,
    private readonly wiring: ServiceWiring,
  ) {
    wiring.own(
      wiring.connection.onDidChange(() => this.#changed.fire()),
      this.#changed,
      this.#renamed,
    );
  }

  protected get chosen(): T | undefined {
    return this.wiring.context.workspaceState.get<T>(this.#key);
  }

  /** Chooses something else; undefined for nothing. */
  protected async choose(now: T | undefined): Promise<void> {
    await this.wiring.context.workspaceState.update(this.#key, now);
    this.#changed.fire();
  }

  /** Takes another description of what is chosen over. */
  protected async describe(now: T, hasOtherName = true): Promise<void> {
    await this.wiring.context.workspaceState.update(this.#key, now);
    if (hasOtherName) this.#renamed.fire();
  }

  get #key(): string {
    return `${this.name}:${this.wiring.connection.key}`;
  }
}
