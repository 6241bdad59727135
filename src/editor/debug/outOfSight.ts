/** The shortest time out of sight, in seconds: a panel that is being opened is not in sight yet. */
const LEAST_SECONDS = 5;

/** What is ended when it has not been visible for a while. */
export interface Watched {
  /** Whether there is something to end. */
  isRunning: () => boolean;
  isVisible: () => boolean;
  /** How long it may be out of sight. */
  seconds: () => number;
  /** Called with the time after which it is ended, in seconds. */
  end: (seconds: number) => void;
}

/** Ends something that costs when it has not been visible for a while. */
export class OutOfSight {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly watched: Watched) {}

  /** Call it whenever it has begun or ended, and when it may have come in sight or gone out of it. */
  look(): void {
    const { isRunning, isVisible, seconds, end } = this.watched;
    if (!isRunning() || isVisible()) {
      this.dispose();
      return;
    }
    const limit = Math.max(seconds(), LEAST_SECONDS);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      end(limit);
    }, limit * 1000);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
