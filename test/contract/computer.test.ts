import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { RemoteScreen } from '../../src/devtools/screen/remoteScreen';
import { addressOf } from '../support/devToolsAddress';
import { DevTools, type Target } from './devtools';
import { eventually } from '../support/eventually';
import { TestService } from './service';

const TICK_CSS_PX = 120;
const SETTLE_LIMIT_MS = 5_000;

/** A page that can be scrolled both ways and writes down what reaches it. */
const PAGE = `<!doctype html><style>body { margin: 0; width: 9000px; height: 9000px; background: rgb(0, 0, 255) }
#mark { position: absolute; left: 300px; top: 500px; width: 60px; height: 40px; background: rgb(255, 0, 0) }</style>
<div id="mark"></div><input id="text" style="position: absolute; left: 0; top: 0"><script>
  window.seen = [];
  for (const type of ['keydown', 'keyup', 'wheel', 'mousemove', 'mousedown', 'mouseup', 'dblclick'])
    addEventListener(type, (event) => seen.push({ type, key: event.key, x: event.clientX, y: event.clientY, dx: event.deltaX,
      dy: event.deltaY, shift: event.shiftKey, ctrl: event.ctrlKey, alt: event.altKey, button: event.button }), true);
</script>`;

interface Seen {
  type: string;
  key?: string;
  x?: number;
  y?: number;
  dx?: number;
  dy?: number;
  shift: boolean;
  ctrl: boolean;
  alt: boolean;
  button?: number;
}

