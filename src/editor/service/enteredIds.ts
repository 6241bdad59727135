import { EventEmitter, type Disposable, type Memento } from 'vscode';

/** What an id or a name that was entered stands for. */
export type EnteredKind = 'browser' | 'profile' | 'extension';

const KEY = 'entered';

/** The most ids that are remembered of a kind; the oldest is dropped for another. */
const MOST_REMEMBERED = 50;

/**
 * The ids and names that the user has entered, for services that do not list what they have. Remembered for the workspace, for each service
 * and kind; the last one is the last entered.
 */
export class EnteredIds implements Disposable {
  readonly #changed = new EventEmitter<EnteredKind>();
  /** Fires when an id is added or removed. */
  readonly onDidChange = this.#changed.event;

  /** `service` identifies the service in use. */
  constructor(
    private readonly memory: Memento,
    private readonly service: () => string,
  ) {}

  of(kind: EnteredKind): readonly string[] {
    return this.memory.get<readonly string[]>(this.#keyOf(kind), []);
  }

  async add(kind: EnteredKind, id: string): Promise<void> {
    const others = this.of(kind).filter((known) => known !== id);
    await this.#set(kind, [...others, id].slice(-MOST_REMEMBERED));
  }

  /** What was entered has another name now: it takes the place of the known one, if that was entered. */
  async rename(kind: EnteredKind, known: string, now: string): Promise<void> {
    const all = this.of(kind);
    if (known === now || !all.includes(known)) return;
    const renamed = all.filter((id) => id !== now).map((id) => (id === known ? now : id));
    await this.#set(kind, renamed);
  }

  async remove(kind: EnteredKind, id: string): Promise<void> {
    const others = this.of(kind).filter((known) => known !== id);
    if (others.length < this.of(kind).length) await this.#set(kind, others);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #keyOf(kind: EnteredKind): string {
    return `${KEY}:${kind}:${this.service()}`;
  }

  async #set(kind: EnteredKind, ids: readonly string[]): Promise<void> {
    await this.memory.update(this.#keyOf(kind), ids);
    this.#changed.fire(kind);
  }
}
