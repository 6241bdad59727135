import type { PushOutcome } from '../../push/pushRun';
import { sentenceFor } from '../messages';
import { outcomeText } from '../../push/outcomeText';

/** How a push ended in a browser, as a sentence; `folder` as in `outcomeText`. */
export function outcomeSentence(outcome: PushOutcome, browser: string, folder = ''): string {
  return outcome.kind === 'failed'
    ? (sentenceFor(outcome.error) ?? String(outcome.error))
    : outcomeText(outcome, browser, folder);
}
