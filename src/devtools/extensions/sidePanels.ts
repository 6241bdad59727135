import { type Clock, inTime } from '../../base/clock';
import { fieldOf, listField } from '../../base/fields';
import { hasFocus, howToOpen, panelInTime, reopenPanels, shownPanel } from '../inPage/panelCalls';
import type { CDPSession } from '../protocol/connect';
import { evaluate } from '../protocol/evaluate';
import { callWithGesture, withExtensionPage } from '../protocol/extensionPage';
import { callOf } from '../protocol/pageCall';
import type { BrowserLink } from '../connection/link';
import { type ExtensionPage, type HeldPage, holdPages } from '../pages/tabs';

/** How long a page may take to answer, and a panel to appear, in milliseconds (C-TIME-PAGE). */
export const ANSWER_LIMIT_MS = 1000;

/** The same, and how long after its opening a panel may take the focus (C-TIME-PANEL-FOCUS). */
const LIMITS = { answerMs: ANSWER_LIMIT_MS, focusMs: 300 };

/** A side panel of an extension, shown in a window. */
export interface SidePanel {
  targetId: string;
  /** What opens it again, in JSON. */
  howToOpen: string;
}

/** The side panels among the open pages of an extension, as far as windows show them. */
export async function shownSidePanels(
  { connection, clock }: Pick<BrowserLink, 'connection' | 'clock'>,
  pages: readonly ExtensionPage[],
): Promise<SidePanel[]> {
  const held = await holdPages(
    connection,
    pages.filter(({ holder }) => holder === 'own'),
  );
  const panels = await Promise.all(
    held.map(async ({ page: { targetId }, held }) => {
      const how = await answerOf(evaluate(held.session, callOf(howToOpen)), clock);
      void held.release();
      return typeof how === 'string' ? [{ targetId, howToOpen: how }] : [];
    }),
  );
  return panels.flat();
}

/** Those of `panels` that are still open. */
export async function stillOpen(
  { targets }: Pick<BrowserLink, 'targets'>,
  panels: readonly SidePanel[],
): Promise<SidePanel[]> {
  if (panels.length === 0) return [];
  const open = new Set((await targets.list()).map(({ targetId }) => targetId));
  return panels.filter(({ targetId }) => open.has(targetId));
}

/**
 * Opens side panels of the extension `id` again, which a reload has closed, without taking the focus. A page of the extension may do that
 * (C-PANEL-OPEN), which is a hidden one here. Resolves to the reasons why some are not open; rejects when there is no such page.
 */
export async function reopenSidePanels(
  link: Pick<BrowserLink, 'connection' | 'targets' | 'clock'>,
  id: string,
  panels: readonly SidePanel[],
): Promise<readonly string[]> {
  if (panels.length === 0) return [];
  const { connection, clock } = link;
  const focusing = focusedPage(link);
  try {
    const open = async (page: CDPSession): Promise<readonly string[]> => {
      const list = panels.map((panel) => panel.howToOpen);
      const focused = await focusing;
      const reopening = callOf(reopenPanels, panelInTime, shownPanel, LIMITS, list, focused !== undefined);
      const answer: unknown = await callWithGesture(page, reopening, clock);
      if (typeof answer !== 'object' || answer === null) return ['it takes too long'];
      // The window is in front, so this raises no other.
      if (fieldOf(answer, 'tookFocus') === true) await focused?.session.send('Page.bringToFront');
      return listField(answer, 'refusals').map(String);
    };
    return await withExtensionPage(connection, id, open, undefined, clock);
  } finally {
    await focusing.then(
      (focused) => focused?.release(),
      () => undefined,
    );
  }
}

/** The page in which the user types, in a tab of the window in front. Release it. */
async function focusedPage({
  connection,
  targets,
  clock,
}: Pick<BrowserLink, 'connection' | 'targets' | 'clock'>): Promise<HeldPage | undefined> {
  const pages = (await targets.list()).filter(({ type }) => type === 'page');
  const held = (await holdPages(connection, pages)).map(({ held }) => held);
  const focus = await Promise.all(held.map((page) => answerOf(isTypedIn(page), clock)));
  const focused = held.find((_page, at) => focus[at] === true);
  for (const page of held) if (page !== focused) void page.release();
  return focused;
}

/** Asks in a world of its own: scripts of a page may pretend that it has the focus. */
async function isTypedIn({ page, session }: HeldPage): Promise<boolean> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: page.targetId });
  return await evaluate(session, callOf(hasFocus), { contextId: executionContextId });
}

/** The answer of a page; undefined when there is none in time. */
async function answerOf<T>(answer: Promise<T>, clock: Clock): Promise<T | undefined> {
  return await inTime(
    answer.catch(() => undefined),
    ANSWER_LIMIT_MS,
    clock,
  );
}
