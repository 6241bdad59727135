// Covers: src/editor/screen, src/screen, src/local/input
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chromium, type Browser, type FrameLocator, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { localDevToolsAddress } from '../support/localService';
import { CACHE } from '../support/paths';
import { BUTTONS, SCREEN, SCROLL } from '../workbench/phrases';
import { createBrowser, openBrowsers } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'scroll-browser';

/** The file in the editor beside the panel. */
const FILE = 'background.js';

/** One wheel tick, in CSS pixels: measured with real wheel clicks on Chromium. */
const TICK_PIXELS = 120;

/** How far Chromium moves a page for an arrow key, in CSS pixels. */
const LINE_PIXELS = 40;

/** How long a turn of the wheel may take to reach the page, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 60_000;

/** How long Chromium may take to scroll a page for a key, in milliseconds, and how often it may drop that. */
const KEY_LIMIT_MS = 5000;
const MOST_DROPPED = 6;

/** A page that is taller and wider than the screen, notes which modifier keys a wheel event carried, and which keys came. */
const TALL_PAGE = `data:text/html,<title>tall</title><body style="margin:0;width:9000px;height:9000px;background:linear-gradient(160deg,%23cde,%23369)">
<script>addEventListener('wheel', (event) => { globalThis.lastWheel = [event.ctrlKey, event.shiftKey, event.altKey, event.clientX, event.clientY]; });
globalThis.keys = []; addEventListener('keydown', (event) => { keys.push(event.key); });</script>`;

/** Longest time until an editor is in the group that it was moved to, in milliseconds. */
const MOVE_LIMIT_MS = 5000;

