import type { PushOutcome } from '../push/pushRun';

/** What a program ends with. `delivered`: the service has taken the build and restarted the browser, and nothing verifies what runs. */
export const EXIT = { running: 0, refused: 1, workerFailed: 2, serviceFailed: 3, delivered: 4, usage: 64 } as const;

const CODES: Readonly<Record<PushOutcome['kind'], number>> = {
  running: EXIT.running,
  refusedByCheck: EXIT.refused,
  refusedByBrowser: EXIT.refused,
  tooLarge: EXIT.refused,
  leftOut: EXIT.refused,
  needsLocalhost: EXIT.refused,
  heldBack: EXIT.refused,
  workerFailed: EXIT.workerFailed,
  wrong: EXIT.workerFailed,
  doubled: EXIT.workerFailed,
  unverified: EXIT.delivered,
  unchanged: EXIT.serviceFailed,
  cancelled: EXIT.serviceFailed,
  failed: EXIT.serviceFailed,
};

/** What a program ends with after a push. */
export function exitCodeOf({ kind }: PushOutcome): number {
  return CODES[kind];
}

/** The order in which the ends of several folders count. */
const WORST_FIRST: readonly number[] = [EXIT.refused, EXIT.workerFailed, EXIT.serviceFailed, EXIT.delivered];

/** What a program ends with after a push of several folders: the worst of their codes. */
export function exitCodeOfAll(outcomes: readonly PushOutcome[]): number {
  const codes = outcomes.map(exitCodeOf);
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.running;
}
