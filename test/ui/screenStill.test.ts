import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { TestService } from '../contract/service';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { SCREEN, SCROLL } from '../support/phrases';
import { createBrowser, openBrowsers } from '../support/pushing';
import { chooseOtherService, leaveOtherService } from '../support/services';
import { sharedWindow, type SharedWindow } from '../support/sharedWindow';
import { commandTitle } from '../support/titles';

const BROWSER = 'still-browser';

/** How long what is done in the panel may take, in milliseconds: the machine is busy with other suites. */
const REACH_LIMIT_MS = 30_000;

/** A service whose browsers cannot be reached over DevTools, in front of a real one, and what is asked of it. */
class WithoutDevTools {
  /** The bodies of requests to scroll. */
  readonly scrolls: string[] = [];
  /** From then on, the service gives out the true addresses. */
  isReachable = false;
  readonly #server: Server;

  private constructor(private readonly service: TestService) {
    this.#server = createServer((incoming, response) => {
      this.#pass(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(service: TestService): Promise<WithoutDevTools> {
    const before = new WithoutDevTools(service);
    await new Promise<void>((done) => before.#server.listen(0, '127.0.0.1', done));
    return before;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    if (url.endsWith('/computer/scroll')) this.scrolls.push(Buffer.concat(chunks).toString());
    const { authorization = '', 'content-type': type = '' } = headers;
    const answer = await fetch(new URL(url, this.service.baseUrl), {
      method,
      headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    // Nothing listens on port 9.
    const text =
      isJson && !this.isReachable
        ? body.toString().replaceAll(/"cdp_ws_url":"[^"]*"/g, '"cdp_ws_url":"ws://127.0.0.1:9/x"')
        : body;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(text);
  }
}

describe('the screen without DevTools', () => {
  let shared: SharedWindow;
  let service: TestService;
  let proxy: WithoutDevTools;
  let panel: FrameLocator;

  before(async function () {
    shared = await sharedWindow(this);
    service = await TestService.start();
    proxy = await WithoutDevTools.start(service);
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
      proxy.scrolls.reduce((sum, body) => sum + (JSON.parse(body) as { delta_y: number }).delta_y, 0);
    // On a busy machine they may come in two requests.
    await eventually(
      () => `the service scrolls by 2 ticks, not ${proxy.scrolls.join()}`,
      () => ticks() >= 2,
      REACH_LIMIT_MS,
    );
    assert.equal(ticks(), 2);
  });

  it('is live as soon as the service gives out an address at which the browser can be reached', async () => {
    proxy.isReachable = true;
    await panel.locator('#status').getByText(SCREEN.live, { exact: true }).waitFor({ timeout: REACH_LIMIT_MS });
    assert.equal(await panel.getByLabel(SCREEN.address).isEnabled(), true);
  });
}).timeout(60_000);
