/** A call that a clock has due. */
export interface Timer {
  /** Takes the call back. */
  clear(): void;
  /** The program may end before the call is due. */
  unref(): Timer;
}

/** Time, for code whose order or limits depend on it: the real one, or one that a test moves. */
export interface Clock {
  /** Milliseconds since some moment; they never go back. */
  now(): number;
  /** Calls `act` once after `ms` milliseconds. */
  after(ms: number, act: () => void): Timer;
  /**
   * Resolves after `ms` milliseconds; rejects with the reason of `signal` when that aborts. `ref: false`: the program may end before.
   */
  delay(ms: number, options?: { signal?: AbortSignal | undefined; ref?: boolean }): Promise<void>;
}

/** The time of this machine. */
export const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timeout = setTimeout(act, ms);
    const timer: Timer = {
      clear: () => clearTimeout(timeout),
      unref: () => {
        timeout.unref();
        return timer;
      },
    };
    return timer;
  },
  delay: (ms, options) => delayOn(realClock, ms, options),
};

/** {@link Clock.delay} of a clock that has timers. */
export function delayOn(
  clock: Pick<Clock, 'after'>,
  ms: number,
  { signal, ref = true }: { signal?: AbortSignal | undefined; ref?: boolean } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const onAbort = (): void => {
      timer.clear();
      if (signal) reject(reasonOf(signal));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    if (!ref) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * What `work` gives within `ms` milliseconds; undefined when it takes longer, and what becomes of it then is ignored. Rejects when it does so
 * in time. The program may end before.
 */
export async function inTime<T>(work: Promise<T>, ms: number, clock: Pick<Clock, 'after'>): Promise<T | undefined> {
  let timer: Timer | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = clock.after(ms, () => resolve(undefined)).unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    timer?.clear();
  }
}

/** Calls `act` after each `ms` milliseconds. Does not keep the program alive. */
export function repeat(clock: Pick<Clock, 'after'>, ms: number, act: () => void): Pick<Timer, 'clear'> {
  let timer: Timer;
  const next = (): void => {
    timer = clock
      .after(ms, () => {
        next();
        act();
      })
      .unref();
  };
  next();
  return {
    clear: () => timer.clear(),
  };
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason));
}
