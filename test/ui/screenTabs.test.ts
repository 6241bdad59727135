// Covers: src/editor/screen, src/screen, src/devtools
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SCREEN } from '../workbench/phrases';
import { makeRoom, pushByRow } from '../workbench/pushing';
import { ScreenStage } from '../workbench/screenStage';
import { sharedWindow } from '../workbench/sharedWindow';

const BROWSER = 'tabs-browser';

/** How many tabs are more than a bar shows at once, and how long it may take until one is in sight, in milliseconds. */
const MANY_TABS = 26;
const IN_SIGHT_MS = 10_000;

/** How long it may take until they are closed, in milliseconds. */
const CLOSED_MS = 40_000;

/** How long it may take until the screen shows a popup, in milliseconds. */
const POPUP_LIMIT_MS = 60_000;

/** How long a popup must have the same size, in milliseconds. */
const SETTLED_MS = 300;

/** In the popup, at its upper left corner. */
const FIELD =
  '<select style="position:absolute;left:10px;top:10px;width:160px;height:32px"><option>red<option>green</select>';

describe('the screen of a browser with many tabs, and of a popup with a field', () => {
  let stage: ScreenStage;

  before(async function () {
    const shared = await sharedWindow(this);
    await makeRoom(shared.workbench);
    stage = await ScreenStage.open(shared, BROWSER, 'data:text/html,<title>The first tab</title>');
  });

  after(async () => {
    await stage.end();
  });

  const take = (name: string): Promise<void> => stage.shared.workbench.picture(join(CACHE, 'ui', `screen-${name}.png`));

  it('has the tab in front in sight also of 26, and room for New Tab beside them', async () => {
    const { panel, remote, shared } = stage;
    const browser = await remote.newBrowserCDPSession();
    // Playwright comes to know pages late when many are opened: 14 of 26 were still to come once.
    const open = async (): Promise<string[]> => {
      const { targetInfos } = await browser.send('Target.getTargets');
      return targetInfos.filter(({ type }) => type === 'page').map(({ targetId }) => targetId);
    };
    const [first] = await open();
    const tabs = panel.getByRole('tab');
    const front = panel.getByRole('tab', { selected: true });
    const isInSight = async (): Promise<boolean> => {
      const [bar, tab] = [await panel.locator('#tabs').boundingBox(), await front.boundingBox()];
      return bar !== null && tab !== null && tab.x >= bar.x - 1 && tab.x + tab.width <= bar.x + bar.width + 1;
    };
    try {
      // The page that New Tab opens takes a slow machine seconds.
      for (let at = 1; at < MANY_TABS - 1; at++) {
        await browser.send('Target.createTarget', { url: 'about:blank' });
        await tabs.nth(at).waitFor();
      }
      await panel.getByRole('button', { name: SCREEN.newTab }).click();
      await tabs
        .nth(MANY_TABS - 1)
        .and(front)
        .waitFor();
      await take('tabs-last');
      await eventually('the last tab is in sight', isInSight, IN_SIGHT_MS);
      await shared.workbench.runThatAsks(COMMANDS.screenTab);
      await shared.workbench.quickInput.pick('The first tab');
      await front.filter({ hasText: 'The first tab' }).waitFor();
      await take('tabs-first');
      await eventually('the first tab is in sight', isInSight, IN_SIGHT_MS);
      const whole = await panel.locator('body').boundingBox();
      const button = await panel.getByRole('button', { name: SCREEN.newTab }).boundingBox();
      assert.ok(whole && button && button.x + button.width <= whole.x + whole.width, 'New Tab is out of sight');
    } finally {
      const areClosed = async (): Promise<boolean> => {
        const others = (await open()).filter((targetId) => targetId !== first);
        for (const targetId of others) await browser.send('Target.closeTarget', { targetId }).catch(() => undefined);
        return others.length === 0;
      };
      await eventually('the other tabs are closed', areClosed, CLOSED_MS);
      await browser.detach();
    }
    await tabs.nth(1).waitFor({ state: 'detached' });
  });

  it('shows the list of a field of the popup, at the field, and chooses from it', async () => {
    const { panel, shared } = stage;
    const { page } = shared.workbench;
    const file = join(shared.folder, 'popup.html');
    const sample = await readFile(file, 'utf8');
    await writeFile(file, sample.replace('</body>', `${FIELD}</body>`));
    try {
      assert.ok((await pushByRow(shared.workbench, BROWSER)).succeeded);
      await panel.getByRole('button', { name: SCREEN.openPopup }).click();
      const popup = panel.getByRole('img', { name: SCREEN.popup });
      await popup.waitFor({ timeout: POPUP_LIMIT_MS });
      // It is drawn before it has its size, and then its field is elsewhere.
      let size = '';
      const isLaidOut = async (): Promise<boolean> => {
        const before = size;
        await delay(SETTLED_MS);
        size = JSON.stringify(await popup.boundingBox());
        return size === before;
      };
      await eventually('the popup has its size', isLaidOut, POPUP_LIMIT_MS);
      const list = panel.getByRole('listbox', { name: SCREEN.list });
      const open = async (): Promise<void> => {
        const box = (await popup.boundingBox()) ?? assert.fail('the popup is not shown');
        await page.mouse.click(box.x + 60, box.y + 26);
        await list.waitFor();
      };
      await open();
      await take('popup-list');
      const [over, shown] = [await popup.boundingBox(), await list.boundingBox()];
      assert.ok(over && shown && shown.x >= over.x - 1 && shown.y >= over.y, 'the list is not at its field');
      await list.getByRole('option', { name: 'green' }).click();
      await list.waitFor({ state: 'hidden' });
      await popup.waitFor();
      await open();
      await list.getByRole('option', { name: 'green', selected: true }).waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
    } finally {
      await writeFile(file, sample);
    }
  });
}).timeout(120_000);
