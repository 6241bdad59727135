import { realClock, type Clock, type Timer } from '../base/clock';

/** Messages within this time belong together, in milliseconds. */
const WINDOW_MS = 1000;

/** Lines of a second that are read, and that are shown: the first ones and the last ones. */
export const LINES_A_SECOND = { first: 250, last: 250 };

/** What a limit lets pass of each second. */
export interface StormOptions<T> {
  /** So many messages at once. */
  first: number;
  /** And so many of the last ones at the end of the second. */
  last: number;
  /** Whether a message may wait until then; one that is too large is dropped instead. */
  mayWait?: (message: T) => boolean;
  pass: (message: T) => void;
  /** Called at the end of the second, before its last messages pass, with the number of those that do not. */
  onDropped: (count: number) => void;
}

/** Lets a bounded number of messages a second pass, in their order: of a storm its beginning, and the last ones of every second. */
export class StormLimit<T> {
  #passed = 0;
  #dropped = 0;
  /** The last messages; once there are enough, a ring that begins at `#oldest`. */
  #waiting: T[] = [];
  #oldest = 0;
  #timer: Timer | undefined;

  constructor(
    private readonly options: StormOptions<T>,
    private readonly clock: Clock = realClock,
  ) {}

  push(message: T): void {
    const { first, last, mayWait, pass } = this.options;
    this.#begin();
    if (this.#passed < first) {
      this.#passed += 1;
      pass(message);
    } else if (mayWait?.(message) === false) {
      this.#dropped += 1;
    } else if (this.#waiting.length < last) {
      this.#waiting.push(message);
    } else {
      this.#waiting[this.#oldest] = message;
      this.#oldest = (this.#oldest + 1) % last;
      this.#dropped += 1;
    }
  }

  /** Counts messages that were dropped elsewhere. */
  addDropped(count: number): void {
    this.#begin();
    this.#dropped += count;
  }

  /** Lets pass what is waiting, and begins another second. */
  flush(): void {
    this.#timer?.clear();
    this.#timer = undefined;
    const [waiting, oldest, dropped] = [this.#waiting, this.#oldest, this.#dropped];
    [this.#passed, this.#waiting, this.#oldest, this.#dropped] = [0, [], 0, 0];
    if (dropped > 0) this.options.onDropped(dropped);
    for (const message of [...waiting.slice(oldest), ...waiting.slice(0, oldest)]) this.options.pass(message);
  }

  /** Forgets what is waiting. */
  dispose(): void {
    this.#timer?.clear();
    this.#waiting = [];
  }

  #begin(): void {
    this.#timer ??= this.clock.after(WINDOW_MS, () => this.flush()).unref();
  }
}
