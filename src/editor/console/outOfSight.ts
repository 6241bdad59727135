import { realClock, type Clock, type Timer } from '../../base/clock';

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
  #timer: Timer | undefined;

  constructor(
    private readonly watched: Watched,
    private readonly clock: Clock = realClock,
  ) {}

  /** Call it whenever it has begun or ended, and when it may have come in sight or gone out of it. */
  update(): void {
    const { isRunning, isVisible, seconds, end } = this.watched;
    if (!isRunning() || isVisible()) {
      this.dispose();
      return;
    }
    const limit = Math.max(seconds(), LEAST_SECONDS);
    this.#timer ??= this.clock.after(limit * 1000, () => {
      this.#timer = undefined;
      end(limit);
    });
  }

  dispose(): void {
    this.#timer?.clear();
    this.#timer = undefined;
  }
}
