import { streamBytes } from '../base/streamBytes';

/** How long a development server may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 5000;

/**
 * The text that a server gives for an address now; undefined when it gives none within 5 s, redirects, or gives more bytes than `maxBytes`. Never
 * rejects.
 */
export async function readServed(url: URL, maxBytes: number): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    if (!answer.ok || !answer.body) return undefined;
    const body: AsyncIterable<Uint8Array> = answer.body;
    return (await streamBytes(body, maxBytes))?.toString('utf8');
  } catch {
    return undefined;
  }
}
