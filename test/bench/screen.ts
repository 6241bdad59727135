import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Frame, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { atEnd } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { readLocalService } from '../support/localService';
import { SCROLL } from '../support/phrases';
import { createBrowser, openBrowsers } from '../support/pushing';
import { commandTitle } from '../support/titles';
import { openWindow } from '../support/window';
import type { Bench } from './context';
import { MEASURES } from './ratios';
import { summarize, type Measure, type Summary } from './series';

const BROWSER = 'bench-screen';

/** How long one turn of the wheel may take to be seen, in milliseconds. */
const TURN_LIMIT_MS = 5000;

/** How long a page moves while its frames are counted, in milliseconds. */
const MOVING_MS = 5000;

/** How often that is done. */
const MOVING_ROUNDS = 3;

/** Each pixel row has another colour than the one 120 below it, so that a scroll changes the picture. */
const PAGE = `data:text/html,<title>bench</title><body style="margin:0;height:900000px;background:repeating-linear-gradient(red 0 120px,blue 120px 240px)">
<script>self.movedAt=0;addEventListener('scroll',()=>{movedAt||=performance.timeOrigin+performance.now()})</script>`;

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
export async function screenResults(bench: Bench): Promise<Summary[]> {
  const { workbench, server } = await openWindow('bench-screen');
  await createBrowser(workbench, BROWSER);
  const service = await readLocalService(server.userDir);
  assert(service, 'no local service is running');
  const headers = { authorization: `Bearer ${service.token}` };
  const sessions: unknown = await (await fetch(`${service.baseUrl}/browsers`, { headers })).json();
  const [session] = Array.isArray(sessions) ? (sessions as { cdp_ws_url: string }[]) : [];
  assert(session, 'the browser is not listed');
  const remote = await chromium.connectOverCDP(session.cdp_ws_url);
  atEnd('the connection to the browser', () => remote.close());
  const page = remote.contexts()[0]?.pages()[0];
  assert(page, 'the browser has no tab');
  await page.goto(PAGE);
  await (await openBrowsers(workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
  const picture = workbench.page
    .frameLocator('iframe.webview.ready')
    .frameLocator('iframe#active-frame')
    .getByRole('img', { name: SCROLL.screen });
  await picture.waitFor();
  const frame = await (await picture.elementHandle())?.ownerFrame();
  const box = await picture.boundingBox();
  assert(frame && box, 'the picture is not shown');
  await workbench.page.mouse.move(box.x + 100, box.y + 100);
  await frame.evaluate(NOTE_TIMES);
  const turn: Measure = { name: '', run: () => turnOnce(workbench.page, frame, page) };
  const turned = await bench.measure([turn]);
  return [...turned, ...(await movingPage(frame, page, server.dataDir))];
}

async function turnOnce(window: Page, frame: Frame, page: Page): Promise<Record<string, number>> {
  await page.evaluate('self.movedAt = 0');
  await frame.evaluate('resetBench()');
  await window.mouse.wheel(0, 120);
  // The policy of the page allows no `waitForFunction`.
  await eventually('the picture has changed', () => frame.evaluate<boolean>('bench.drawnAt > 0'), TURN_LIMIT_MS);
  await page.waitForFunction('movedAt > 0');
  const { turnedAt, drawnAt } = await frame.evaluate<{ turnedAt: number; drawnAt: number }>('bench');
  const movedAt = await page.evaluate<number>('movedAt');
  return { [MEASURES.wheelToMove]: movedAt - turnedAt, [MEASURES.wheelToPicture]: drawnAt - turnedAt };
}

/** Frames that are drawn of a page that always moves, and what the extension host and the page of the panel take for it. */
async function movingPage(frame: Frame, page: Page, dataDir: string): Promise<Summary[]> {
  await page.evaluate(
    'self.at = 0; self.move = () => { scrollTo(0, at = (at + 7) % 5000); requestAnimationFrame(move) }; move()',
  );
  const host = extensionHost(dataDir);
  const samples: { frames: number; host: number }[] = [];
  for (let round = -1; round < MOVING_ROUNDS; round++) {
    const [drawn, cpu] = [await frame.evaluate<number>('bench.drawn'), cpuMs(host)];
    const started = performance.now();
    await delay(MOVING_MS);
    const seconds = (performance.now() - started) / 1000;
    const frames = ((await frame.evaluate<number>('bench.drawn')) - drawn) / seconds;
    if (round >= 0) samples.push({ frames, host: (cpuMs(host) - cpu) / seconds });
  }
  return [
    summarize(
      MEASURES.framesPerSecond,
      samples.map(({ frames }) => frames),
      'frames',
    ),
    summarize(
      MEASURES.screenHostCpu,
      samples.map(({ host: each }) => each),
      'ms',
    ),
  ];
}

/** The extension host of the server with this data folder: the youngest of its line that runs as one. */
function extensionHost(dataDir: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => ({ pid: Number(pid), command: commandOf(pid), parent: parentOf(pid) }));
  const servers = commands.filter(({ command }) => command.includes(dataDir));
  const host = commands.findLast(
    ({ command, parent }) =>
      command.includes('--type=extensionHost') &&
      servers.some(({ pid }) => pid === parent || pid === parentOf(String(parent))),
  );
  assert(host, 'the extension host was not found');
  return host.pid;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function parentOf(pid: string): number {
  return Number(statOf(pid)[1] ?? -1);
}

/** The CPU time that a process has taken, in milliseconds; a tick of the kernel is 10 ms. */
function cpuMs(pid: number): number {
  const fields = statOf(String(pid));
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The fields of /proc/PID/stat after the name, which may hold blanks. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
