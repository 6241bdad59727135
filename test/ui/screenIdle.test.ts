// Covers: src/editor/screen, src/screen/page, src/devtools
import assert from 'node:assert/strict';
import { TestService } from '../contract/service';
import { eventually } from '../support/eventually';
import { SCREEN } from '../workbench/phrases';
import { makeRoom } from '../workbench/pushing';
import { ScreenStage } from '../workbench/screenStage';
import { dose, isFullRun } from '../runner/seed';
import { chooseOtherService, leaveOtherService } from '../workbench/services';
import { sharedWindow, type SharedWindow } from '../workbench/sharedWindow';
import { SlowNetwork } from '../standins/slowNetwork';

const BROWSER = 'idle-browser';

/** How long nothing is sent, in milliseconds. */
const IDLE_MS = dose(6000, 60_000);

/** The bytes of the pings of a socket within the longest time that nothing else is sent. */
const PING_BYTES = 32;

/** In which all that was caused before has been sent, in milliseconds: the title of a page is read once more after 2 s. */
const SETTLE_MS = 3000;

/** How long VS Code takes to call its window inactive, and the screen to pause after that, in milliseconds. */
const PAUSE_LIMIT_MS = 240_000;

/** How long a busy machine may take for the first pictures, in milliseconds. */
const PICTURES_LIMIT_MS = 30_000;

/** Moves all the time from then on. */
const PAGE = `data:text/html,<title>idle</title><body style="margin:0">
<script>self.move=()=>{self.at=(self.at??0)+7;document.body.style.background='hsl('+at+' 80% 70%)';moving=requestAnimationFrame(move)}</script>`;

describe('the screen that is not used', () => {
  let shared: SharedWindow;
  let service: TestService;
  let network: SlowNetwork;
  let stage: ScreenStage;

  before(async function () {
    shared = await sharedWindow(this);
    service = await TestService.start();
    network = await SlowNetwork.start(service.baseUrl);
    await chooseOtherService(shared.workbench, network.baseUrl, service.token);
    // The test's own connection to the browser is past the network.
    await makeRoom(shared.workbench);
    stage = await ScreenStage.open(shared, BROWSER, PAGE, service);
    // The list of browsers is refreshed while it is in sight.
    await shared.workbench.openSidebar('Explorer');
  });

  after(async () => {
    await stage.end();
    await leaveOtherService(shared.workbench);
    await network.close();
    await service.stop();
  });

  /** The bytes and connections that pass within a time. */
  async function sentWithin(ms: number): Promise<{ up: number; down: number; connections: number }> {
    const before = network.traffic;
    await stage.page.waitForTimeout(ms);
    const { up, down, connections } = network.traffic;
    return { up: up - before.up, down: down - before.down, connections: connections - before.connections };
  }

  /** Nothing but the pings of a socket, of which each side sends a few bytes every half minute. */
  function assertIdle({ up, down, connections }: { up: number; down: number; connections: number }): void {
    assert.ok(up <= PING_BYTES && down <= PING_BYTES && connections === 0, JSON.stringify({ up, down, connections }));
  }

  /** Waits for more bytes than are sent without pictures. */
  async function picturesCome(): Promise<void> {
    let down = 0;
    const come = async (): Promise<boolean> => {
      ({ down } = await sentWithin(2000));
      return down > 10_000;
    };
    await eventually(() => `pictures of a moving page come, not ${down} bytes`, come, PICTURES_LIMIT_MS);
  }

  it('sends nothing while the page does not change', async () => {
    await stage.panel.locator('#status').getByText(SCREEN.live).waitFor();
    await stage.page.waitForTimeout(SETTLE_MS);
    assertIdle(await sentWithin(IDLE_MS));
  }).timeout(IDLE_MS + 60_000);

  it('gets pictures of a page that moves, and none while the panel is hidden', async () => {
    const { workbench } = shared;
    await stage.look();
    await stage.page.evaluate('move()');
    await picturesCome();
    await workbench.editors.open('background.js');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'hidden' });
    await stage.page.waitForTimeout(SETTLE_MS);
    assertIdle(await sentWithin(IDLE_MS));
    await workbench.page.locator('.tabs-container').getByRole('tab', { name: BROWSER }).click();
    await stage.panel.locator('#status').getByText(SCREEN.live).waitFor();
    await picturesCome();
  }).timeout(IDLE_MS + 150_000);

  // VS Code calls a window inactive after a minute.
  if (isFullRun()) {
    it('pauses when nobody uses the window, and goes on when the pointer moves there', async () => {
      await shared.workbench.page.mouse.move(0, 0);
      await stage.panel.locator('#status').getByText(SCREEN.paused).waitFor({ timeout: PAUSE_LIMIT_MS });
      await stage.page.waitForTimeout(SETTLE_MS);
      assertIdle(await sentWithin(IDLE_MS));
      await stage.look();
      await picturesCome();
    }).timeout(IDLE_MS + PAUSE_LIMIT_MS + 90_000);
  }
});
