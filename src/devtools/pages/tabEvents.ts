import { listensTo } from '../inPage/workerCalls';
import { whileAttached } from '../protocol/attach';
import type { BrowserLink } from '../connection/link';
import { peek } from '../protocol/evaluate';
import { extensionOf } from '../protocol/extensionUrl';
import { callOf } from '../protocol/pageCall';

/**
 * The events of `chrome.tabs` that opening and closing a tab causes. They need no permission, and come with the same for all listeners, while
 * other events come by filters (`webNavigation`), write user data (`cookies`, `storage`), or bring what no one has sent before (messages).
 */
const TAB_EVENTS = ['onCreated', 'onUpdated', 'onRemoved'] as const;

export type TabEvent = (typeof TAB_EVENTS)[number];

/**
 * The events of tabs that the running worker of an extension listens to. Empty when it does not run, or does not answer in time. All workers that are
 * listed are asked at once: one that has ended may be among them, and does not answer (C-WORKER-LISTED).
 */
export async function listenedTabEvents(
  { connection, clock }: Pick<BrowserLink, 'connection' | 'clock'>,
  extensionId: string,
): Promise<TabEvent[]> {
  const { targetInfos } = await connection.send('Target.getTargets');
  const workers = targetInfos.filter(({ type, url }) => type === 'service_worker' && extensionOf(url) === extensionId);
  const answers = workers.map(async ({ targetId }) => {
    const listening = callOf(listensTo, TAB_EVENTS);
    const answer = await whileAttached(connection, targetId, (session) => peek(session, listening, clock));
    if (!Array.isArray(answer)) throw new Error('the worker is silent');
    return TAB_EVENTS.filter((_, index) => answer[index] === true);
  });
  return await Promise.any(answers).catch(() => []);
}

/** How long a tab stays open, in milliseconds: what an extension asks about a tab that is gone fails, and people close none as fast as that. */
const TAB_MS = 700;

/** Opens an empty tab behind the others, and closes it when extensions have had the time to ask about it. */
export async function openAndCloseTab({ connection, clock }: Pick<BrowserLink, 'connection' | 'clock'>): Promise<void> {
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank', background: true });
  await clock.delay(TAB_MS);
  await connection.send('Target.closeTarget', { targetId });
}
