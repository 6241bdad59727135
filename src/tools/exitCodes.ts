import type { PushEnd } from '../push/run';

/** What a program ends with. */
export const EXIT = { running: 0, refused: 1, workerFailed: 2, serviceFailed: 3, usage: 64 } as const;

/** What a program ends with after a push. */
export function exitCodeOf({ outcome }: PushEnd): number {
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
    case 'unchanged':
    case 'cancelled':
    case 'failed':
      return EXIT.serviceFailed;
  }
}
