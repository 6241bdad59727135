import { type Clock, inTime } from '../../base/clock';
import { registeredPaths } from '../inPage/stateCalls';
import { evaluate } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import { HeldPage } from '../pages/tabs';

/** How long a page or worker may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 1000;

/**
 * The files that the extension `id` has registered as content scripts, style sheets or user scripts, as paths in its folder. All its pages and workers are
 * asked, and the first answer counts: a worker that has ended may be listed, too (C-WORKER-LISTED). Undefined when nobody answers, as where no
 * page of it is open and its worker sleeps.
 */
export async function registeredFiles(
  { connection, targets, clock }: Pick<BrowserLink, 'connection' | 'targets' | 'clock'>,
  id: string,
): Promise<Set<string> | undefined> {
  const ours = (await targets.list()).filter(({ url }) => extensionOf(url) === id);
  const answers = ours.map(async (target) => filesOf(await HeldPage.hold(connection, target), clock));
  return await Promise.any(answers).catch(() => undefined);
}

/** Rejects when it does not answer. */
async function filesOf(held: HeldPage, clock: Clock): Promise<Set<string>> {
  const asked = evaluate(held.session, callOf(registeredPaths)).catch(() => undefined);
  const files = await inTime(asked, ANSWER_LIMIT_MS, clock);
  void held.release();
  if (!Array.isArray(files)) throw new Error('no answer');
  return new Set(files.flatMap((file) => (typeof file === 'string' ? file.replace(/^\.?\//, '') : [])));
}
