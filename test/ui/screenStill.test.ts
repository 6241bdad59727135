// Covers: src/editor/screen, src/screen, src/local/input
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SCREEN, SCROLL } from '../workbench/phrases';
import { createBrowser, openBrowsers } from '../workbench/pushing';
import { ServiceProxy } from '../standins/serviceProxy';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { commandTitle } from '../workbench/titles';

const BROWSER = 'still-browser';

/** How long what is done in the panel may take, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 60_000;

describe('the screen without DevTools', () => {
  let shared: SharedWindow;
  let service: TestService;
  let proxy: ServiceProxy;
  let panel: FrameLocator;

  before(async function () {
    shared = await sharedWindow(this);
    service = await TestService.start();
    proxy = await ServiceProxy.start(service.baseUrl);
    // Nothing listens on port 9.
    proxy.changeJson = (json) => json.replaceAll(/"cdp_ws_url":"[^"]*"/g, '"cdp_ws_url":"ws://127.0.0.1:9/x"');
    await chooseOtherService(shared.workbench, proxy.baseUrl, service.token);
    await createBrowser(shared.workbench, BROWSER);
    await (await openBrowsers(shared.workbench)).clickRowAction(BROWSER, commandTitle(COMMANDS.openScroll));
    panel = shared.workbench.editors.webview();
  });

  after(async () => {
    await shared.workbench.editors.closeAll();
    await leaveOtherService(shared.workbench);
    proxy.stop();
    await service.stop();
  });

  it('says so, and shows the picture of the service', async () => {
    await panel.getByRole('img', { name: SCROLL.screen }).waitFor();
    await panel.locator('#status').getByText(SCREEN.still).waitFor();
    await shared.workbench.picture(join(CACHE, 'ui', 'screen-still.png'));
    assert.equal(await panel.getByRole('button', { name: SCREEN.back }).isEnabled(), false);
  });

  it('turns the wheel through the service in whole ticks', async () => {
    const { mouse } = shared.workbench.page;
    const box = (await panel.locator('#pad').boundingBox()) ?? assert.fail('the picture is not shown');
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await mouse.wheel(0, 240);
    const ticks = (): number =>
      proxy.bodiesOf('scroll').reduce((sum, body) => sum + (JSON.parse(body) as { delta_y: number }).delta_y, 0);
    // On a busy machine they may come in two requests.
    await eventually(
      () => `the service scrolls by 2 ticks, not ${proxy.bodiesOf('scroll').join()}`,
      () => ticks() >= 2,
      REACH_LIMIT_MS,
    );
    assert.equal(ticks(), 2);
  });

  it('clicks and types through the service, and is renewed then', async () => {
    const { mouse, keyboard } = shared.workbench.page;
    const box = (await panel.locator('#pad').boundingBox()) ?? assert.fail('the picture is not shown');
    const pictures = proxy.bodiesOf('screenshot').length;
    await mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    // One after the other: what waits together goes out as a batch.
    const isAsked = (operation: string): Promise<void> =>
      eventually(
        () => `${operation}, and not ${proxy.requests.map(({ path }) => path).join()}`,
        () => proxy.bodiesOf(operation).length === 1,
        REACH_LIMIT_MS,
      );
    await isAsked('click_mouse');
    await keyboard.press('PageDown');
    await isAsked('press_key');
    assert.deepEqual(JSON.parse(proxy.bodiesOf('press_key').join()), { keys: ['Page_Down'] });
    const width = Number((await panel.locator('#shownSize').innerText()).split(' ')[0]);
    const { x, button } = JSON.parse(proxy.bodiesOf('click_mouse').join()) as { x: number; button: string };
    assert.ok(Math.abs(x - width / 2) <= 2 && button === 'left', `${x} of ${width}, ${button}`);
    await eventually('a picture is taken', () => proxy.bodiesOf('screenshot').length > pictures, REACH_LIMIT_MS);
  });

  it('is live as soon as the service gives out an address at which the browser can be reached', async () => {
    proxy.changeJson = (json) => json;
    await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor({ timeout: REACH_LIMIT_MS });
    assert.equal(await panel.getByLabel(SCREEN.address).isEnabled(), true);
  });
}).timeout(120_000);
