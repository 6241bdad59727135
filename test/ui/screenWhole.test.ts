// Covers: src/editor/screen, src/screen
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chromium, type Browser, type Frame, type FrameLocator, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { axeFindings } from '../workbench/axe';
import { Display } from '../standins/display';
import { actOn } from '../standins/displayService';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SCREEN, SCROLL } from '../workbench/phrases';
import { openBrowsers } from '../workbench/pushing';
import { ServiceProxy } from '../standins/serviceProxy';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { startSite, type Site } from '../standins/site';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'whole-browser';

/** The page's area; the display is larger, for the browser's own frame. In pixels. */
const VIEWPORT = { width: 1200, height: 800 };

/** How long what is done in the panel may take to reach the page, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 60_000;

/** After which nothing is sent any more for what was done, and how long nothing is sent then, in milliseconds. */
const SETTLE_MS = 4000;

/** What of the page the mouse may have changed. */
const PAGE_STATE = 'JSON.stringify({ scrollX, scrollY, seen: self.seen, selected: String(getSelection()) })';

/** How long a double click may take on its way until it is tried again, in milliseconds. */
const DOUBLE_CLICK_MS = 3000;
const IDLE_MS = 6000;

/** A button that asks for a permission, a field, a text to select, and what the mouse does to it. */
const PAGE = `<!doctype html><meta charset="utf-8"><title>asks</title>
<body style="margin:0;height:4000px;font:20px sans-serif;background:#fff">
<button style="position:absolute;left:600px;top:40px;width:200px;height:60px" onclick="Notification.requestPermission().then((answer) => { document.title = answer })">Ask</button>
<input id="field" style="position:absolute;left:600px;top:140px;width:300px;height:40px">
<p id="text" style="position:absolute;left:600px;top:200px;margin:0;font:40px/60px monospace">Select these words</p>
<div id="target" style="position:absolute;left:600px;top:300px;width:200px;height:200px;background:#fc6">target</div>
<script>self.seen = []; for (const type of ['click', 'dblclick', 'contextmenu', 'mouseenter']) target.addEventListener(type, (event) => { seen.push(type); event.preventDefault(); })</script>`;

/**
 * In the page of the screen: the middle of the last of the buttons of a permission prompt, which have a colour that nothing else has below the
 * toolbar; undefined without one.
 */
const FIND_ALLOW = `(() => {
  const canvas = document.querySelector('#picture');
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  let right = 0, top = height, bottom = 0;
  for (let y = 160; y < 400; y++) for (let x = 0; x < 600; x++) {
    const at = 4 * (y * width + x);
    if (data[at] !== 211 || data[at + 1] !== 227 || data[at + 2] !== 253) continue;
    right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  return bottom > top ? { x: right - 30, y: Math.round((top + bottom) / 2) } : undefined;
})()`;

