import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DevTools, type Target } from './devtools';
import { eventually } from '../support/eventually';
import { TestService } from './service';

/** A page with a text box on top that writes down what the mouse does on it. */
const PAGE = `<!doctype html><style>body { margin: 0; height: 5000px }</style>
<textarea id="text" style="position: absolute; left: 0; top: 0; width: 200px; height: 100px"></textarea><script>
  window.seen = [];
  for (const type of ['mousemove', 'mousedown', 'mouseup'])
    addEventListener(type, ({ clientX, clientY, buttons, shiftKey }) => seen.push([type, clientX, clientY, buttons, shiftKey]));
</script>`;

type Seen = [type: string, x: number, y: number, buttons: number, shift: boolean];

describe('gestures, text and batches', function () {
  this.timeout(60_000);
  let service: TestService;
  let id: string;
  let page: Target;
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE));
  let siteUrl: string;
  const computer = () => service.client.browsers.computer;
  const typed = () => page.evaluate('document.querySelector("#text").value');
  const seen = async (): Promise<Seen[]> => {
    const value: unknown = JSON.parse(String(await page.evaluate('JSON.stringify(seen)')));
    assert(Array.isArray(value));
    return value.map((event: Seen) => event);
  };

  before(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    assert(typeof address === 'object' && address !== null);
    siteUrl = `http://127.0.0.1:${address.port}/`;
    service = await TestService.start();
    const browser = await service.client.browsers.create({ viewport: { width: 1000, height: 700 } });
    id = browser.session_id;
    page = await (await DevTools.connect(browser.cdp_ws_url)).attachToPage();
  });
  after(async () => {
    site.close();
    await service.stop();
  });
  beforeEach(() => page.show(siteUrl));

  it('type text by key events, and insert characters that no key has', async () => {
    await computer().clickMouse(id, { x: 50, y: 50 });
    const text = 'Hello, World!\n\tß → 日本 {"a": 1} ~';
    // A tab would leave the box; the page is told to keep it.
    await page.evaluate(`document.querySelector('#text').addEventListener('keydown', (event) => {
      seen.push([event.key, 0, 0, 0, event.shiftKey]);
      if (event.key === 'Tab') { event.preventDefault(); event.target.setRangeText('\\t', event.target.selectionStart,
        event.target.selectionEnd, 'end'); } })`);
    await computer().typeText(id, { text });
    assert.equal(await typed(), text);
    const keys = (await seen()).filter(([type]) => !type.startsWith('mouse')).map(([key, , , , shift]) => [key, shift]);
    assert.deepEqual(keys.slice(0, 4), [
      ['Shift', true],
      ['H', true],
      ['e', false],
      ['l', false],
    ]);
  });

  it('drag along a path with the button held, up to the last point', async () => {
    const path = [
      [300, 300],
      [400, 300],
      [400, 350],
    ];
    await computer().dragMouse(id, { path, steps_per_segment: 2, step_delay_ms: 0, hold_keys: ['Shift_L'] });
    assert.deepEqual(await seen(), [
      ['mousemove', 300, 300, 0, true],
      ['mousedown', 300, 300, 1, true],
      ['mousemove', 350, 300, 1, true],
      ['mousemove', 400, 300, 1, true],
      ['mousemove', 400, 325, 1, true],
      ['mousemove', 400, 350, 1, true],
      ['mouseup', 400, 350, 0, true],
    ]);
    assert.deepEqual(await computer().getMousePosition(id), { x: 400, y: 350 });
  });

  it('drag over several requests: a button that is down stays so until it is released', async () => {
    await computer().clickMouse(id, { x: 300, y: 300, click_type: 'down' });
    await computer().moveMouse(id, { x: 400, y: 300 });
    await computer().clickMouse(id, { x: 400, y: 350, click_type: 'up' });
    await computer().moveMouse(id, { x: 410, y: 350 });
    assert.deepEqual(await seen(), [
      ['mousemove', 300, 300, 0, false],
      ['mousedown', 300, 300, 1, false],
      ['mousemove', 400, 300, 1, false],
      ['mousemove', 400, 350, 1, false],
      ['mouseup', 400, 350, 0, false],
      ['mousemove', 410, 350, 0, false],
    ]);
  });

  it('drag smoothly within the requested time', async () => {
    const path = [
      [300, 300],
      [600, 300],
    ];
    const started = performance.now();
    await computer().dragMouse(id, { path, smooth: true, duration_ms: 300 });
    const took = performance.now() - started;
    assert(took >= 290 && took < 3000, `${took} ms`);
    const moves = (await seen()).filter(([type, , , buttons]) => type === 'mousemove' && buttons === 1);
    assert(moves.length > 10, `${moves.length} steps`);
  });

  it('reject an invalid path with 400, before a button is pressed', async () => {
    const wrong = [
      [],
      [[1, 1]],
      [[1, 1], [2]],
      [[1, 1], 'x'],
      [
        [1, 1],
        [1000, 1],
      ],
      [
        [1, 1],
        [1.5, 2],
      ],
      [
        [1, 1],
        [1, 2, 3],
      ],
    ];
    for (const path of wrong) {
      const answer = await service.request(`/browsers/${id}/computer/drag_mouse`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ path }),
      });
      assert.equal(answer.status, 400, JSON.stringify(path));
    }
    assert.deepEqual(await seen(), []);
  });

  it('report the mouse position: the centre at first, then where it was moved to, also smoothly', async () => {
    const { session_id: other } = await service.client.browsers.create({ viewport: { width: 801, height: 600 } });
    assert.deepEqual(await computer().getMousePosition(other), { x: 400, y: 300 });
    await service.client.browsers.update(other, { viewport: { width: 300, height: 200 } });
    assert.deepEqual(await computer().getMousePosition(other), { x: 299, y: 199 });
    await service.client.browsers.deleteByID(other);
    await computer().moveMouse(id, { x: 10, y: 400 });
    await computer().moveMouse(id, { x: 100, y: 400, smooth: true, duration_ms: 20 });
    assert.deepEqual(await computer().getMousePosition(id), { x: 100, y: 400 });
    assert.deepEqual((await seen()).at(-1), ['mousemove', 100, 400, 0, false]);
  });

  it('run as a batch in order, with sleeps', async () => {
    const started = performance.now();
    await computer().batch(id, {
      actions: [
        { type: 'click_mouse', click_mouse: { x: 50, y: 50 } },
        { type: 'type_text', type_text: { text: 'ab' } },
        { type: 'sleep', sleep: { duration_ms: 200 } },
        { type: 'press_key', press_key: { keys: ['BackSpace', 'c'] } },
        { type: 'move_mouse', move_mouse: { x: 500, y: 500 } },
      ],
    });
    assert(performance.now() - started >= 195);
    assert.equal(await typed(), 'ac');
    assert.deepEqual(await computer().getMousePosition(id), { x: 500, y: 500 });
  });

  it('stop a batch at its first error, which names the action; earlier actions are not undone', async () => {
    const failing = computer().batch(id, {
      actions: [
        { type: 'click_mouse', click_mouse: { x: 50, y: 50 } },
        { type: 'type_text', type_text: { text: 'kept' } },
        { type: 'move_mouse', move_mouse: { x: 5000, y: 1 } },
        { type: 'type_text', type_text: { text: 'never' } },
      ],
    });
    await assert.rejects(failing, { status: 400, message: /actions\[2\]: coordinates are outside/ });
    assert.equal(await typed(), 'kept');
    const unknownKey = computer().batch(id, { actions: [{ type: 'press_key', press_key: { keys: ['nokey'] } }] });
    await assert.rejects(unknownKey, { status: 500, message: /actions\[0\]: No such key name/ });
  });

  it('reject an invalid batch', async () => {
    const wrong: [unknown, RegExp][] = [
      [{}, /at least one action/],
      [{ actions: [] }, /at least one action/],
      [{ actions: [{}] }, /"type\\" is required/],
      [{ actions: [{ type: 'fly' }] }, /no \\"fly\\"/],
      [{ actions: [{ type: 'toString' }] }, /no \\"toString\\"/],
      [{ actions: [{ type: 'sleep' }] }, /fields in \\"sleep\\"/],
      [{ actions: [{ type: 'sleep', sleep: {} }] }, /duration_ms/],
      [{ actions: [{ type: 'sleep', sleep: { duration_ms: -1 } }] }, /negative/],
      [{ actions: [{ type: 'sleep', sleep: { duration_ms: 1 }, scroll: {} }] }, /Unknown field/],
    ];
    for (const [body, says] of wrong) {
      const answer = await service.request(`/browsers/${id}/computer/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(await answer.text(), says);
    }
  });

  it('end with the browser: a sleep is cancelled with its session', async () => {
    const { session_id: other } = await service.client.browsers.create();
    const sleeping = computer().batch(other, {
      actions: [
        { type: 'move_mouse', move_mouse: { x: 7, y: 7 } },
        { type: 'sleep', sleep: { duration_ms: 50_000 } },
      ],
    });
    const ended = assert.rejects(sleeping, { status: 500 });
    await eventually('the batch runs', async () => (await computer().getMousePosition(other)).x === 7, 5_000);
    await service.client.browsers.deleteByID(other);
    await ended;
  });
});
