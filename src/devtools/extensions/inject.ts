import { realClock, type Clock, inTime } from '../../base/clock';
import { type ContentScripts, injectScripts } from '../inPage/stateCalls';
import { attach } from '../protocol/attach';
import type { CDPSession, Connection } from '../protocol/connect';
import { evaluate, peek } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import type { Page } from '../pages/tabs';

/** How long a worker may take to inject into all tabs, in milliseconds: one that is paused by a debugger never answers. */
const INJECT_LIMIT_MS = 5000;

/**
 * Injects the content scripts of the extension `id`, as its folder holds them now, into the open `tabs`, whose pages keep their
 * state. The extension's own worker does it, with `chrome.scripting`, because DevTools has no access to the scripts' world.
 * Resolves to the addresses of the tabs that it has injected into, or to the reason why there are none.
 */
export async function injectContentScripts(
  { connection, clock }: Pick<BrowserLink, 'connection' | 'clock'>,
  id: string,
  entries: readonly ContentScripts[],
  tabs: readonly Page[],
): Promise<ReadonlySet<string> | string> {
  const worker = await findWorker(connection, id, clock);
  if (!worker) return 'it has no service worker that could do it';
  try {
    const urls = tabs.map(({ url }) => url);
    const injecting = evaluate(worker, callOf(injectScripts, entries, urls));
    const answer = (await inTime(injecting, INJECT_LIMIT_MS, clock)) ?? 'it does not answer';
    if (typeof answer === 'string') return answer;
    return new Set(Array.isArray(answer) ? answer.filter((url) => typeof url === 'string') : []);
  } finally {
    await worker.detach().catch(() => undefined);
  }
}

/**
 * The worker of the extension that answers first: one that has ended may be listed, too (C-WORKER-LISTED), and one of incognito windows. Detach from it:
 * until then it does not stop.
 */
export async function findWorker(
  connection: Connection,
  id: string,
  clock: Clock = realClock,
): Promise<CDPSession | undefined> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
  const ours = targetInfos.filter(({ url }) => extensionOf(url) === id);
  const alive = ours.map(async ({ targetId }) => {
    const session = await attach(connection, targetId);
    if (!session) throw new Error('the worker is gone');
    if ((await peek(session, 'true', clock)) === true) return session;
    await session.detach().catch(() => undefined);
    throw new Error('the worker is silent');
  });
  const first = await Promise.any(alive).catch(() => undefined);
  const leaveOther = async (session: CDPSession): Promise<void> => {
    if (session !== first) await session.detach();
  };
  for (const answering of alive) void answering.then(leaveOther).catch(() => undefined);
  return first;
}
