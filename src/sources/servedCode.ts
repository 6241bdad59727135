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
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return undefined;
  }
}
