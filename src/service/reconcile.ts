import { ServiceError } from './errors';
import { pause } from './wire/retry';

/** For how long, and how often, it is looked for something that may still come, in milliseconds. */
export interface Settling {
  settleMs: number;
  everyMs: number;
}

/** The service goes on with what it has received although the connection is gone; an archive is unpacked within seconds. */
export const DEFAULT_SETTLING: Settling = { settleMs: 3000, everyMs: 300 };

/**
 * Whether something that was sent once, and whose answer was lost (`ServiceError.mayHaveHappened`), was done. `isDone` looks at
 * the service; it is asked at once, and again while the answer is no and the time has not passed. Only a look after that time
 * makes it a no, so looks that fail are repeated for as long again.
 * @throws the ServiceError of the last look when that failed too: then nobody knows. The reason of `signal` when that aborts.
 */
export async function reconcile(
  isDone: () => Promise<boolean>,
  { settleMs, everyMs }: Settling = DEFAULT_SETTLING,
  signal?: AbortSignal,
): Promise<boolean> {
  const settled = performance.now() + settleMs;
  for (;;) {
    const now = performance.now();
    try {
      if (await isDone()) return true;
      if (now >= settled) return false;
    } catch (error) {
      if (!(error instanceof ServiceError) || now >= settled + settleMs) throw error;
    }
    await pause(everyMs, signal);
  }
}
