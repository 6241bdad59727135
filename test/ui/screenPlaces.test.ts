// Covers: src/editor/screen, src/screen/page
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { COMMANDS, VIEWS } from '../../src/ids';
import { axeFindings } from '../workbench/axe';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { ROW_TEXTS, SCREEN, SCROLL } from '../workbench/phrases';
import { makeRoom, openBrowsers } from '../workbench/pushing';
import { screenOf, ScreenStage } from '../workbench/screenStage';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle, submenuTitle, viewTitle } from '../workbench/titles';

/** So much of the picture is seen at once in the sidebar, in CSS pixels of its height: VS Code unfolds a view at its least height, 120. */
const LEAST_SEEN_PX = 90;

/** How long it may take to unfold the form, in milliseconds. */
const UNFOLD_LIMIT_MS = 20_000;

const FIRST = 'places-first';
const SECOND = 'places-second';

/** A page that says its name in its title, and what was clicked. */
const page = (name: string): string =>
  `data:text/html,<title>${name}</title><body style="margin:0;height:4000px" onclick="document.title='clicked'"><h1>${name}</h1>`;

describe('the places of screens', () => {
  let shared: SharedWindow;
  let first: ScreenStage;
  let second: ScreenStage;

  before(async function () {
    shared = await sharedWindow(this);
    await makeRoom(shared.workbench);
    first = await ScreenStage.open(shared, FIRST, page('one'));
    second = await ScreenStage.open(shared, SECOND, page('two'));
  });

  after(async () => {
    // Other tests have one page of a screen.
    await shared.workbench.view(viewTitle(VIEWS.screen)).close();
    await shared.workbench.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await second.end();
    await first.end();
  });

  it('are editor tabs beside each other, one for each browser, which act on their own', async () => {
    const panels = [await screenOf(shared, FIRST), await screenOf(shared, SECOND)];
    for (const [at, name] of ['one', 'two'].entries()) {
      const panel: FrameLocator = panels[at] ?? assert.fail();
      await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor();
      await panel.getByRole('tab', { name }).waitFor();
    }
    await shared.workbench.picture(join(CACHE, 'ui', 'screen-two.png'));
    await panels[0]?.getByRole('img', { name: SCROLL.screen }).click();
    await first.reaches('document.title === "clicked"');
    assert.equal(await second.page.title(), 'two');
    await panels[1]?.getByRole('img', { name: SCROLL.screen }).click();
    await second.reaches('document.title === "clicked"');
  });

  it('are the sidebar by the row of a browser, also when no browser was to be shown there before', async () => {
    const { workbench } = shared;
    await workbench.editors.closeAll();
    const view = await openBrowsers(workbench);
    // Pushes go to both: none of them is the one to show.
    for (const name of [FIRST, SECOND]) {
      await view.clickRowAction(name, commandTitle(COMMANDS.pinBrowser));
      await view.waitForRow(ROW_TEXTS.pinnedTarget(name));
    }
    await workbench.view(viewTitle(VIEWS.screen)).open();
    const none = await screenOf(shared, viewTitle(VIEWS.screen));
    await none.getByText(SCREEN.nothingChosen).filter({ visible: true }).first().waitFor();
    await view.clickRowMenu(SECOND, commandTitle(COMMANDS.openScreenInSidebar), submenuTitle('open'));
    const panel = await screenOf(shared, SECOND);
    await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor();
    for (const name of [FIRST, SECOND]) {
      await view.clickRowAction(name, commandTitle(COMMANDS.unpinBrowser));
      await view.row(ROW_TEXTS.pinnedTarget(name)).waitFor({ state: 'detached' });
    }
  });

  it('are the sidebar, too, where the state stays while the view is hidden', async () => {
    const { workbench } = shared;
    await workbench.editors.closeAll();
    const view = await openBrowsers(workbench);
    await view.clickRowMenu(FIRST, commandTitle(COMMANDS.openScreenInSidebar), submenuTitle('open'));
    let panel = await screenOf(shared, FIRST);
    await panel.getByRole('img', { name: SCROLL.screen }).waitFor();
    await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor();
    await workbench.picture(join(CACHE, 'ui', 'screen-sidebar.png'));
    const pane = await workbench.page.locator('iframe.webview.ready:visible').boundingBox();
    const picture = await panel.getByRole('img', { name: SCROLL.screen }).boundingBox();
    assert.ok(pane && picture);
    const seen = Math.min(picture.y + picture.height, pane.y + pane.height) - picture.y;
    assert.ok(seen >= LEAST_SEEN_PX, `${seen} px of the picture are seen of ${pane.height}`);
    const ticks = panel.getByLabel(SCROLL.ticksVertical);
    const unfold = async (): Promise<void> => panel.getByText(SCREEN.precise, { exact: true }).click();
    // The page may be laid out again for a picture between the press and the release of the mouse.
    await eventually('the form is unfolded', () => ticks.isVisible(), UNFOLD_LIMIT_MS, unfold);
    await ticks.fill('7');
    const body = await panel.locator('body').elementHandle();
    const frame = (await body?.ownerFrame()) ?? assert.fail('the page has no frame');
    assert.deepEqual(await axeFindings(frame), []);
    await workbench.openSidebar('Explorer');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await openBrowsers(workbench);
    panel = await screenOf(shared, FIRST);
    await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor();
    assert.equal(await panel.getByLabel(SCROLL.ticksVertical).inputValue(), '7');
    await panel.getByRole('button', { name: SCROLL.down }).click();
    await first.reaches('scrollY === 7 * 120');
  });

  it('drop what was an answer to a page before, and keep a text that is not accepted', async () => {
    const panel = await screenOf(shared, FIRST);
    await panel.getByLabel(SCROLL.x).fill('5000');
    const frame = (await (await panel.locator('body').elementHandle())?.ownerFrame()) ?? assert.fail();
    const late = {
      kind: 'ready',
      page: 1,
      browser: 'late',
      screen: { width: 10, height: 10 },
      point: { x: 1, y: 1 },
      hold: [],
    };
    await frame.evaluate(`dispatchEvent(new MessageEvent('message', { data: ${JSON.stringify(late)} }))`);
    assert.equal(await panel.getByLabel(SCROLL.x).inputValue(), '5000');
    assert.equal(await panel.locator('#browser').textContent(), FIRST);
    // Its answer, in contrast, is taken.
    const mine = `{ ...${JSON.stringify(late)}, page: Math.floor(performance.timeOrigin) }`;
    await frame.evaluate(`dispatchEvent(new MessageEvent('message', { data: ${mine} }))`);
    assert.equal(await panel.getByLabel(SCROLL.x).inputValue(), '1');
  });
}).timeout(90_000);
