/** Longest time to bring a window into a state again, in milliseconds: it may have to be opened before. */
const AGAIN_LIMIT_MS = 5 * 60_000;

/** A state of a window: `window` is that of one in which nothing has happened yet. */
type State<Name extends string> = Name | 'window';

/** How a window comes into a state: from another one, by a step; without `after`, from a window that was just opened. */
export interface Station<Name extends string> {
  readonly after?: Name;
  readonly reach: () => Promise<void>;
}

/** The test that runs, as far as a walk needs it. */
interface RunningTest {
  timeout(): number;
  timeout(ms: number): unknown;
}

/**
 * Tests that go through one window one after another, each from the state in which the one before has left it. After one that has failed,
 * nobody knows that state: then the next one begins in a new window, which is brought into the state that it needs. So a test fails for what
 * it is about alone.
 */
export class Walk<Name extends string> {
  #state: State<Name> | undefined = 'window';

  /**
   * `stations`: how to reach each state. `open`: closes what there is and opens another window, which is in the state `window`.
   */
  constructor(
    private readonly stations: Readonly<Record<Name, Station<NoInfer<Name>>>>,
    private readonly open: () => Promise<void>,
  ) {}

  /** The state in which the last test has left the window; undefined when it has failed. */
  get state(): State<Name> | undefined {
    return this.#state;
  }

  /** Brings the window into a state, unless it is in it. */
  async reach(wanted: State<Name>): Promise<void> {
    if (this.#state === wanted) return;
    const isNew = this.#state === 'window';
    this.#state = undefined;
    if (!isNew) await this.open();
    for (const name of this.#wayTo(wanted)) await this.stations[name].reach();
    this.#state = wanted;
  }

  /** Runs a test that needs a state and leaves the window in the state `to`. */
  async run(from: State<Name>, act: () => Promise<void>, to: State<Name> = from): Promise<void> {
    await this.reach(from);
    this.#state = undefined;
    await act();
    this.#state = to;
  }

  /** Declares such a test; `way` is the state that it needs, or that and the one in which it leaves the window. */
  it(title: string, way: State<Name> | readonly [from: State<Name>, to: State<Name>], act: () => Promise<void>): void {
    const [from, to] = typeof way === 'string' ? [way, way] : way;
    const isIn = (): boolean => this.#state === from;
    const run = (): Promise<void> => this.run(from, act, to);
    it(title, function (this: RunningTest) {
      if (!isIn()) this.timeout(this.timeout() + AGAIN_LIMIT_MS);
      return run();
    });
  }

  /** The states on the way from a new window to one, the first one first. */
  #wayTo(wanted: State<Name>): Name[] {
    if (wanted === 'window') return [];
    return [...this.#wayTo(this.stations[wanted].after ?? 'window'), wanted];
  }
}
