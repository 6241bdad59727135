import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '../requestFields';
import type { ScreenRegion, Viewport } from '../../service/interface';
import { internalError } from '../httpErrors';
import { fitContents, type Chromium, type PageSession } from './chromium';

/** Time limit for a page's state: a page that is busy or paused in a debugger does not answer. */
const ASK_LIMIT_MS = 1_000;

/** How long a new browser waits for the server of its first page, in milliseconds. */
const START_PAGE_LIMIT_MS = 5_000;

interface PageState {
  visible: boolean;
  focused: boolean;
  width: number;
  height: number;
}

/**
 * Runs `work` on the visible page: the active tab, that of the focused window if there are several. In a headless browser the page first
 * gets the size of the viewport, so that coordinates are the same in every tab. 500 when no page is open.
 */
export async function onVisiblePage<T>(
  chromium: Chromium,
  screen: { viewport: Viewport; headless: boolean },
  work: (page: PageSession) => Promise<T>,
): Promise<T> {
  const { targetInfos } = await chromium.send('Target.getTargets');
  const pages = targetInfos.filter((target) => target.type === 'page');
  const states = await Promise.all(
    pages.map(async (target) => ({
      target,
      state: await chromium.onPage(target.targetId, pageState).catch(() => undefined),
    })),
  );
  const seen = states.filter(({ state }) => state?.visible ?? true);
  const visible = seen.length > 1 ? await withoutEmulated(chromium, seen) : seen;
  const front = visible.find(({ state }) => state?.focused) ?? visible[0] ?? states[0];
  if (!front) throw internalError('No page is open in this browser.');
  const { width, height } = screen.viewport;
  if (screen.headless && front.state && (front.state.width !== width || front.state.height !== height)) {
    await fitContents(chromium, front.target.targetId, width, height);
  }
  return chromium.onPage(front.target.targetId, work);
}

/**
 * Those of the pages that are in the active tabs of their windows; all of them when the browser does not say that (C-TAB-ACTIVE). While a client
 * emulates the focus, pages in other tabs count themselves among the visible ones, too (C-TAB-EMULATED).
 */
async function withoutEmulated<T extends { target: { targetId: string } }>(
  chromium: Chromium,
  pages: T[],
): Promise<T[]> {
  const { targetInfos } = await chromium.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const ids = new Set<string>();
  for (const tab of targetInfos.filter(isActive)) {
    const work = async (session: PageSession): Promise<void> => {
      session.on('Target.attachedToTarget', ({ targetInfo }) => ids.add(targetInfo.targetId));
      // The events come before the answer.
      await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    };
    await chromium.onTarget(tab, work).catch(() => undefined);
  }
  const inFront = pages.filter(({ target }) => ids.has(target.targetId));
  return inFront.length > 0 ? inFront : pages;
}

function isActive(tab: object): boolean {
  return 'embedderData' in tab && isJsonObject(tab.embedderData) && tab.embedderData['tabActive'] === true;
}

/** A PNG of the page area, or of a part of it, with one pixel per coordinate, also where the browser zooms the page. */
export async function screenshot(page: PageSession, region: ScreenRegion): Promise<Buffer> {
  const { cssVisualViewport, visualViewport } = await page.send('Page.getLayoutMetrics');
  const zoom = cssVisualViewport.zoom ?? 1;
  // On a high-density screen the picture would have more pixels than the viewport has coordinates.
  const density = visualViewport.clientWidth / cssVisualViewport.clientWidth / zoom || 1;
  const { data } = await page.send('Page.captureScreenshot', {
    format: 'png',
    clip: {
      x: region.x + cssVisualViewport.pageX * zoom,
      y: region.y + cssVisualViewport.pageY * zoom,
      width: region.width,
      height: region.height,
      scale: 1 / density,
    },
  });
  return Buffer.from(data, 'base64');
}

/** By how much the browser zooms a page: 1 when it does not, and for a page that does not answer. */
export async function zoomOf(page: PageSession): Promise<number> {
  const asked = page.send('Page.getLayoutMetrics').catch(() => undefined);
  const answer = await Promise.race([asked, delay(ASK_LIMIT_MS, undefined, { ref: false })]);
  return answer?.cssVisualViewport.zoom ?? 1;
}

/**
 * Navigates the browser's first tab, and waits a while for the answer of the page's server, which may be compiling or stopped: the browser can be used
 * all the same. On the command line, a URL is sometimes loaded before content scripts are registered.
 */
export async function showInFirstTab(chromium: Chromium, url: string): Promise<void> {
  const { targetInfos } = await chromium.send('Target.getTargets');
  const target = targetInfos.find((info) => info.type === 'page');
  if (!target) {
    await chromium.send('Target.createTarget', { url });
    return;
  }
  await chromium.onPage(target.targetId, async (page) => {
    const shown = page.send('Page.navigate', { url });
    shown.catch(() => undefined);
    await Promise.race([shown, delay(START_PAGE_LIMIT_MS, undefined, { ref: false })]);
  });
}

async function pageState(page: PageSession): Promise<PageState | undefined> {
  const expression = `({
    visible: document.visibilityState === 'visible', focused: document.hasFocus(),
    width: innerWidth, height: innerHeight })`;
  const asked = page.send('Runtime.evaluate', { expression, returnByValue: true });
  asked.catch(() => undefined);
  const answer = await Promise.race([asked, delay(ASK_LIMIT_MS, undefined, { ref: false })]);
  const value: unknown = answer?.result.value;
  return isPageState(value) ? value : undefined;
}

function isPageState(value: unknown): value is PageState {
  if (!isJsonObject(value)) return false;
  const { visible, focused, width, height } = value;
  const [flags, sides] = [
    [visible, focused],
    [width, height],
  ];
  return flags.every((one) => typeof one === 'boolean') && sides.every((one) => typeof one === 'number');
}
