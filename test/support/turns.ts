import { setImmediate as turn } from 'node:timers/promises';

/** How much later each look at the clock is while turns are counted, in milliseconds. */
const STEP_MS = 2;

/**
 * The result of `work` and how many turns the event loop had until it ended: one at most where it was held. Time goes by with each look at the clock, so
 * that the count does not depend on how fast the machine is.
 */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let [turns, isOver, time] = [0, false, performance.now()];
  performance.now = () => (time += STEP_MS);
  try {
    const end = work().finally(() => (isOver = true));
    for (; !isOver; turns++) await turn();
    return { result: await end, turns };
  } finally {
    Reflect.deleteProperty(performance, 'now');
  }
}
