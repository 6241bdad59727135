import { errorMessage } from '../../base/errorMessage';

/** Chromium's text of an error, without the stack and the period at the end, to be put into a sentence. */
export function chromiumText(error: unknown): string {
  const text = errorMessage(error);
  const [line = ''] = text.trim().split('\n');
  return line.replace(/^(?:Error: )+/, '').replace(/\.$/, '');
}
