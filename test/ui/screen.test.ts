// Covers: src/editor/screen, src/screen, src/devtools
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chromium, type Browser, type Frame, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { axeFindings } from '../workbench/axe';
import { eventually } from '../support/eventually';
import { localDevToolsAddress } from '../support/localService';
import { CACHE } from '../support/paths';
import { BUTTONS, SCREEN, SCROLL } from '../workbench/phrases';
import { createBrowser, makeRoom, openBrowsers, pushByRow } from '../workbench/pushing';
import { renewedWindow, sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';
import { Walk } from '../workbench/walk';

const BROWSER = 'screen-browser';

/** How long what is done in the panel may take to reach the page, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 60_000;

/** Longest time to open another window, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;

/** In which a text that is typed twice would have come for the second time, in milliseconds. */
const TWICE_MS = 500;

/** Of the browser's screen, in CSS pixels. */
const WIDTH = 1280;

/** Larger than its window, with an inner element that scrolls, a form, and what the mouse does to it. */
const PAGE = `data:text/html,<meta charset=utf-8><title>Screen test</title>
<body style="margin:0;width:4000px;height:4000px;font:20px sans-serif;background:linear-gradient(160deg,%23fff,%239bd)">
<form onsubmit="document.title='sent: '+name.value;return false">
<input name="name" style="position:absolute;left:40px;top:40px;width:400px;height:40px">
<button style="position:absolute;left:40px;top:100px;width:160px;height:40px">Send</button></form>
<textarea id="area" style="position:absolute;left:40px;top:170px;width:400px;height:80px"></textarea>
<div id="inner" style="position:absolute;left:700px;top:40px;width:300px;height:300px;overflow:auto;background:%23fff"><p style="margin:0;width:2000px;height:2000px">inner</p></div>
<div id="target" style="position:absolute;left:40px;top:300px;width:200px;height:200px;background:%23fc6">target</div>
<script>self.seen=[];for(const type of ['click','dblclick','contextmenu','mouseenter'])target.addEventListener(type,(event)=>{seen.push(type);event.preventDefault()})</script>`;

describe('the live screen', () => {
  let shared: SharedWindow;
  let remote: Browser;
  let page: Page;
  let panel: FrameLocator;
  let picture: Locator;

  /** Creates the browser, and opens its screen. */
  const openScreen = async (): Promise<void> => {
    // The page gets the size of its place, and the tests use points of all of it.
    await makeRoom(shared.workbench);
    await createBrowser(shared.workbench, BROWSER);
    remote = await chromium.connectOverCDP(await localDevToolsAddress(shared.server.userDir, BROWSER));
    page = remote.contexts()[0]?.pages()[0] ?? assert.fail('the browser has no tab');
    await page.goto(PAGE);
    // Without a listener Playwright closes dialogs.
    page.on('dialog', () => undefined);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    panel = shared.workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    picture = panel.getByRole('img', { name: SCROLL.screen });
    await picture.waitFor();
  };

  const walk = new Walk(
    {
      screen: { reach: openScreen },
      pushed: {
        after: 'screen',
        reach: async () => {
          assert.ok((await pushByRow(shared.workbench, BROWSER)).succeeded);
          await panel.locator('#mark').getByText('Sideload Sample').waitFor();
        },
      },
    },
    async () => {
      await remote.close().catch(() => undefined);
      shared = await renewedWindow();
    },
  );

  before(async function () {
    shared = await sharedWindow(this);
    await walk.reach('screen');
  });

  after(async function () {
    this.timeout(OPEN_LIMIT_MS);
    await remote.close();
    if (walk.state === undefined) {
      await renewedWindow();
      return;
    }
    const view = await openBrowsers(shared.workbench);
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
    await shared.workbench.press(BUTTONS.delete);
    await view.row(BROWSER).waitFor({ state: 'detached' });
    await shared.workbench.command('View: Close All Editors');
  });

  const take = (name: string): Promise<void> => shared.workbench.picture(join(CACHE, 'ui', `screen-${name}.png`));

  async function reaches(expression: string): Promise<void> {
    await page.waitForFunction(expression, undefined, { timeout: REACH_LIMIT_MS });
  }

  /** The place in VS Code's window where a point of the page is shown. */
  async function placeOf(x: number, y: number): Promise<{ x: number; y: number }> {
    const box = (await picture.boundingBox()) ?? assert.fail('the picture is not shown');
    const scale = box.width / (await page.evaluate<number>('innerWidth'));
    return { x: box.x + x * scale, y: box.y + y * scale };
  }

  async function clickAt(x: number, y: number, options: Parameters<Page['mouse']['click']>[2] = {}): Promise<void> {
    const place = await placeOf(x, y);
    await shared.workbench.page.mouse.click(place.x, place.y, options);
  }

  walk.it('shows the page by itself, and follows it', 'screen', async () => {
    await picture.waitFor();
    await panel.locator('#status').getByText(SCREEN.live).waitFor();
    await panel.getByRole('tab', { name: 'Screen test', selected: true }).waitFor();
    assert.match(await panel.getByLabel(SCREEN.address).inputValue(), /^data:text/);
    await take('live');
    const before = await shown();
    await page.evaluate('document.body.style.background = "rebeccapurple"');
    await eventually('the picture follows', async () => (await shown()) !== before, REACH_LIMIT_MS);
    await page.evaluate('document.body.style.background = "white"');
  });

  /** What the picture shows, as the address of an image. */
  async function shown(): Promise<string> {
    return await (await frame()).evaluate<string>('document.querySelector("#picture").toDataURL()');
  }

  async function frame(): Promise<Frame> {
    return (await (await picture.elementHandle())?.ownerFrame()) ?? assert.fail('the page has no frame');
  }

  walk.it('turns the wheel by exact pixels, where the pointer is', 'screen', async () => {
    const { mouse } = shared.workbench.page;
    const free = await placeOf(600, 600);
    await mouse.move(free.x, free.y);
    await mouse.wheel(0, 137);
    await mouse.wheel(53, 0);
    await reaches('Math.round(scrollY) === 137 && Math.round(scrollX) === 53');
    await mouse.wheel(-53, -137);
    await reaches('Math.round(scrollY) === 0 && Math.round(scrollX) === 0');
    const inner = await placeOf(800, 200);
    await mouse.move(inner.x, inner.y);
    await mouse.wheel(0, 44);
    await reaches('inner.scrollTop === 44 && scrollY === 0');
  });

  walk.it('clicks, double-clicks, right-clicks and hovers', 'screen', async () => {
    await clickAt(140, 400);
    await reaches('seen.includes("click") && seen.includes("mouseenter")');
    await clickAt(140, 400, { clickCount: 2 });
    await reaches('seen.includes("dblclick")');
    await clickAt(140, 400, { button: 'right' });
    await reaches('seen.includes("contextmenu")');
  });

  walk.it(
    'fills in a form and sends it by keyboard: umlauts, Chinese of an input method, emoji, a paste',
    'screen',
    async () => {
      const { keyboard } = shared.workbench.page;
      await clickAt(240, 60);
      await reaches('document.activeElement.name === "name"');
      await keyboard.type('Joä');
      await reaches('document.activeElement.value === "Joä"');
      await keyboard.insertText('你好😀');
      await reaches('document.activeElement.value === "Joä你好😀"');
      await shared.workbench.page.evaluate('navigator.clipboard.writeText("pasted")');
      await keyboard.press('ControlOrMeta+V');
      await reaches('document.activeElement.value === "Joä你好😀pasted"');
      await keyboard.press('Backspace');
      await keyboard.press('Enter');
      await reaches('document.title === "sent: Joä你好😀paste"');
      await keyboard.press('ControlOrMeta+A');
      await keyboard.press('ControlOrMeta+C');
      const copied = (): Promise<string> => shared.workbench.page.evaluate<string>('navigator.clipboard.readText()');
      await eventually(copied, async () => (await copied()) === 'Joä你好😀paste', REACH_LIMIT_MS);
      await take('typed');
    },
  );

  walk.it('composes the text of an input method', 'screen', async () => {
    const session = await shared.workbench.page.context().newCDPSession(shared.workbench.page);
    await clickAt(240, 200);
    await reaches('document.activeElement.id === "area"');
    await session.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 });
    await reaches('area.value === "ni"');
    await session.send('Input.insertText', { text: '你' });
    await reaches('area.value === "你"');
    await page.waitForTimeout(TWICE_MS);
    assert.equal(await page.evaluate<string>('area.value'), '你');
    await session.detach();
  });

  walk.it('shows a dialog with its buttons', 'screen', async () => {
    const answer = page.evaluate<boolean>('confirm("Really?")');
    const box = panel.getByRole('alertdialog');
    await box.getByText('Really?').waitFor();
    await take('dialog');
    assert.deepEqual(await axeFindings(await frame()), []);
    await box.getByRole('button', { name: SCREEN.accept }).click();
    assert.equal(await answer, true);
    await box.waitFor({ state: 'hidden' });
  });

  walk.it('goes where the address bar says, and back', 'screen', async () => {
    await panel.getByLabel(SCREEN.address).fill('data:text/html,<title>Another page</title><h1>Another page</h1>');
    await panel.getByLabel(SCREEN.address).press('Enter');
    await panel.getByRole('tab', { name: 'Another page' }).waitFor();
    await panel.getByRole('button', { name: SCREEN.back }).click();
    await panel.getByRole('tab', { name: 'Screen test' }).waitFor();
  });

  walk.it('shows the page in another size', 'screen', async () => {
    await panel.getByLabel(SCREEN.size).selectOption('phone');
    await reaches('innerWidth === 390 && innerHeight === 844');
    await panel.getByRole('button', { name: SCREEN.rotate }).click();
    await reaches('innerWidth === 844 && innerHeight === 390');
    await take('size');
    await panel.getByRole('button', { name: SCREEN.rotate }).click();
    await panel.getByLabel(SCREEN.size).selectOption('window');
    await reaches(`innerWidth === ${WIDTH}`);
    await panel.locator('#shownSize').getByText(String(WIDTH)).waitFor();
    await panel.getByLabel(SCREEN.size).selectOption('fit');
    await reaches(`innerWidth !== ${WIDTH}`);
  });

  walk.it('gives the page the size of its place, and follows that', 'screen', async () => {
    const sizes = async (): Promise<string[]> => {
      const box = await picture.boundingBox();
      const size = await page.evaluate<string>('`${innerWidth} × ${innerHeight}`');
      return [`${box?.width} × ${box?.height}`, size];
    };
    const fits = async (): Promise<boolean> => {
      const [shownIn, size] = await sizes();
      return shownIn === size;
    };
    const followed = async (): Promise<string> =>
      `the picture has the size of the page: ${(await sizes()).join(' and ')}`;
    await eventually(followed, fits, REACH_LIMIT_MS);
    const before = await page.evaluate<number>('innerWidth');
    await shared.workbench.command('View: Toggle Primary Side Bar Visibility');
    await reaches(`innerWidth > ${before} + 100`);
    await eventually(followed, fits, REACH_LIMIT_MS);
    await shared.workbench.command('View: Toggle Primary Side Bar Visibility');
    await reaches(`innerWidth === ${before}`);
    // The picture shows the size of before until the next one comes.
    await eventually(followed, fits, REACH_LIMIT_MS);
  });

  walk.it('shows the list of a field, which can be used by mouse and keyboard', 'screen', async () => {
    const options = ['red', 'green', 'blue'].map((colour) => `<option>${colour}</option>`).join('');
    await page.evaluate(`area.insertAdjacentHTML('afterend',
      '<select id="colour" style="position:absolute;left:40px;top:520px;width:160px;height:32px">${options}</select>')`);
    const list = panel.getByRole('listbox', { name: SCREEN.list });
    await clickAt(100, 536);
    await list.waitFor();
    await take('list');
    assert.deepEqual(await axeFindings(await frame()), []);
    await list.getByRole('option', { name: 'green' }).click();
    await reaches('colour.value === "green"');
    await list.waitFor({ state: 'hidden' });
    await clickAt(100, 536);
    await list.waitFor();
    await shared.workbench.page.keyboard.press('ArrowDown');
    await shared.workbench.page.keyboard.press('Enter');
    await reaches('colour.value === "blue"');
    await clickAt(100, 536);
    await list.waitFor();
    await shared.workbench.page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await reaches('!colour.matches(":open")');
    await page.evaluate('colour.remove()');
  });

  walk.it('leaves by Tab and Escape, unless the page gets both', 'screen', async () => {
    const { keyboard } = shared.workbench.page;
    await page.evaluate('self.keys = []; addEventListener("keydown", ({ key }) => keys.push(key))');
    await clickAt(600, 650);
    await keyboard.press('x');
    await reaches('keys.join() === "x"');
    await keyboard.press('Tab');
    await panel.locator('#pad:not(:focus)').waitFor();
    await panel.getByText(SCREEN.precise, { exact: true }).click();
    await panel.getByRole('button', { name: SCREEN.giveKeys }).click();
    await clickAt(600, 500);
    await keyboard.press('Tab');
    await keyboard.press('Escape');
    await reaches('keys.join() === "x,Tab,Escape"');
    await panel.locator('#pad:focus').waitFor();
    await panel.getByRole('button', { name: SCREEN.giveKeys }).click();
    await panel.getByText(SCREEN.precise, { exact: true }).click();
  });

  walk.it('leaves the shortcuts of VS Code to VS Code', 'screen', async () => {
    await clickAt(600, 650);
    await page.evaluate('self.keys = []');
    await shared.workbench.page.keyboard.press('F1');
    await shared.workbench.quickInput.opened();
    await shared.workbench.quickInput.cancel();
    assert.deepEqual(await page.evaluate<string[]>('keys'), []);
  });

  walk.it('opens and closes tabs', 'screen', async () => {
    const other = panel.getByRole('tab').filter({ hasNotText: 'Screen test' });
    await panel.getByRole('button', { name: SCREEN.newTab }).click();
    await other.and(panel.getByRole('tab', { selected: true })).waitFor();
    await panel.getByRole('tab', { name: 'Screen test' }).click();
    await panel.getByRole('tab', { name: 'Screen test', selected: true }).waitFor();
    await other.click({ button: 'middle' });
    await panel.getByRole('tab').nth(1).waitFor({ state: 'detached' });
  });

  walk.it('moves, and shows the page again after it was hidden', 'screen', async () => {
    const { workbench } = shared;
    await workbench.editors.open('background.js');
    // The file covers the panel only in its group.
    await workbench.command('View: Close All Editors');
    await (await openBrowsers(workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    await picture.waitFor();
    const moving =
      'self.at = 0; self.moving = setInterval(() => { document.body.style.background = `hsl(${at += 7} 80% 70%)` }, 20)';
    await page.evaluate(moving);
    await eventually(
      'it moves',
      async () => (await panel.locator('#fps').textContent())?.includes('fps') === true,
      REACH_LIMIT_MS,
    );
    await take('moving');
    await workbench.editors.open('manifest.json');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await workbench.page.locator('.tabs-container').getByRole('tab', { name: BROWSER }).click();
    await picture.waitFor();
    await page.evaluate('clearInterval(moving)');
  });

  walk.it('is renewed and marked after a push', ['screen', 'pushed'], async () => {
    const push = await pushByRow(shared.workbench, BROWSER);
    assert.ok(push.succeeded, push.lines.join('\n'));
    await panel.locator('#mark').getByText('Sideload Sample').waitFor();
    await panel.locator('#line').getByText('Sideload Sample').waitFor();
    await take('pushed');
  });

  walk.it('shows the popup of the extension, which can be used and closed', 'pushed', async () => {
    await panel.getByRole('button', { name: SCREEN.openPopup }).click();
    const popup = panel.getByRole('img', { name: SCREEN.popup });
    await popup.waitFor({ timeout: REACH_LIMIT_MS });
    await take('popup');
    await panel.getByRole('button', { name: SCREEN.close, exact: true }).click();
    await popup.waitFor({ state: 'hidden' });
    await panel.getByRole('button', { name: SCREEN.openPopup }).click();
    await popup.waitFor({ timeout: REACH_LIMIT_MS });
    await panel.locator('#pad').focus();
    await shared.workbench.page.keyboard.press('Escape');
    await popup.waitFor({ state: 'hidden' });
  });

  walk.it('unfolds the form', 'pushed', async () => {
    await panel.getByText(SCREEN.precise, { exact: true }).click();
    await panel.getByRole('button', { name: SCROLL.down }).waitFor();
    await take('precise');
    await panel.getByText(SCREEN.precise, { exact: true }).click();
  });
}).timeout(120_000);
