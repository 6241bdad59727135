/** JPEG qualities of a screencast, from the best to the smallest. Below 35, text cannot be read; the last is that of a coarse picture. */
const QUALITIES = [90, 75, 55, 35, 35] as const;

/** A frame that takes longer than this for its bytes alone is too large for the network, in milliseconds. */
const SLOW_MS = 80;

/** A frame that takes less than this leaves room for a better quality, in milliseconds. */
const FAST_MS = 25;

/** How many frames in a row must be slow, or fast, before the quality changes: one alone may have met a busy machine. */
const SLOW_FRAMES = 3;
const FAST_FRAMES = 45;

/** By so much the smallest delay that was seen grows with each frame, in milliseconds: clocks of two machines drift apart. */
const DRIFT_MS = 0.05;

/** The quality of a picture that may take its time. */
export const BEST_QUALITY = { quality: QUALITIES[0], isCoarse: false } as const;

/** A frame of a screencast: when the browser took it, and when it arrived, each by the clock of its own machine, in milliseconds. */
export interface FrameTimes {
  takenMs: number;
  arrivedMs: number;
}

/**
 * Chooses the JPEG quality of a screencast by the measured bandwidth. The smallest delay of all frames is distance and the difference of two
 * clocks; what a frame takes beyond that, it takes for its bytes. One step down after three slow frames, one up after many fast ones.
 */
export class StreamQuality {
  #step = 0;
  #leastMs = Number.POSITIVE_INFINITY;
  #slow = 0;
  #fast = 0;

  /** The quality to ask for now: 35 to 90. */
  get quality(): number {
    return QUALITIES[this.#step] ?? QUALITIES[0];
  }

  /** Whether the quality to ask for now is the best one. */
  get isBest(): boolean {
    return this.#step === 0;
  }

  /** Whether a picture with one pixel for each CSS pixel is all that the network can carry. */
  get isCoarse(): boolean {
    return this.#step === QUALITIES.length - 1;
  }

  /** Takes a frame into account; true when {@link quality} has changed. */
  note({ takenMs, arrivedMs }: FrameTimes): boolean {
    const delayMs = arrivedMs - takenMs;
    if (!Number.isFinite(delayMs)) return false;
    this.#leastMs = Math.min(this.#leastMs + DRIFT_MS, delayMs);
    const ownMs = delayMs - this.#leastMs;
    this.#slow = ownMs > SLOW_MS ? this.#slow + 1 : 0;
    this.#fast = ownMs < FAST_MS ? this.#fast + 1 : 0;
    if (this.#slow >= SLOW_FRAMES) return this.#move(1);
    if (this.#fast >= FAST_FRAMES) return this.#move(-1);
    return false;
  }

  #move(by: 1 | -1): boolean {
    this.#slow = 0;
    this.#fast = 0;
    const next = Math.min(Math.max(this.#step + by, 0), QUALITIES.length - 1);
    if (next === this.#step) return false;
    this.#step = next;
    return true;
  }
}
