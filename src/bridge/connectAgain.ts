import type { Clock } from '../base/clock';

/** Pause before another attempt to reach the browser, in milliseconds. */
export const RETRY_MS = 300;

/** How long a browser may take to restart, in milliseconds; one that is away for longer is tried less often. */
const RESTART_LIMIT_MS = 10_000;

/** The pause from then on, in milliseconds. */
const LATE_RETRY_MS = 5000;

/**
 * Tries to connect to a browser that is away until that succeeds or the signal aborts; what fails goes to `onFailure`. Never rejects.
 */
export async function connectAgain(
  connect: () => Promise<void>,
  { clock, signal, onFailure }: { clock: Clock; signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  const began = clock.now();
  for (;;) {
    const waitMs = clock.now() - began < RESTART_LIMIT_MS ? RETRY_MS : LATE_RETRY_MS;
    try {
      await clock.delay(waitMs, { ref: false, signal });
      await connect();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
    }
  }
}
