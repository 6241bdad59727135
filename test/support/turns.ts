import { setImmediate as turn } from 'node:timers/promises';

/** Counts the turns of the event loop until `work` has ended: what holds the loop has none. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const end = work.finally(() => (isOver = true));
  for (; !isOver; turns++) await turn();
  await end;
  return turns;
}
