import { realClock, type Clock, inTime } from '../../base/clock';
import { noteTurn, wasTurnPrevented, zoomTab } from '../inPage/pageCalls';
import type { CDPSession, Connection } from '../protocol/connect';
import { evaluate } from '../protocol/evaluate';
import { callWithGesture, NotEnabledError, withExtensionPage } from '../protocol/extensionPage';
import { callOf } from '../protocol/pageCall';

/** Chromium's own viewer of PDF files: an extension whose pages may use the API of tabs. DevTools cannot zoom as the browser does (C-ZOOM-COMMAND). */
const PDF_VIEWER = 'mhjfbmdgcfjbbpaeojofohoefgiehjai';

/** A page of it. As a part of Chromium, it has no manifest.json that could be opened. */
const PDF_PAGE = 'index.html';

/** How long a page may take for an answer, in milliseconds: behind a dialog it gives none (C-PAGE-DIALOG). */
const ANSWER_LIMIT_MS = 1000;

/** How long a page may take to say whether it has handled the wheel, in milliseconds: a browser waits for that as long as it takes. */
const HANDLE_LIMIT_MS = 10_000;

/** How long a page may take to have the zoom that its browser was told, and how often it is asked meanwhile, in milliseconds. */
const ZOOM_LIMIT_MS = 3000;
const ZOOM_POLL_MS = 20;

/** The world of scripts, apart from the page's own, in which the wheel is listened to. */
const WORLD = 'sideload';

/** The zoom of a page by its browser, in percent; undefined when the page does not answer. */
export async function zoomOf(session: CDPSession, clock: Clock = realClock): Promise<number | undefined> {
  const asked = session.send('Page.getLayoutMetrics').then(
    ({ cssVisualViewport }) => Math.round((cssVisualViewport.zoom ?? 1) * 100),
    () => undefined,
  );
  return await inTime(asked, ANSWER_LIMIT_MS, clock);
}

/**
 * Waits until a page has the zoom that its browser was told, in percent, or another one for a while: the browser confirms a zoom before the page has
 * it (C-ZOOM-LATE), and has limits of its own.
 */
export async function untilZoomed(session: CDPSession, percent: number, clock: Clock = realClock): Promise<void> {
  const end = clock.now() + ZOOM_LIMIT_MS;
  while (clock.now() < end && (await zoomOf(session, clock)) !== percent) await clock.delay(ZOOM_POLL_MS);
}

/**
 * Zooms the page that is shown in front under this address, as its browser does by Control and wheel: all pages of its site, and for as long as
 * the profile lives. False in a browser that cannot be asked to.
 */
export async function setZoom(connection: Connection, url: string, percent: number): Promise<boolean> {
  const zooming = callOf(zoomTab, url, percent / 100);
  try {
    const act = async (page: CDPSession): Promise<boolean> => (await callWithGesture(page, zooming)) === true;
    return await withExtensionPage(connection, PDF_VIEWER, act, PDF_PAGE);
  } catch (error) {
    if (error instanceof NotEnabledError) return false;
    throw error;
  }
}

/**
 * Does `turn`, which turns the wheel with Control at a point in CSS pixels, and resolves to whether the page has handled that itself, as maps do.
 * False also for what is in a frame of another process. True for a page that does not answer in time: a browser does not zoom before its page has
 * seen the wheel, either.
 */
export async function isTurnPrevented(
  session: CDPSession,
  point: { x: number; y: number },
  turn: () => Promise<void>,
  clock: Clock = realClock,
): Promise<boolean> {
  const listening = listen(session, point).catch(() => 'nowhere' as const);
  const contextId = await inTime(listening, HANDLE_LIMIT_MS, clock);
  await turn();
  if (contextId === 'nowhere') return false;
  if (contextId === undefined) return true;
  const answer = evaluate(session, callOf(wasTurnPrevented), { contextId }).then(Boolean, () => false);
  return (await inTime(answer, HANDLE_LIMIT_MS, clock)) ?? true;
}

/** Listens in the frame at a point; resolves to the execution context that does. */
async function listen(session: CDPSession, { x, y }: { x: number; y: number }): Promise<number> {
  const { frameId } = await session.send('DOM.getNodeForLocation', { x: Math.round(x), y: Math.round(y) });
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
  await evaluate(session, callOf(noteTurn), { contextId: executionContextId });
  return executionContextId;
}
