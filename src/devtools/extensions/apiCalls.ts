import { inTime } from '../../base/clock';
import type { BrowserLink } from '../connection/link';
import { calledApi, noteApiCalls } from '../inPage/apiCallCalls';
import { openStandIn } from '../pages/standInPage';
import { attach, closeTarget } from '../protocol/attach';
import type { CDPSession, Connection, Protocol } from '../protocol/connect';
import { peek } from '../protocol/evaluate';
import { openHiddenTarget } from '../protocol/hiddenTargets';
import { callOf } from '../protocol/pageCall';
import { runAtStart } from '../workers/workers';
import { findWorker } from './inject';

/** So many functions are noted of a worker or page; the API has some 1,500. */
const MOST_NAMES = 3000;

/** Longest name of a function, in characters. */
const MOST_NAME = 200;

/** How long a page may take to load, and what it does then, in milliseconds. */
const LOAD_LIMIT_MS = 5000;
const SETTLE_MS = 500;

/** What Sideload itself calls in workers of an extension. */
const OWN_CALLS: ReadonlySet<string> = new Set(['scripting.getRegisteredContentScripts', 'userScripts.getScripts']);

/** Has the functions of the API noted that workers call which start over a connection while they are watched: see {@link workerCalls}. */
export function noteWorkerCalls(connection: Connection): void {
  runAtStart(connection, callOf(noteApiCalls, MOST_NAMES));
}

/** The functions of the API that the running worker of an extension has called since its start; empty when it does not run. Never rejects. */
export async function workerCalls({ connection, clock }: BrowserLink, id: string): Promise<string[]> {
  const worker = await findWorker(connection, id, clock).catch(() => undefined);
  if (!worker) return [];
  const calls = await callsIn(worker, clock);
  await worker.detach().catch(() => undefined);
  return calls;
}

/**
 * Opens a page of an extension where nobody sees it, and resolves to the functions of the API that it calls when it is opened; `url` is its address.
 * Empty when it cannot be opened. Never rejects.
 */
export async function pageCalls(
  { connection, clock }: BrowserLink,
  url: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const targetId = await openHiddenTarget(connection, 'about:blank').catch(() => undefined);
  if (targetId === undefined) return [];
  try {
    const session = await attach(connection, targetId);
    if (!session) return [];
    const source = callOf(noteApiCalls, MOST_NAMES).expression;
    await session.send('Page.enable');
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source });
    const loaded = new Promise((resolve) => session.once('Page.loadEventFired', resolve));
    await session.send('Page.navigate', { url });
    await inTime(loaded, LOAD_LIMIT_MS, clock);
    await clock.delay(SETTLE_MS, { signal });
    return await callsIn(session, clock);
  } catch {
    return [];
  } finally {
    await closeTarget(connection, targetId);
  }
}

/**
 * Opens an empty page at an http or https address, and resolves to the functions of the API that content scripts of the extension `id` call there
 * from their first statement on, but for those in the world of the page: they have only what needs no permission (C-CONTENT-MAIN-WORLD). Empty when it
 * cannot be opened. Never rejects.
 */
export async function contentCalls(
  { connection, clock }: BrowserLink,
  { id, address }: { id: string; address: string },
  signal?: AbortSignal,
): Promise<string[]> {
  /** The execution contexts of the extension in the page. */
  const contexts = new Set<number>();
  let read = (): Promise<string[][]> => Promise.resolve([]);
  const prepare = async (page: CDPSession): Promise<void> => {
    page.on('Runtime.executionContextCreated', ({ context }: Protocol.Runtime.ExecutionContextCreatedEvent) => {
      if (context.origin === `chrome-extension://${id}`) contexts.add(context.id);
    });
    const loaded = new Promise((resolve) => page.once('Page.loadEventFired', resolve));
    for (const domain of ['Page', 'Runtime', 'Debugger'] as const) await page.send(`${domain}.enable`);
    // Its condition notes, and never holds (C-CONTENT-BEFORE-SCRIPT).
    await page.send('Debugger.setBreakpointByUrl', {
      urlRegex: `^chrome-extension://${id}/`,
      lineNumber: 0,
      columnNumber: 0,
      condition: `${callOf(noteApiCalls, MOST_NAMES).expression}, false`,
    });
    read = async () => {
      await inTime(loaded, LOAD_LIMIT_MS, clock);
      await clock.delay(SETTLE_MS, { signal });
      return await Promise.all([...contexts].map((contextId) => callsIn(page, clock, contextId)));
    };
  };
  try {
    const page = await openStandIn(connection, address, prepare);
    try {
      return (await read()).flat();
    } finally {
      await page.close();
    }
  } catch {
    return [];
  }
}

/** The page or worker has made the list, which may run anything. */
async function callsIn(session: CDPSession, clock: BrowserLink['clock'], contextId?: number): Promise<string[]> {
  const names: unknown = await peek(session, callOf(calledApi), clock, contextId);
  if (!Array.isArray(names)) return [];
  return names
    .filter((name): name is string => typeof name === 'string' && name.length < MOST_NAME && !OWN_CALLS.has(name))
    .slice(0, MOST_NAMES);
}
