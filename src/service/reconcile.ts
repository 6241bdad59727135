import { realClock, type Clock } from '../base/clock';
import { ServiceError } from './serviceErrors';

/** How long and how often to check the outcome of a request, in milliseconds. */
export interface SettleTimes {
  settleMs: number;
  everyMs: number;
}

/** The service processes what it has received even after the connection is closed; it unpacks an archive within seconds. */
const DEFAULT_SETTLE_TIMES: SettleTimes = { settleMs: 3000, everyMs: 300 };

/**
 * Whether a request that was sent once, and whose response was lost (`ServiceError.mayHaveHappened`), was done. `isDone` checks this at the
 * service: at once, and then repeatedly until it is true or the time is over. The time that the service takes to answer a check is not
 * counted: one that is slow to answer is slow to do, too. The result is false only after a check past that time, so failing checks are
 * repeated for the same time once more. False means that it is not done yet: no answer of the service says that it will never be.
 * @throws the ServiceError of the last check when that failed too; the reason of `signal` when that aborts.
 */
export async function reconcile(
  isDone: () => Promise<boolean>,
  { settleMs, everyMs }: SettleTimes = DEFAULT_SETTLE_TIMES,
  signal?: AbortSignal,
  clock: Clock = realClock,
): Promise<boolean> {
  let settled = clock.now() + settleMs;
  for (;;) {
    const asked = clock.now();
    try {
      if (await isDone()) return true;
      if (asked >= settled) return false;
      settled += clock.now() - asked;
    } catch (error) {
      if (!(error instanceof ServiceError) || asked >= settled + settleMs) throw error;
    }
    await clock.delay(everyMs, { signal });
  }
}