describe('the scroll controls', () => {
  let shared: SharedWindow;
  let remote: Browser;
  let page: Page;
  let panel: FrameLocator;
  let isDeleted = false;

  before(async function () {
    shared = await sharedWindow(this);
    await createBrowser(shared.workbench, BROWSER);
    remote = await chromium.connectOverCDP(await localDevToolsAddress(shared.server.userDir, BROWSER));
    page = remote.contexts()[0]?.pages()[0] ?? assert.fail('the browser has no tab');
    await page.goto(TALL_PAGE);
    await shared.workbench.editors.open(FILE);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    panel = shared.workbench.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    await panel.getByRole('heading', { name: BROWSER }).waitFor();
    await panel.locator('#status').getByText(SCREEN.live).waitFor();
    await panel.getByLabel(SCREEN.size).selectOption('window');
    await panel.getByText(SCREEN.precise, { exact: true }).click();
  });

  after(async () => {
    await remote.close();
    if (!isDeleted) await deleteBrowser();
    await shared.workbench.command('View: Close All Editors');
  });

  // A test that fails leaves the page where it is.
  beforeEach(async () => {
    await page.evaluate(`scrollTo({ left: 0, top: 0, behavior: 'instant' })`);
  });

  async function deleteBrowser(): Promise<void> {
    isDeleted = true;
    const view = await openBrowsers(shared.workbench);
    await view.clickRowMenu(BROWSER, commandTitle(COMMANDS.deleteBrowser));
    await shared.workbench.press(BUTTONS.delete);
    await view.row(BROWSER).waitFor({ state: 'detached' });
  }

  /** Waits until the page stands at a place, in pixels from its corner. */
  async function reaches(x: number, y: number, limitMs = REACH_LIMIT_MS): Promise<void> {
    let place: number[] = [];
    await eventually(
      () => `the page is at ${x}, ${y}; it is at ${place.join(', ')}`,
      async () => {
        place = await page.evaluate<number[]>('[Math.round(scrollX), Math.round(scrollY)]');
        return place[0] === x && place[1] === y;
      },
      limitMs,
    );
  }

  /**
   * Presses a key, which the page gets exactly once, until it scrolls the page from one height to another. Chromium 156 gives a page the key and now
   * and then drops the scroll, on an idle machine, too: of Home right after an arrow key 15 of 40, without any part of Sideload.
   */
  async function scrollsByKey(key: string, from: number, to: number): Promise<void> {
    for (let dropped = 0; ; dropped++) {
      await page.evaluate(`scrollTo({ top: ${from}, behavior: 'instant' }); keys = []`);
      await shared.workbench.page.keyboard.press(key);
      await page.waitForFunction('keys.length > 0', undefined, { timeout: REACH_LIMIT_MS });
      try {
        await reaches(0, to, KEY_LIMIT_MS);
        break;
      } catch (error) {
        if (dropped === MOST_DROPPED) throw error;
      } finally {
        assert.deepEqual(await page.evaluate<string[]>('keys'), [key]);
      }
    }
  }

  /** Until VS Code has learnt that the focus is in the panel, which the frame of the panel reports later; it would go back there then. */
  const untilActive = (): Promise<void> =>
    shared.workbench.page
      .locator('.editor-group-container.active')
      .getByRole('tab', { name: BROWSER, selected: true })
      .waitFor();

  /** Until the page of the panel has the focus. */
  const untilFocused = (): Promise<void> =>
    eventually(
      'the panel has the focus',
      () => panel.locator('body').evaluate<boolean, undefined>('document.hasFocus()'),
      REACH_LIMIT_MS,
    );

  /** Types a comment where the focus is, which must be the editor, and takes it back. */
  async function typeIntoEditor(text: string): Promise<void> {
    const { workbench } = shared;
    await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    await workbench.page.keyboard.insertText(`// ${text}`);
    await workbench.editors.textWith(text);
    await workbench.command('File: Revert File');
    await workbench.page.locator('.tabs-container .tab.dirty').waitFor({ state: 'detached' });
  }

  /** The host brings the field back when the page was created again. */
  async function keepsDraft(): Promise<void> {
    const value = (): Promise<string> => panel.getByLabel(SCROLL.x).inputValue();
    await eventually(value, async () => (await value()) === '5000', REACH_LIMIT_MS);
  }

  /** Moves the panel, until there are so many groups of editors: on a busy machine, another one may be active when the command runs. */
  async function movePanel(to: 'Previous' | 'Next', groups: number): Promise<void> {
    const { workbench } = shared;
    const last = workbench.page.locator('.editor-group-container').nth(groups - 1);
    const further = workbench.page.locator('.editor-group-container').nth(groups);
    for (let attempt = 0; ; attempt++) {
      await workbench.page.locator('.tabs-container').getByRole('tab', { name: BROWSER }).click();
      // VS Code gives the focus to the page of the tab a moment later: what is typed into the palette before would go there.
      await untilFocused();
      await workbench.command(`View: Move Editor into ${to} Group`);
      try {
        await last.waitFor({ timeout: MOVE_LIMIT_MS });
        await further.waitFor({ state: 'detached', timeout: MOVE_LIMIT_MS });
        return;
      } catch (error) {
        if (attempt === 2) throw error;
      }
    }
  }

  it('show the screen of the browser and its centre', async () => {
    await panel.getByRole('img', { name: SCROLL.screen }).waitFor();
    // The page has had the size of its place before.
    const centre = async (): Promise<string> =>
      `${await panel.getByLabel(SCROLL.x).inputValue()}, ${await panel.getByLabel(SCROLL.y).inputValue()}`;
    await eventually(centre, async () => (await centre()) === '640, 360', REACH_LIMIT_MS);
    await shared.workbench.picture(join(CACHE, 'ui', 'scroll.png'));
  });

  it('scroll by buttons in all four directions: the entered number of ticks, each of 120 pixels', async () => {
    await panel.getByLabel(SCROLL.ticksVertical).fill('3');
    await panel.getByRole('button', { name: SCROLL.down }).click();
    await reaches(0, 3 * TICK_PIXELS);
    // The first is told at once; what follows within a second is summed, and opposite ways cancel out.
    await panel.getByText(SCROLL.scrolledDown(3), { exact: true }).waitFor();
    await panel.getByLabel(SCROLL.ticksHorizontal).fill('2');
    await panel.getByRole('button', { name: SCROLL.right }).click();
    await reaches(2 * TICK_PIXELS, 3 * TICK_PIXELS);
    await panel.getByRole('button', { name: SCROLL.up }).click();
    await panel.getByRole('button', { name: SCROLL.left }).click();
    await reaches(0, 0);
  });

  it('scroll at the entered point, and show an error beside a field with a point outside of the screen', async () => {
    await panel.getByLabel(SCROLL.x).fill('100');
    await panel.getByLabel(SCROLL.y).fill('200');
    await panel.getByRole('button', { name: SCROLL.down }).click();
    await reaches(0, 3 * TICK_PIXELS);
    assert.deepEqual(await page.evaluate<number[]>('lastWheel.slice(3)'), [100, 200]);
    await panel.getByLabel(SCROLL.x).fill('1280');
    await panel.getByText(SCROLL.wholeNumber(0, 1279)).waitFor();
    await panel.getByLabel(SCROLL.x).fill('100');
  });

  it('hold the modifier keys that are switched on', async () => {
    const alt = panel.getByRole('button', { name: SCROLL.alt, exact: true });
    await alt.click();
    assert.equal(await alt.getAttribute('aria-pressed'), 'true');
    await page.evaluate(`scrollTo({ top: ${3 * TICK_PIXELS}, behavior: 'instant' })`);
    await panel.getByRole('button', { name: SCROLL.up }).click();
    await page.waitForFunction('lastWheel[2] === true', undefined, { timeout: REACH_LIMIT_MS });
    assert.deepEqual(await page.evaluate<boolean[]>('lastWheel.slice(0, 3)'), [false, false, true]);
    await alt.click();
    await reaches(0, 0);
  });

  it('can be used with the keyboard alone', async () => {
    await panel.getByRole('application').focus();
    await scrollsByKey('ArrowDown', 0, LINE_PIXELS);
    await scrollsByKey('Home', LINE_PIXELS, 0);
    await shared.workbench.page.keyboard.press('Tab');
    assert.equal(await panel.locator('#pad:focus').count(), 0);
  });

  it('have commands of their own', async () => {
    const { workbench } = shared;
    await workbench.run(COMMANDS.scrollDown);
    await reaches(0, 3 * TICK_PIXELS);
    await workbench.run(COMMANDS.scrollUp);
    await reaches(0, 0);
    await workbench.run(COMMANDS.scrollPageDown);
    await reaches(0, 5 * TICK_PIXELS);
    await workbench.run(COMMANDS.scrollPageUp);
    await reaches(0, 0);
  });

  it('scroll by a command as far as it is told, at the point and with the keys that other commands set', async () => {
    const { workbench } = shared;
    await workbench.runThatAsks(COMMANDS.setScrollPoint);
    await workbench.quickInput.type('100, 1080');
    await workbench.quickInput.saying(SCROLL.pointRange(1279, 719));
    await workbench.quickInput.answer('70, 80');
    await workbench.quickInput.closed();
    await workbench.runThatAsks(COMMANDS.scrollBy);
    await workbench.quickInput.pick(SCROLL.directionDown);
    await workbench.quickInput.answer('12');
    // More than one request may carry.
    await reaches(0, 12 * TICK_PIXELS);
    assert.deepEqual(await page.evaluate<number[]>('lastWheel.slice(3)'), [70, 80]);
    assert.equal(await panel.getByLabel(SCROLL.x).inputValue(), '70');
    await workbench.runThatAsks(COMMANDS.holdScrollKeys);
    await workbench.quickInput.tick([SCROLL.alt]);
    await workbench.quickInput.closed();
    await panel.locator('#alt[aria-pressed="true"]').waitFor();
    await workbench.run(COMMANDS.scrollUp);
    await page.waitForFunction('lastWheel[2] === true', undefined, { timeout: REACH_LIMIT_MS });
    await panel.getByRole('button', { name: SCROLL.alt, exact: true }).click();
    await workbench.run(COMMANDS.scrollToTop);
    await reaches(0, 0);
    await page.waitForFunction('lastWheel[2] === true');
    await workbench.run(COMMANDS.scrollDown);
    await page.waitForFunction('lastWheel[2] === false', undefined, { timeout: REACH_LIMIT_MS });
    await panel.getByRole('button', { name: SCROLL.top }).click();
    await reaches(0, 0);
  });

  it('give the focus back to the editor on Escape, from the pad, a button and a field, whose text stays', async () => {
    const { workbench } = shared;
    await panel.getByLabel(SCROLL.x).fill('5000');
    const places = [
      panel.getByRole('application'),
      panel.getByRole('button', { name: SCROLL.down }),
      panel.getByLabel(SCROLL.x),
    ];
    for (const [index, place] of places.entries()) {
      await place.focus();
      await untilActive();
      await workbench.page.keyboard.press('Escape');
      await typeIntoEditor(`typed ${index}`);
    }
    assert.equal(await panel.getByLabel(SCROLL.x).inputValue(), '5000');
  });

  it('give the focus back on Escape also to an editor that they cover, and then still have the typed text', async () => {
    const { workbench } = shared;
    await movePanel('Previous', 1);
    await keepsDraft();
    await panel.getByRole('application').focus();
    await untilActive();
    await workbench.page.keyboard.press('Escape');
    await typeIntoEditor('typed after the panel had covered the editor');
    await workbench.page.locator('.tabs-container').getByRole('tab', { name: BROWSER }).click();
    await keepsDraft();
    await panel.getByLabel(SCROLL.x).fill('70');
    await movePanel('Next', 2);
    await panel.getByRole('img', { name: SCROLL.screen }).waitFor();
  });

  it('say that the browser is gone, and offer to choose another', async () => {
    await deleteBrowser();
    await panel.locator('#status').getByText(SCROLL.gone(BROWSER)).waitFor();
    await panel.getByRole('button', { name: SCROLL.chooseAnother }).waitFor();
    assert.equal(await panel.getByRole('button', { name: SCROLL.down }).isEnabled(), false);
  });
}).timeout(120_000);
