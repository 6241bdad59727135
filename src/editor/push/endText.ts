import type { PushEnd } from '../../push/pushRun';
import { sentenceFor } from '../messages';
import { outcomeText } from '../../push/outcomeText';

/** How a push ended in a browser, as a sentence; `folder` as in `outcomeText`. */
export function endText(end: PushEnd, browser: string, folder = ''): string {
  return end.outcome === 'failed' ? (sentenceFor(end.error) ?? String(end.error)) : outcomeText(end, browser, folder);
}
