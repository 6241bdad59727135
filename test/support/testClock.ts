import assert from 'node:assert/strict';
import { setImmediate as turnOfLoop, setTimeout as realDelay } from 'node:timers/promises';
import { type Clock, delayOn, type Timer } from '../../src/base/clock';

/** Turns of the event loop after which nothing is under way that needs no time: promises, and events of a replay. */
const IDLE_TURNS = 12;

/** How often work that waits for no call of the clock is given a millisecond, before a limit of the clock is reached. */
const REAL_WAITS = 40;

/** How often all that is waited in vain. */
const VAIN_ROUNDS = 15;

/** No code under test waits longer than this for anything, in milliseconds of the clock. */
const HORIZON_MS = 10 * 60_000;

interface Due {
  at: number;
  act: () => void;
  isRef: boolean;
}

/**
 * A clock that stands still until the test moves it. Calls come in the order in which they are due, and at equal times in that of their
 * making.
 */
export class TestClock implements Clock {
  #now = 0;
  #due: Due[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): Timer {
    const due: Due = { at: this.#now + Math.max(0, Number.isNaN(ms) ? 0 : ms), act, isRef: true };
    this.#due.push(due);
    const timer: Timer = {
      clear: () => {
        this.#due = this.#due.filter((other) => other !== due);
      },
      unref: () => {
        due.isRef = false;
        return timer;
      },
    };
    return timer;
  }

  delay(ms: number, options?: { signal?: AbortSignal | undefined; ref?: boolean }): Promise<void> {
    return delayOn(this, ms, options);
  }

  /** How many calls are due at some time. */
  get pending(): number {
    return this.#due.length;
  }

  /** Moves by `ms` milliseconds: what is due meanwhile is called in order, each time with the promises that follow from it. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.idle();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#call(next);
      await this.idle();
    }
    this.#now = end;
  }

  /** Waits, without moving, until nothing happens any more that needs no time. */
  async idle(): Promise<void> {
    for (let turn = 0; turn < IDLE_TURNS; turn++) await turnOfLoop();
  }

  /**
   * The outcome of `work`, for which the clock moves on to the next call that is due whenever all waits for time. Fails when `work` waits
   * for something that never comes; `isBusy` tells of work that needs no time and is not done yet.
   */
  async run<T>(work: Promise<T>, isBusy: () => boolean = () => false): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    work.then(done, done);
    const horizon = this.#now + HORIZON_MS;
    let vain = 0;
    for (;;) {
      for (let turn = 0; turn < IDLE_TURNS && !isDone; turn++) await turnOfLoop();
      if (isDone) return await work;
      if (isBusy()) continue;
      const awaited = this.#next(horizon, true);
      if (awaited) {
        for (let next = this.#next(awaited.at); next; next = this.#next(awaited.at)) this.#call(next);
        continue;
      }
      // Files and threads take real time.
      for (let wait = 0; wait < REAL_WAITS && !isDone && !isBusy(); wait++) await realDelay(1);
      if (isDone || isBusy()) continue;
      const limit = this.#next(horizon);
      vain += 1;
      assert.ok(limit !== undefined || vain < VAIN_ROUNDS, 'The work waits for something that never comes.');
      if (limit) this.#call(limit);
    }
  }

  /** The next call up to `end`; `isRef`: of those that the program waits for. */
  #next(end: number, isRef = false): Due | undefined {
    const [first] = this.#due.filter((due) => due.at <= end && (due.isRef || !isRef)).sort((a, b) => a.at - b.at);
    return first;
  }

  #call(due: Due): void {
    this.#due = this.#due.filter((other) => other !== due);
    this.#now = Math.max(this.#now, due.at);
    due.act();
  }
}
