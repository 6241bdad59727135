import type { PushOutcome } from '../../push/pushRun';
import type { PushOrigin } from '../../push/restartRule';
import type { Summary } from './summary';

/**
 * How the outcome of a push is said beside the status bar and the rows: `success` in a notification that goes away by itself, `quiet` not at all, where
 * nothing has failed or the Problems panel has it and nobody has asked, `warning` in one that the user closes, `notice` by a text that goes away
 * with its cause, `question` by such a text with buttons. All of these take back what was said before; `nothing`, of a push that was cancelled, does not.
 */
export type OutcomeWay = 'success' | 'quiet' | 'warning' | 'notice' | 'question' | 'nothing';

/** The way in which the outcomes of a push are said, which amount to `state`. */
export function outcomeWay(
  state: Summary['state'],
  outcomes: readonly Pick<PushOutcome, 'kind'>[],
  origin: PushOrigin,
): OutcomeWay {
  switch (state) {
    case 'running':
      return 'success';
    case 'nothing':
      if (outcomes.every(({ kind: outcome }) => outcome === 'cancelled')) return 'nothing';
      return origin === 'command' ? 'success' : 'quiet';
    case 'unverified':
      // It stays true: nothing that comes proves the delivery.
      return 'warning';
    case 'partly':
    case 'failed':
      return failureWay(outcomes, origin);
  }
}

function failureWay(outcomes: readonly Pick<PushOutcome, 'kind'>[], origin: PushOrigin): OutcomeWay {
  const failed = outcomes.map(({ kind: outcome }) => outcome).filter((outcome) => !FINE.includes(outcome));
  // A held back extension has failed because of another.
  const isInProblems = failed.length > 0 && failed.every((outcome) => IN_PROBLEMS.includes(outcome));
  if (isInProblems) return origin === 'save' ? 'quiet' : 'notice';
  return origin === 'save' && !failed.includes('doubled') ? 'notice' : 'question';
}

const FINE: readonly PushOutcome['kind'][] = ['running', 'unchanged', 'cancelled', 'unverified'];

const IN_PROBLEMS: readonly PushOutcome['kind'][] = ['refusedByCheck', 'workerFailed', 'heldBack'];