describe('the whole screen of a browser with a window on another machine', () => {
  let shared: SharedWindow;
  let display: Display;
  let service: TestService;
  let proxy: ServiceProxy;
  let site: Site;
  let remote: Browser;
  let page: Page;
  let panel: FrameLocator;

  before(async function () {
    // Elsewhere there is no screen without a monitor.
    if (process.platform !== 'linux') this.skip();
    shared = await sharedWindow(this);
    display = await Display.start();
    await display.setLayout('de');
    service = await TestService.start([], undefined, { ...process.env, DISPLAY: display.name });
    proxy = await ServiceProxy.start(service.baseUrl);
    actOn(display, proxy);
    site = await startSite(PAGE);
    const { browsers } = service.client;
    const session = await browsers.create({ name: BROWSER, headless: false, viewport: VIEWPORT, timeout_seconds: 600 });
    remote = await chromium.connectOverCDP(session.cdp_ws_url);
    page = remote.contexts()[0]?.pages()[0] ?? assert.fail('the browser has no tab');
    await page.goto(site.url);
    await chooseOtherService(shared.workbench, proxy.baseUrl, service.token);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    panel = shared.workbench.editors.webview();
  });

  after(async () => {
    await remote?.close();
    await shared?.workbench.editors.closeAll();
    if (proxy) await leaveOtherService(shared.workbench);
    proxy?.stop();
    site?.close();
    await service?.stop();
    await display?.stop();
  });

  const take = (name: string): Promise<void> => shared.workbench.picture(join(CACHE, 'ui', `screen-whole-${name}.png`));

  async function reaches(expression: string): Promise<void> {
    try {
      await page.waitForFunction(expression, undefined, { timeout: REACH_LIMIT_MS });
    } catch (error) {
      assert.fail(`${expression} is not reached: ${await page.evaluate<string>(PAGE_STATE)}; ${String(error)}`);
    }
  }

  async function frame(): Promise<Frame> {
    const body = await panel.locator('body').elementHandle();
    return (await body?.ownerFrame()) ?? assert.fail('the page has no frame');
  }

  /** The place in VS Code's window of a point of the display. */
  async function placeOf({ x, y }: { x: number; y: number }): Promise<{ x: number; y: number }> {
    const box = (await panel.getByRole('img', { name: SCROLL.screen }).boundingBox()) ?? assert.fail('no picture');
    const scale = box.width / (await (await frame()).evaluate<number>('document.querySelector("#picture").width'));
    return { x: box.x + x * scale, y: box.y + y * scale };
  }

  /** The point of the display where a point of the page is. */
  async function onDisplay(x: number, y: number): Promise<{ x: number; y: number }> {
    const [left = 0, top = 0] = await page.evaluate<number[]>('[screenX, screenY + outerHeight - innerHeight]');
    return { x: left + x, y: top + y };
  }

  async function clickOn(point: { x: number; y: number }, options: Parameters<Page['mouse']['click']>[2] = {}) {
    const { x, y } = await placeOf(point);
    await shared.workbench.page.mouse.click(x, y, options);
  }

  async function waitForWhole(): Promise<void> {
    await panel.locator('#status').getByText(SCREEN.wholeState).waitFor({ timeout: REACH_LIMIT_MS });
    await panel.locator('#shownSize').getByText('1280 × 1024').waitFor();
  }

  it('is a choice beside the live page', async () => {
    await panel.locator('#status').getByText(SCREEN.live).waitFor({ timeout: REACH_LIMIT_MS });
    await panel.getByLabel(SCREEN.size).selectOption('window');
    await panel.locator('#shownSize').getByText(`${VIEWPORT.width} × ${VIEWPORT.height}`).waitFor();
    const button = panel.getByRole('button', { name: SCREEN.whole, pressed: false });
    await take('off');
    await button.click();
    await waitForWhole();
    await panel.getByRole('button', { name: SCREEN.whole, pressed: true }).waitFor();
    await panel.getByRole('tab', { name: 'asks', selected: true }).waitFor();
    assert.equal(await panel.getByLabel(SCREEN.address).inputValue(), site.url);
    assert.equal(await panel.getByLabel(SCREEN.size).isEnabled(), false);
    await take('on');
    assert.deepEqual(await axeFindings(await frame()), []);
  });

  it('shows the prompt for a permission, which is granted there', async () => {
    await clickOn(await onDisplay(700, 70));
    let allow: { x: number; y: number } | undefined;
    await eventually(
      'the prompt is in the picture',
      async () => {
        allow = await (await frame()).evaluate<{ x: number; y: number } | undefined>(FIND_ALLOW);
        return allow !== undefined;
      },
      REACH_LIMIT_MS,
    );
    // It takes no click in its first moment, so that no one hits it unawares.
    await page.waitForTimeout(1000);
    await take('prompt');
    assert.equal(await page.title(), 'asks');
    await clickOn(allow ?? assert.fail());
    await reaches('document.title === "granted"');
  });

  it('gets texts and keys', async () => {
    const { keyboard } = shared.workbench.page;
    await clickOn(await onDisplay(700, 160));
    await reaches('document.activeElement === field');
    await keyboard.type('Größe 7');
    await reaches('field.value === "Größe 7"');
    await keyboard.press('Backspace');
    await reaches('field.value === "Größe "');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('x');
    await reaches('field.value === "x"');
    await shared.workbench.page.evaluate('navigator.clipboard.writeText("Käse")');
    await keyboard.press('ControlOrMeta+V');
    await reaches('field.value === "xKäse"');
    await take('typed');
  });

  it('gets hovers, clicks, double and right clicks, drags and the wheel', async () => {
    const { mouse } = shared.workbench.page;
    const target = await placeOf(await onDisplay(700, 400));
    await mouse.move(target.x, target.y);
    await reaches('seen.includes("mouseenter") && !seen.includes("click")');
    await mouse.click(target.x, target.y);
    await reaches('seen.filter((type) => type === "click").length === 1');
    await mouse.click(target.x, target.y, { button: 'right' });
    await reaches('seen.includes("contextmenu")');
    // Each click is a request: when the second one comes later than half a second, Chromium takes it for another single one.
    const doubleClick = async (): Promise<void> => {
      await mouse.dblclick(target.x, target.y);
      await page.waitForTimeout(DOUBLE_CLICK_MS);
    };
    const isDouble = (): Promise<boolean> => page.evaluate<boolean>('seen.includes("dblclick")');
    await eventually('a double click arrives', isDouble, REACH_LIMIT_MS, doubleClick);
    const letter = await page.evaluate<number>('text.getBoundingClientRect().width / text.textContent.length');
    // Within a letter: the picture is smaller than the display, so that a point is exact to two pixels or so.
    const from = await placeOf(await onDisplay(600 + letter * 0.3, 230));
    const to = await placeOf(await onDisplay(600 + letter * 12.2, 230));
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move((from.x + to.x) / 2, from.y);
    await mouse.move(to.x, to.y);
    await mouse.up();
    await reaches('getSelection().toString() === "Select these"');
    // Beside what is selected, which would be dragged.
    const beside = await placeOf(await onDisplay(600 + letter * 14.5, 230));
    await mouse.move(beside.x, beside.y);
    await mouse.down();
    // Beside the picture, where the service has no points.
    await mouse.move(beside.x, 5);
    await mouse.up();
    await reaches('!getSelection().toString().startsWith("Select these")');
    await panel.locator('#status').getByText(SCREEN.wholeState).waitFor();
    await mouse.move(target.x, target.y);
    await mouse.wheel(0, 240);
    await reaches('Math.round(scrollY) === 240');
    await mouse.wheel(0, -240);
    await reaches('scrollY === 0');
  });

  it('asks nothing of the service while nothing is done', async () => {
    await shared.workbench.openSidebar('Explorer');
    await page.waitForTimeout(SETTLE_MS);
    const before = proxy.requests.length;
    await page.waitForTimeout(IDLE_MS);
    const asked = proxy.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(asked, []);
    await panel.getByRole('button', { name: SCREEN.refresh }).click();
    await eventually('a picture is taken', () => proxy.requests.length > before, REACH_LIMIT_MS);
  });

  it('follows what the browser does by itself', async () => {
    const before = proxy.bodiesOf('screenshot').length;
    await page.evaluate('location.hash = "moved"');
    await eventually('a picture is taken', () => proxy.bodiesOf('screenshot').length > before, REACH_LIMIT_MS);
    assert.equal(await panel.getByLabel(SCREEN.address).inputValue(), `${site.url}#moved`);
  });

  it('stays chosen while the panel is hidden, and is left by a command', async () => {
    const { workbench } = shared;
    await workbench.editors.open('background.js');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tabs-container').getByRole('tab', { name: BROWSER }).click();
    panel = workbench.editors.webview();
    await waitForWhole();
    await workbench.run(COMMANDS.screenWhole);
    await panel.locator('#status').getByText(SCREEN.live).waitFor({ timeout: REACH_LIMIT_MS });
    await panel.locator('#shownSize').getByText(`${VIEWPORT.width} × ${VIEWPORT.height}`).waitFor();
    await panel.getByRole('button', { name: SCREEN.whole, pressed: false }).waitFor();
  });
}).timeout(90_000);
