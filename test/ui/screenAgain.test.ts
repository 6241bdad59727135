// Covers: src/editor/screen
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { COMMANDS } from '../../src/ids';
import { readLocalService } from '../support/localService';
import { CACHE } from '../support/paths';
import { SCREEN, SCROLL } from '../workbench/phrases';
import { createBrowser, deleteBrowser, makeRoom, openBrowsers, pushByRow } from '../workbench/pushing';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'screen-again';

describe('the screen of a browser that ends and is started again', () => {
  let shared: SharedWindow;

  before(async function () {
    shared = await sharedWindow(this);
    await makeRoom(shared.workbench);
    await createBrowser(shared.workbench, BROWSER);
    await pushByRow(shared.workbench, BROWSER);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
  });

  after(async () => {
    await shared.workbench.editors.closeAll();
    await deleteBrowser(shared.workbench, BROWSER);
  });

  it('says that it has ended, without the mark of what runs, and shows the new one of its name', async () => {
    const { workbench, server } = shared;
    const panel = workbench.editors.webview();
    const live = panel.getByText(SCREEN.live, { exact: true });
    await live.waitFor();
    await panel.locator('#dot').waitFor();
    const local = (await readLocalService(server.userDir)) ?? assert.fail('no local service is running');
    const headers = { authorization: `Bearer ${local.token}` };
    await fetch(`${local.baseUrl}/browsers/${BROWSER}`, { method: 'DELETE', headers });
    await panel.getByText(SCROLL.gone(BROWSER)).first().waitFor();
    await panel.locator('#dot').waitFor({ state: 'hidden' });
    await workbench.picture(join(CACHE, 'ui', 'screen-ended.png'));
    await createBrowser(workbench, BROWSER);
    await live.waitFor();
    await workbench.picture(join(CACHE, 'ui', 'screen-again.png'));
  });
}).timeout(120_000);
