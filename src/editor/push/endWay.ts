import type { PushEnd } from '../../push/pushRun';
import type { PushOrigin } from '../../push/restartRule';
import type { Summary } from './summary';

/**
 * How the end of a push is said beside the status bar and the rows: `success` in a notification that goes away by itself, `quiet` not at all, where
 * nothing has failed or the Problems panel has it and nobody has asked, `warning` in one that the user closes, `notice` by a text that goes away
 * with its cause, `question` by such a text with buttons. All of these take back what was said before; `nothing`, of a push that was cancelled, does not.
 */
export type EndWay = 'success' | 'quiet' | 'warning' | 'notice' | 'question' | 'nothing';

/** The way in which the ends of a push are said, which amount to `state`. */
export function endWay(state: Summary['state'], ends: readonly Pick<PushEnd, 'outcome'>[], origin: PushOrigin): EndWay {
  switch (state) {
    case 'running':
      return 'success';
    case 'nothing':
      if (ends.every(({ outcome }) => outcome === 'cancelled')) return 'nothing';
      return origin === 'command' ? 'success' : 'quiet';
    case 'unverified':
      // It stays true: nothing that comes proves the delivery.
      return 'warning';
    case 'partly':
    case 'failed':
      return failureWay(ends, origin);
  }
}

function failureWay(ends: readonly Pick<PushEnd, 'outcome'>[], origin: PushOrigin): EndWay {
  const failed = ends.map(({ outcome }) => outcome).filter((outcome) => !FINE.includes(outcome));
  // A held back extension has failed because of another.
  const isInProblems = failed.length > 0 && failed.every((outcome) => IN_PROBLEMS.includes(outcome));
  if (isInProblems) return origin === 'save' ? 'quiet' : 'notice';
  return origin === 'save' && !failed.includes('doubled') ? 'notice' : 'question';
}

const FINE: readonly PushEnd['outcome'][] = ['running', 'unchanged', 'cancelled', 'unverified'];

const IN_PROBLEMS: readonly PushEnd['outcome'][] = ['refusedByCheck', 'workerFailed', 'heldBack'];
