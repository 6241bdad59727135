import { source } from 'axe-core';
import type { Frame } from 'playwright-core';

/** In a page with axe-core: every finding, as its rule, the element and what is wrong with it. */
const FIND = `axe.run(document).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`;

/** What axe-core finds in a page by all of its rules, best practices among them; empty for none. */
export async function axeFindings(frame: Frame): Promise<string[]> {
  // The policy of the page forbids scripts without its nonce, but not what is evaluated over DevTools.
  if (!(await frame.evaluate<boolean>('"axe" in globalThis'))) await frame.evaluate(source);
  return await frame.evaluate<string[]>(FIND);
}
