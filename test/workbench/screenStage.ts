import assert from 'node:assert/strict';
import { chromium, type Browser, type Frame, type FrameLocator, type Locator, type Page } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { devToolsAddressOf, localDevToolsAddress } from '../support/localService';
import { BUTTONS, SCROLL } from './phrases';
import { createBrowser, openBrowsers } from './pushing';
import type { SharedWindow } from './sharedWindow';
import { commandTitle } from './titles';

/** How long what is done in the panel may take to reach the page, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 60_000;

/** A browser of the local service with its screen in an editor tab, and a DevTools connection of Playwright's own to it. */
export class ScreenStage {
  private constructor(
    readonly shared: SharedWindow,
    readonly browser: string,
    readonly remote: Browser,
    /** The tab of the browser. */
    readonly page: Page,
    /** The page of the screen. */
    readonly panel: FrameLocator,
  ) {}

  /** Creates a browser with an address in its tab, and opens its screen beside what is open. `service`: the service in use, unless it is the local one. */
  static async open(
    shared: SharedWindow,
    browser: string,
    address: string,
    service?: { baseUrl: string; token: string },
  ): Promise<ScreenStage> {
    await createBrowser(shared.workbench, browser);
    const devTools = service
      ? devToolsAddressOf(service, browser)
      : localDevToolsAddress(shared.server.userDir, browser);
    const remote = await chromium.connectOverCDP(await devTools);
    const page = remote.contexts()[0]?.pages()[0] ?? assert.fail('the browser has no tab');
    await page.goto(address);
    await (await openBrowsers(shared.workbench)).clickRowAction(browser, commandTitle(COMMANDS.openScroll));
    const stage = new ScreenStage(shared, browser, remote, page, await screenOf(shared, browser));
    await stage.picture.waitFor();
    return stage;
  }

  get picture(): Locator {
    return this.panel.getByRole('img', { name: SCROLL.screen });
  }

  /** The frame that the page of the screen is in. */
  async frame(): Promise<Frame> {
    const body = await this.panel.locator('body').elementHandle();
    return (await body?.ownerFrame()) ?? assert.fail('the page has no frame');
  }

  /** Moves the pointer over the picture, so that it goes on where it had paused, and waits until it is live. */
  async look(): Promise<void> {
    const place = await this.placeOf(300, 300);
    await this.shared.workbench.page.mouse.move(place.x, place.y);
    await this.shared.workbench.page.mouse.move(place.x + 5, place.y);
    await this.panel.locator('#pad[data-state="live"]').waitFor();
  }

  /** Waits until an expression is true in the tab. */
  async reaches(expression: string): Promise<void> {
    await this.page.waitForFunction(expression, undefined, { timeout: REACH_LIMIT_MS });
  }

  /** The place in VS Code's window where a point of the tab is shown. */
  async placeOf(x: number, y: number): Promise<{ x: number; y: number }> {
    const box = (await this.picture.boundingBox()) ?? assert.fail('the picture is not shown');
    const scale = box.width / (await this.page.evaluate<number>('innerWidth * devicePixelRatio'));
    return { x: box.x + x * scale, y: box.y + y * scale };
  }

  async clickAt(x: number, y: number): Promise<void> {
    const place = await this.placeOf(x, y);
    await this.shared.workbench.page.mouse.click(place.x, place.y);
  }

  /** Deletes the browser and closes all editors. */
  async end(): Promise<void> {
    const { workbench } = this.shared;
    await this.remote.close();
    const view = await openBrowsers(workbench);
    await view.clickRowMenu(this.browser, commandTitle(COMMANDS.deleteBrowser));
    await workbench.press(BUTTONS.delete);
    await view.row(this.browser).waitFor({ state: 'detached' });
    await workbench.editors.closeAll();
  }
}

/** The page of the screen of a browser, among all that are shown. */
export async function screenOf({ workbench }: SharedWindow, browser: string): Promise<FrameLocator> {
  const end = performance.now() + REACH_LIMIT_MS;
  for (;;) {
    const shown = workbench.page.locator('iframe.webview.ready:visible');
    for (let at = 0; at < (await shown.count()); at++) {
      const panel = shown.nth(at).contentFrame().frameLocator('iframe#active-frame');
      const name = await panel
        .locator('#browser')
        .textContent({ timeout: 1000 })
        .catch(() => '');
      if (name === browser) return panel;
    }
    assert.ok(performance.now() < end, `no screen of ${browser} is shown`);
    await workbench.page.waitForTimeout(100);
  }
}
