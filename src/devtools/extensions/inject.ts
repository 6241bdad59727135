import { realClock, type Clock, inTime } from '../../base/clock';
import { attach } from '../protocol/attach';
import type { CDPSession, Connection } from '../protocol/connect';
import { evaluate, peek } from '../protocol/evaluate';
import type { BrowserLink } from '../connection/link';
import type { Page } from '../pages/tabs';

/** The fields of a `content_scripts` entry that an injection needs, by their names in the manifest. */
export interface ContentScripts {
  matches: string[];
  exclude_matches: string[];
  js: string[];
  css: string[];
  all_frames: boolean;
  world: 'ISOLATED' | 'MAIN';
}

/** How long a worker may take to inject into all tabs, in milliseconds: one that is paused by a debugger never answers. */
const INJECT_LIMIT_MS = 5000;

/** Runs in the worker; resolves to the addresses of the tabs that it has injected into, or to the reason why there are none. */
const IN_WORKER = `async (entries, urls) => {
  if (!chrome.scripting) return 'it has no "scripting" permission';
  const reached = new Set();
  let reason = 'it has no permission for the hosts of these pages';
  for (const { matches, exclude_matches, js, css, all_frames, world } of entries) {
    const excluded = exclude_matches.length > 0 ? await chrome.tabs.query({ url: exclude_matches }) : [];
    for (const { id, url } of await chrome.tabs.query({ url: matches })) {
      if (!urls.includes(url) || excluded.some((tab) => tab.id === id)) continue;
      const target = { tabId: id, allFrames: all_frames };
      try {
        if (css.length > 0) await chrome.scripting.insertCSS({ target, files: css });
        if (js.length > 0) await chrome.scripting.executeScript({ target, files: js, world, injectImmediately: true });
        reached.add(url);
      } catch (error) {
        reason = error.message;
      }
    }
  }
  return reached.size > 0 || urls.length === 0 ? [...reached] : reason;
}`;

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
    const injecting = evaluate(worker, `(${IN_WORKER})(${JSON.stringify(entries)}, ${JSON.stringify(urls)})`);
    const answer = (await inTime(injecting, INJECT_LIMIT_MS, clock)) ?? 'it does not answer';
    if (typeof answer === 'string') return answer;
    return new Set(Array.isArray(answer) ? answer.filter((url) => typeof url === 'string') : []);
  } finally {
    await worker.detach().catch(() => undefined);
  }
}

/** A worker of the extension that answers: Chromium may also list one that has ended. Detach from it: until then it does not stop. */
export async function findWorker(
  connection: Connection,
  id: string,
  clock: Clock = realClock,
): Promise<CDPSession | undefined> {
  const { targetInfos } = await connection.send('Target.getTargets', { filter: [{ type: 'service_worker' }] });
  const ours = targetInfos.filter(({ url }) => url.startsWith(`chrome-extension://${id}/`));
  const alive = ours.map(async ({ targetId }) => {
    const session = await attach(connection, targetId);
    if (!session) throw new Error('the worker is gone');
    if ((await peek(session, 'true', clock)) === true) return session;
    await session.detach().catch(() => undefined);
    throw new Error('the worker is silent');
  });
  return await Promise.any(alive).catch(() => undefined);
}
