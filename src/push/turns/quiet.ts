import type { DeliveryMode } from '../browserDelivery';

/**
 * Quiet time after the last save before a push begins, in milliseconds. Saves of one action come closer together; a Save All is
 * recognised by documents that are still unsaved, so a longer time would only be felt.
 */
export const QUIET_MS = 5;

/** The same after the last write of a build, whose writes come in bursts, while nothing is known of them. */
export const BUILD_QUIET_MS = 120;

/** The least quiet time after the last write of a build, in milliseconds. */
const LEAST_BUILD_QUIET_MS = 40;

/** How many times as long as the longest pause within a build its quiet time is. */
const PAUSES = 3;

/** Builds of which the pauses are known before a shorter quiet time is used, and builds that are remembered. */
const BUILDS = { least: 2, most: 8 };

/** The least quiet time where each push restarts the browser, in milliseconds. */
const RESTART_QUIET_MS = 1000;

/** The quiet time before a push: `usual` milliseconds, or more where it restarts the browser. */
export function quietMs(usual: number, delivery: DeliveryMode): number {
  return delivery === 'restart' ? Math.max(usual, RESTART_QUIET_MS) : usual;
}

/** How long the writes of a build must have ended before it is pushed, as the builds before have taught. */
export class BuildQuiet {
  #lastMs = -Infinity;
  /** The longest pause of each build, in milliseconds, the current one last. */
  #pauses: number[] = [];

  /** Notes when files were written, in milliseconds of one clock; a time that is noted already is ignored. */
  note(times: Iterable<number>): void {
    for (const at of [...times].sort((a, b) => a - b)) {
      if (at <= this.#lastMs) continue;
      const pause = at - this.#lastMs;
      if (pause < BUILD_QUIET_MS) this.#pauses.push(Math.max(this.#pauses.pop() ?? 0, pause));
      else this.#pauses = [...this.#pauses.slice(1 - BUILDS.most), 0];
      this.#lastMs = at;
    }
  }

  /** The quiet time after the last write, in milliseconds. */
  get ms(): number {
    if (this.#pauses.length <= BUILDS.least) return BUILD_QUIET_MS;
    return Math.min(Math.max(PAUSES * Math.max(...this.#pauses), LEAST_BUILD_QUIET_MS), BUILD_QUIET_MS);
  }
}
