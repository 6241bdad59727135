import type { PushEnd } from '../../push/run';
import { sentenceFor } from '../messages';
import { outcomeText } from '../../push/outcomeText';

/** How a push ended in a browser, as a sentence. */
export function endText(end: PushEnd, browser: string): string {
  return end.outcome === 'failed' ? (sentenceFor(end.error) ?? String(end.error)) : outcomeText(end, browser);
}