describe('screen, mouse and keyboard of a session', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;
  let devtools: DevTools;
  let page: Target;
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  let siteUrl: string;
  const computer = () => service.client.browsers.computer;

  before(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    assert(typeof address === 'object' && address !== null);
    siteUrl = `http://127.0.0.1:${address.port}/`;
    service = await TestService.start();
    const browser = await service.client.browsers.create({ viewport: { width: 1000, height: 700 } });
    id = browser.session_id;
    devtools = await DevTools.connect(browser.cdp_ws_url);
    page = await devtools.attachToPage();
  });
  after(async () => {
    site.close();
    await service.stop();
  });
  beforeEach(() => page.show(siteUrl));

  const scrolledTo = (x: number, y: number) =>
    eventually(
      `scrolled to ${x}, ${y}`,
      async () => (await page.evaluate('`${scrollX} ${scrollY}`')) === `${x} ${y}`,
      SETTLE_LIMIT_MS,
    );

  async function seen(): Promise<Seen[]> {
    const value: unknown = JSON.parse(String(await page.evaluate('JSON.stringify(seen)')));
    assert(Array.isArray(value));
    return value.map((event: Seen) => event);
  }

  it('has a page area of exactly the viewport, also in a second tab', async () => {
    assert.equal(await page.evaluate('`${innerWidth} ${innerHeight}`'), '1000 700');
    const { targetId } = await devtools.result('Target.createTarget', { url: siteUrl });
    const answer = await computer().captureScreenshot(id);
    const png = Buffer.from(await answer.arrayBuffer());
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1000, 700]);
    await devtools.closePage(String(targetId));
  });

  it('acts on the tab in front while Playwright has all of them say that they can be seen', async () => {
    const { cdp_ws_url: url } = await service.client.browsers.retrieve(id);
    const playwright = await chromium.connectOverCDP(url);
    try {
      const [context] = playwright.contexts();
      const [first] = context?.pages() ?? [];
      assert.ok(context && first);
      const second = await context.newPage();
      await second.goto(siteUrl);
      const turned = (tab: Page): Promise<number> => tab.evaluate('scrollY');
      for (const [front, other] of [[first, second] as const, [second, first] as const]) {
        await front.bringToFront();
        await computer().scroll(id, { x: 500, y: 300, delta_y: 1 });
        await eventually('it has scrolled', async () => (await turned(front)) === TICK_CSS_PX, SETTLE_LIMIT_MS);
        await front.evaluate('scrollTo(0, 0)');
        assert.equal(await turned(other), 0);
      }
      await second.close();
    } finally {
      await playwright.close();
    }
  });

  it('scrolls 120 CSS pixels a tick, down and up again', async () => {
    await computer().scroll(id, { x: 500, y: 300, delta_y: 3 });
    await scrolledTo(0, 3 * TICK_CSS_PX);
    await computer().scroll(id, { x: 500, y: 300, delta_y: -2 });
    await scrolledTo(0, TICK_CSS_PX);
  });

  it('takes points and pictures in pixels of the screen also while the browser zooms the page', async () => {
    const { cdp_ws_url: devToolsUrl } = await service.client.browsers.retrieve(id);
    const nothing = (): void => undefined;
    const events = { onView: nothing, onFrame: nothing, onDialog: nothing, onLost: nothing };
    const screen = await RemoteScreen.open(addressOf({ devToolsUrl }), events);
    try {
      assert.equal(await screen.setZoom(200), true);
      await eventually('it is zoomed', async () => (await page.evaluate('innerWidth')) === 500, SETTLE_LIMIT_MS);
      await page.evaluate('scrollTo(0, 300)');
      await computer().clickMouse(id, { x: 640, y: 420 });
      const [pressed] = (await seen()).filter(({ type }) => type === 'mousedown');
      assert.deepEqual([pressed?.x, pressed?.y], [320, 210]);
      const answer = await computer().captureScreenshot(id, { region: { x: 590, y: 390, width: 40, height: 20 } });
      const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true });
      assert.deepEqual([info.width, info.height], [40, 20]);
      // The mark begins at 300, 500 in the page: at 600, 400 of the screen.
      const at = (x: number, y: number): number[] => [...data.subarray((y * 40 + x) * info.channels).subarray(0, 3)];
      assert.deepEqual(
        [at(5, 15), at(15, 5), at(15, 15)],
        [
          [0, 0, 255],
          [0, 0, 255],
          [255, 0, 0],
        ],
      );
    } finally {
      await screen.setZoom(100);
      screen.close();
    }
  });

  it('scrolls right and left, vertical ticks before horizontal ones, at the point', async () => {
    await computer().scroll(id, { x: 500, y: 300, delta_x: 2, delta_y: 1 });
    await scrolledTo(2 * TICK_CSS_PX, TICK_CSS_PX);
    const wheels = (await seen()).filter((event) => event.type === 'wheel');
    assert.deepEqual(
      wheels.map(({ x, y, dx, dy }) => [x, y, dx, dy]),
      [
        [500, 300, 0, TICK_CSS_PX],
        [500, 300, TICK_CSS_PX, 0],
        [500, 300, TICK_CSS_PX, 0],
      ],
    );
    await computer().scroll(id, { x: 500, y: 300, delta_x: -2 });
    await scrolledTo(0, TICK_CSS_PX);
  });

  it('holds modifier keys during the scroll and releases them in the order of the presses', async () => {
    await computer().scroll(id, { x: 500, y: 300, delta_y: 1, hold_keys: ['Control_L', 'alt'] });
    const events = (await seen()).filter((event) => event.type !== 'mousemove');
    assert.deepEqual(
      events.map(({ type, key }) => [type, key].filter(Boolean).join(' ')),
      ['keydown Control', 'keydown Alt', 'wheel', 'keyup Control', 'keyup Alt'],
    );
    assert.deepEqual(
      events.filter((event) => event.type === 'wheel').map(({ ctrl, alt, shift }) => [ctrl, alt, shift]),
      [[true, true, false]],
    );
  });

  it('validates a scroll in the order of the cloud service', async () => {
    const scroll = (body: unknown) =>
      service.request(`/browsers/${id}/computer/scroll`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const cases: [unknown, number, RegExp][] = [
      [[], 400, /JSON object/],
      [{ y: 1, delta_y: 1 }, 400, /"x" is required/],
      [{ x: '1', y: 1, delta_y: 1 }, 400, /"x" must be an integer/],
      [{ x: 1.5, y: 1, delta_y: 1 }, 400, /"x" must be an integer/],
      [{ x: 1, y: 1, delta_y: 1, speed: 2 }, 400, /Unknown field "speed"/],
      [{ x: -1, y: 1 }, 400, /delta_x and delta_y/],
      [{ x: -1, y: 9999, delta_y: 1 }, 400, /negative/],
      [{ x: 1000, y: 1, delta_y: 1 }, 400, /x=999, y=699/],
      [{ x: 1, y: 700, delta_y: 1, hold_keys: ['nokey'] }, 400, /x=999, y=699/],
      [{ x: 999, y: 699, delta_y: 1, hold_keys: ['nokey'] }, 500, /No such key name "nokey"/],
    ];
    for (const [body, status, says] of cases) {
      const answer = await scroll(body);
      assert.equal(answer.status, status, JSON.stringify(body));
      const told: unknown = await answer.json();
      assert(typeof told === 'object' && told !== null && 'message' in told);
      assert.match(String(told.message), says);
    }
    const done = await scroll({ x: 999, y: 699, delta_y: 1 });
    assert.equal(done.status, 200);
    assert.equal(await done.text(), '');
    assert.deepEqual(
      (await seen()).filter((event) => event.type === 'keydown'),
      [],
    );
  });

  it('takes screenshots in the coordinates of the mouse: a region shows the viewport, also after scrolling', async () => {
    await computer().scroll(id, { x: 500, y: 300, delta_y: 2, delta_x: 1 });
    await scrolledTo(TICK_CSS_PX, 2 * TICK_CSS_PX);
    const region = { x: 300 - TICK_CSS_PX, y: 500 - 2 * TICK_CSS_PX, width: 60, height: 40 };
    const answer = await computer().captureScreenshot(id, { region });
    const image = Buffer.from(await answer.arrayBuffer()).toString('base64');
    assert.deepEqual(await colours(page, image), { width: 60, height: 40, found: ['255,0,0'] });
    await assert.rejects(computer().captureScreenshot(id, { region: { ...region, width: 2000 } }), { status: 400 });
  });

  it('moves, clicks and types on the page', async () => {
    await computer().moveMouse(id, { x: 40, y: 50 });
    await computer().clickMouse(id, { x: 10, y: 10, num_clicks: 2 });
    await computer().pressKey(id, { keys: ['a', 'Shift+b', 'space', 'BackSpace'] });
    assert.equal(await page.evaluate('document.querySelector("#text").value'), 'aB');
    const events = await seen();
    assert.deepEqual(events.find((event) => event.type === 'mousemove')?.x, 40);
    assert.equal(events.filter((event) => event.type === 'dblclick').length, 1);
    await computer().clickMouse(id, { x: 20, y: 60, button: 'right', click_type: 'down' });
    assert.equal((await seen()).at(-1)?.button, 2);
    await computer().clickMouse(id, { x: 20, y: 60, button: 'right', click_type: 'up' });
    await assert.rejects(computer().pressKey(id, { keys: ['nokey'] }), { status: 500 });
    await assert.rejects(computer().moveMouse(id, { x: 1000, y: 0 }), { status: 400 });
  });

  it('resizes the page with the viewport', async () => {
    await service.client.browsers.update(id, { viewport: { width: 640, height: 480 } });
    await eventually(
      '640 × 480',
      async () => (await page.evaluate('`${innerWidth} ${innerHeight}`')) === '640 480',
      SETTLE_LIMIT_MS,
    );
    await assert.rejects(computer().moveMouse(id, { x: 640, y: 0 }), { status: 400 });
  });
});

/** Size of a PNG and the colours in it, as the browser itself decodes it. */
function colours(page: Target, base64: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${base64}')).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add(data.slice(at, at + 3).join());
    return { width: picture.width, height: picture.height, found: [...found] };
  })()`);
}
