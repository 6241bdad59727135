import { type Clock, inTime } from '../../base/clock';
import { registeredPaths } from '../inPage/stateCalls';
import { evaluate } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import { HeldPage } from '../pages/tabs';

/** How long a page or worker may take to answer, in milliseconds. */
const ANSWER_LIMIT_MS = 1000;

/** How long an extension may take to register its files again, in milliseconds, and the pause between two questions for that. */
const AGAIN_LIMIT_MS = 3000;
const AGAIN_POLL_MS = 100;

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

/**
 * Waits until the extension `id` has registered one of the files again, which a reload has removed (C-RELOAD-REGISTERED); resolves to false when it has
 * not within some seconds. Never rejects.
 */
export async function untilRegistered(
  link: Pick<BrowserLink, 'connection' | 'targets' | 'clock'>,
  id: string,
  files: readonly string[],
): Promise<boolean> {
  const { clock } = link;
  const end = clock.now() + AGAIN_LIMIT_MS;
  for (;;) {
    const registered = await registeredFiles(link, id).catch(() => undefined);
    if (files.some((file) => registered?.has(file))) return true;
    if (clock.now() >= end) return false;
    await clock.delay(AGAIN_POLL_MS);
  }
}

/** Rejects when it does not answer. */
async function filesOf(held: HeldPage, clock: Clock): Promise<Set<string>> {
  const asked = evaluate(held.session, callOf(registeredPaths)).catch(() => undefined);
  const files = await inTime(asked, ANSWER_LIMIT_MS, clock);
  void held.release();
  if (!Array.isArray(files)) throw new Error('no answer');
  return new Set(files.flatMap((file) => (typeof file === 'string' ? file.replace(/^\.?\//, '') : [])));
}
