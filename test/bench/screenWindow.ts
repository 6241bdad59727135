import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Frame, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { atEnd } from '../support/cleanup';
import { devToolsAddressOf, readLocalService } from '../support/localService';
import { SCROLL } from '../workbench/phrases';
import { createBrowser, openBrowsers } from '../workbench/pushing';
import { chooseOtherService } from '../workbench/services';
import { SlowNetwork } from '../standins/slowNetwork';
import { commandTitle } from '../workbench/titles';
import { openWindow } from '../workbench/window';
import type { Workbench } from '../workbench/workbench';
import type { Bench } from './context';
import { ScreenProcesses } from './screenProcesses';

/** Each pixel row has another colour than the one 120 below it, so that a scroll changes the picture. */
const PAGE = `data:text/html,<title>bench</title><body style="margin:0;height:900000px;background:repeating-linear-gradient(red 0 120px,blue 120px 240px)">
<script>self.movedAt=0;addEventListener('scroll',()=>{movedAt||=performance.timeOrigin+performance.now()})</script>`;

/** Of the page, in CSS pixels. */
const SIZE = { width: 1280, height: 800 };

/** In the page of the panel: notes when a wheel event came, and when the picture had another colour afterwards. */
const NOTE_TIMES = `(() => {
  const now = () => performance.timeOrigin + performance.now();
  const canvas = document.querySelector('#picture');
  const context = canvas.getContext('2d');
  const colour = () => context.getImageData(200, 60, 1, 1).data.join();
  self.bench = { turnedAt: 0, drawnAt: 0, drawn: 0, before: '' };
  addEventListener('wheel', () => { bench.turnedAt ||= now(); }, { capture: true });
  const draw = context.drawImage;
  CanvasRenderingContext2D.prototype.drawImage = function (...all) {
    draw.apply(this, all);
    bench.drawn += 1;
    if (bench.turnedAt && !bench.drawnAt && colour() !== bench.before) bench.drawnAt = now();
  };
  self.resetBench = () => { Object.assign(bench, { turnedAt: 0, drawnAt: 0, before: colour() }); };
})()`;

/** The screen of a browser in a real VS Code, whose window is a page of the server build. */
export interface ScreenWindow {
  workbench: Workbench;
  /** The page of the screen. */
  frame: Frame;
  /** The page in the browser. */
  page: Page;
  processes: ScreenProcesses;
  /** The 99th percentiles of the event loop's delay in the extension host so far, one for each second, in milliseconds. */
  loopDelays: () => Promise<number[]>;
}

/** Opens such a window. `roundTripMs`: how far away its service and the browser are. */
export async function openScreenWindow(bench: Bench, name: string, roundTripMs: number): Promise<ScreenWindow> {
  const delays = join(bench.root, `${name}.delays`);
  const probe = pathToFileURL(join(__dirname, 'eventLoopProbe.mjs')).href;
  const env = { NODE_OPTIONS: `--import=${probe}`, SIDELOAD_EVENT_LOOP: delays };
  const { workbench, server } = await openWindow(name, 'newest', { env });
  if (roundTripMs > 0) {
    const { baseUrl, token } = await bench.service();
    const network = await SlowNetwork.start(baseUrl, { upMs: roundTripMs / 2, downMs: roundTripMs / 2 });
    atEnd(`the network of ${name}`, () => network.close());
    await chooseOtherService(workbench, network.baseUrl, token);
  }
  await createBrowser(workbench, name);
  const service = roundTripMs > 0 ? await bench.service() : await readLocalService(server.userDir);
  assert(service, 'no local service is running');
  const remote = await chromium.connectOverCDP(await devToolsAddressOf(service, name));
  atEnd('the connection to the browser', () => remote.close());
  const page = remote.contexts()[0]?.pages()[0];
  assert(page, 'the browser has no tab');
  await page.setViewportSize(SIZE);
  await page.goto(PAGE);
  await (await openBrowsers(workbench)).clickRowAction(name, commandTitle(COMMANDS.openScroll));
  const picture = workbench.editors.webview().getByRole('img', { name: SCROLL.screen });
  await picture.waitFor();
  const frame = await (await picture.elementHandle())?.ownerFrame();
  const box = await picture.boundingBox();
  assert(frame && box, 'the picture is not shown');
  await workbench.page.mouse.move(box.x + 100, box.y + 100);
  await frame.evaluate(NOTE_TIMES);
  const loopDelays = async (): Promise<number[]> =>
    (await readFile(delays, 'utf8')).split('\n').filter(Boolean).map(Number);
  return { workbench, frame, page, processes: await ScreenProcesses.of(workbench, server.dataDir), loopDelays };
}

/** Has the page move all the time. */
export async function move(page: Page): Promise<void> {
  await page.evaluate(
    'self.at = 0; self.move = () => { scrollTo(0, at = (at + 7) % 5000); requestAnimationFrame(move) }; move()',
  );
}
