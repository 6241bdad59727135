import type { PushOutcome } from '../push/pushRun';

/** What a program ends with. `delivered`: the service has taken the build and restarted the browser, and nothing verifies what runs. */
export const EXIT = { running: 0, refused: 1, workerFailed: 2, serviceFailed: 3, delivered: 4, usage: 64 } as const;

/** What a program ends with after a push. */
export function exitCodeOf({ kind: outcome }: PushOutcome): number {
  switch (outcome) {
    case 'running':
      return EXIT.running;
    case 'refusedByCheck':
    case 'refusedByBrowser':
    case 'tooLarge':
    case 'leftOut':
    case 'needsLocalhost':
    case 'heldBack':
      return EXIT.refused;
    case 'workerFailed':
    case 'wrong':
    case 'doubled':
      return EXIT.workerFailed;
    case 'unverified':
      return EXIT.delivered;
    case 'unchanged':
    case 'cancelled':
    case 'failed':
      return EXIT.serviceFailed;
  }
}

/** The order in which the ends of several folders count. */
const WORST_FIRST: readonly number[] = [EXIT.refused, EXIT.workerFailed, EXIT.serviceFailed, EXIT.delivered];

/** What a program ends with after a push of several folders: the worst of their codes. */
export function exitCodeOfAll(outcomes: readonly PushOutcome[]): number {
  const codes = outcomes.map(exitCodeOf);
  return WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.running;
}
