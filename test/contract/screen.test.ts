import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { accessibleElement } from '../../src/devtools/pages/accessibleName';
import type { PageDialog, PageFrame } from '../../src/devtools/pages/pageModel';
import { evaluate } from '../../src/devtools/protocol/evaluate';
import { RemoteScreen, type ScreenView } from '../../src/devtools/screen/remoteScreen';
import { MODIFIER_BITS, type Layer } from '../../src/screen/strokes';
import type { PageScreen } from '../../src/devtools/screen/pageScreen';
import { closePicker, fillField, openPicker, pickOption } from '../../src/devtools/screen/openPicker';
import { openSurface } from '../../src/devtools/extensions/surfaces';
import { fieldOf } from '../../src/base/fields';
import { eventually } from '../support/eventually';
import { ExtensionStage } from './extensionStage';
import { addressOf } from '../support/devToolsAddress';

/** How long the browser may take for a change, in milliseconds. */
const SOON_MS = 15_000;

/** A page that is larger than its window, with an inner element that scrolls. */
const LARGE = `data:text/html,<title>large</title><body style="margin:0;width:5000px;height:5000px">
<div id="inner" style="position:absolute;left:700px;top:0;width:200px;height:200px;overflow:auto"><p style="width:2000px;height:2000px">x</p></div>
<iframe style="position:absolute;left:950px;top:0;width:200px;height:200px" srcdoc="<body style='margin:0;width:2000px;height:2000px'>"></iframe>`;

/** A form that is sent by its button, and writes into the title. */
const FORM = `data:text/html,<meta charset=utf-8><title>form</title><form onsubmit="document.title=name.value;return false">
<input name="name" aria-label="Your name" style="position:absolute;left:20px;top:20px;width:300px;height:30px">
<button style="position:absolute;left:20px;top:80px;width:100px;height:30px">Send</button></form>`;

/** Width and height of a picture, in its own pixels: those of the header of a PNG, and of the frame header of a JPEG, ISO/IEC 10918-1 B.2.2. */
function pngSize(png: Uint8Array): number[] {
  const bytes = Buffer.from(png);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
function jpegSize(frame: PageFrame | undefined): number[] {
  const bytes = Buffer.from(frame?.base64 ?? '', 'base64');
  let at = 2;
  while (at + 9 < bytes.length) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xff_c0 && marker <= 0xff_c2) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return [];
}

const CENTRE = { x: 400, y: 300, modifiers: 0 };

describe('the screen of a browser over DevTools', function () {
  this.timeout(60_000);
  let stage: ExtensionStage;
  let screen: RemoteScreen;
  let view: ScreenView;
  let isAcknowledging = true;
  let isLost = false;
  const frames: { layer: Layer; frame: PageFrame }[] = [];
  const dialogs: (PageDialog | undefined)[] = [];

  before(async () => {
    stage = await ExtensionStage.start();
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    screen = await RemoteScreen.open(addressOf({ devToolsUrl }), {
      onView: (now) => (view = now),
      onFrame: (layer, frame) => {
        frames.push({ layer, frame });
        if (isAcknowledging) screen.page(layer)?.acknowledge(frame.stream);
      },
      onDialog: (_, dialog) => dialogs.push(dialog),
      onLost: () => (isLost = true),
    });
  });

  after(() => stage.end());

  const page = (): PageScreen => screen.page('page') ?? assert.fail('no tab is in front');
  const inPage = (expression: string): Promise<unknown> => evaluate(page().session, expression);

  async function show(url: string): Promise<void> {
    assert.equal(await page().navigate(url), undefined);
    await eventually('the page is there', async () => (await inPage('document.readyState')) === 'complete', SOON_MS);
  }

  /** `act`: is repeated until then. */
  async function reaches(expression: string, value: unknown, act?: () => Promise<unknown>): Promise<void> {
    let last: unknown;
    await eventually(
      () => `${expression} is ${JSON.stringify(value)}, not ${JSON.stringify(last)}`,
      async () => {
        last = await inPage(expression);
        return JSON.stringify(last) === JSON.stringify(value);
      },
      SOON_MS,
      act,
    );
  }

  it('shows the tab in front by pictures of the size of its viewport', async () => {
    await show(LARGE);
    frames.length = 0;
    await screen.start({ width: 4000, height: 4000 });
    await eventually('there is a picture', () => Promise.resolve(frames.length > 0), SOON_MS);
    const [first] = frames;
    const [width, height] = (await inPage('[innerWidth, innerHeight]')) as number[];
    assert.deepEqual([first?.frame.width, first?.frame.height], [width, height]);
    assert.equal(
      Buffer.from(first?.frame.base64 ?? '', 'base64')
        .subarray(0, 2)
        .toString('hex'),
      'ffd8',
    );
    assert.equal(view.history.title, 'large');
  });

  it('scrolls by the exact number of pixels, on both axes, in inner elements and frames', async () => {
    await page().turn({ ...CENTRE, right: 0, down: 137 });
    await page().turn({ ...CENTRE, right: 61, down: 0 });
    await page().turn({ ...CENTRE, right: -20, down: 63 });
    await reaches('[Math.round(scrollX), Math.round(scrollY)]', [41, 200]);
    await page().turn({ ...CENTRE, right: -41, down: -200 });
    await reaches('[Math.round(scrollX), Math.round(scrollY)]', [0, 0]);
    await page().turn({ x: 750, y: 100, right: 7, down: 33, modifiers: 0 });
    await reaches('[inner.scrollLeft, inner.scrollTop, scrollY]', [7, 33, 0]);
    await page().turn({ x: 1000, y: 100, right: 5, down: 44, modifiers: 0 });
    await reaches('[frames[0].scrollX, frames[0].scrollY, scrollY]', [5, 44, 0]);
  });

  it('stops when its frames are not acknowledged, and goes on when they are', async () => {
    await inPage(
      `self.at = 0, self.moving = setInterval(() => { inner.style.background = 'hsl(' + (at += 5) + ' 90% 50%)' }, 15)`,
    );
    isAcknowledging = false;
    // Those that are under way come late from a busy machine.
    const isStill = async (): Promise<boolean> => {
      frames.length = 0;
      await new Promise((settle) => setTimeout(settle, 500));
      return frames.length === 0;
    };
    await eventually('no more frames come without being acknowledged', isStill, SOON_MS);
    isAcknowledging = true;
    await screen.start({ width: 640, height: 400 });
    await eventually('pictures come again', () => Promise.resolve(frames.length > 10), SOON_MS);
    await inPage('clearInterval(moving)');
  });

  it('shows the last change also when pictures are drawn late', async () => {
    isAcknowledging = false;
    frames.length = 0;
    await inPage('inner.style.visibility = "hidden", 1');
    for (const top of [10, 20, 30, 40, 50, 60, 70, 80]) {
      await inPage(`new Promise((settle) => { scrollTo(0, ${top}); setTimeout(settle, 100); })`);
    }
    isAcknowledging = true;
    for (const { layer, frame } of frames) screen.page(layer)?.acknowledge(frame.stream);
    await eventually(
      () => `the last change is shown, not only ${frames.map(({ frame }) => Math.round(frame.scrollY)).join()}`,
      () => Math.round(frames.at(-1)?.frame.scrollY ?? 0) === 80,
      SOON_MS,
    );
    await inPage('inner.style.visibility = "", scrollTo(0, 0)');
  });

  it('scrolls by exactly the same at a device pixel ratio of 2, in another size, and within two pixels of an edge', async () => {
    const { session } = page();
    const metrics = { width: 800, height: 600, deviceScaleFactor: 2, mobile: false };
    // A busy browser may still lay out its window, and undo what was set meanwhile (C-VIEW-LAYOUT).
    const sharpens = (): Promise<unknown> => session.send('Emulation.setDeviceMetricsOverride', metrics);
    await reaches('devicePixelRatio', 2, sharpens);
    await page().turn({ x: 400, y: 599, right: 33, down: 101, modifiers: 0 });
    await reaches('[scrollX, scrollY, devicePixelRatio]', [33, 101, 2], sharpens);
    frames.length = 0;
    await screen.start({ width: 1600, height: 1200 });
    // The first picture may be of the page as it was drawn before it scrolled, where the machine is slow.
    await eventually(
      () =>
        `a picture shows the page where it is, not only ${JSON.stringify(frames.map(({ frame }) => ({ ...frame, base64: '' })))}`,
      () => {
        const { frame } = frames.at(-1) ?? {};
        return JSON.stringify([frame?.width, frame?.height, frame?.scrollX, frame?.scrollY]) === '[800,600,33,101]';
      },
      SOON_MS,
    );
    await screen.resize({ width: 390, height: 844, ratio: 0 });
    await reaches('[innerWidth, innerHeight]', [390, 844]);
    await page().turn({ x: 1, y: 842, right: -33, down: -1, modifiers: 0 });
    await reaches('[scrollX, scrollY]', [0, 100]);
    await screen.resize(undefined);
    await eventually('the window has its size again', async () => (await inPage('innerWidth')) !== 390, SOON_MS);
  });

  for (const ratio of [1.5, 2])
    it(`has the pixels of a display with ${ratio} for each CSS pixel, and points by CSS pixels`, async () => {
      const clicks = `<body style="margin:0;width:3000px;height:3000px"><script>clicks=[];addEventListener('click',(event)=>clicks.push(event.clientX,event.clientY));addEventListener('wheel',({clientX,clientY})=>turned=[clientX,clientY])</script>`;
      await show(`data:text/html,<title>clicks</title>${clicks}`);
      await screen.resize({ width: 400, height: 300, ratio });
      await screen.start({ width: 400 * ratio, height: 300 * ratio });
      await reaches('[innerWidth, innerHeight, devicePixelRatio]', [400, 300, ratio]);
      await eventually(
        () => `the last picture has its pixels, not ${String(frames.at(-1) && jpegSize(frames.at(-1)?.frame))}`,
        () => String(jpegSize(frames.at(-1)?.frame)) === String([400 * ratio, 300 * ratio]),
        SOON_MS,
      );
      const { frame } = frames.at(-1) ?? {};
      assert.deepEqual([frame?.width, frame?.height], [400, 300]);
      click(390, 290);
      await reaches('clicks', [390, 290]);
      await page().turn({ x: 390, y: 290, right: 12, down: 34, modifiers: 0 });
      await reaches('[scrollX, scrollY]', [12, 34]);
      assert.deepEqual(pngSize(await page().picture()), [400 * ratio, 300 * ratio]);
      await stage.client.scroll(stage.browserId, { x: 100 * ratio, y: 50 * ratio, deltaX: 0, deltaY: 1 });
      await reaches('turned', [100, 50]);
    });

  // What a test that failed has set must not fail those after it.
  afterEach(() => screen.resize(undefined).catch(() => undefined));

  /** Moves the mouse to a point, and clicks there as a hand does. */
  function click(x: number, y: number, on = page(), button = 0): void {
    const stroke = { x, y, button, modifiers: 0 };
    void on.mouse({ ...stroke, type: 'move', button: -1, buttons: 0, clicks: 0 });
    void on.mouse({ ...stroke, type: 'down', buttons: button === 2 ? 2 : 1, clicks: 1 });
    void on.mouse({ ...stroke, type: 'up', buttons: 0, clicks: 1 });
  }

  /** A list in a frame, with a heading and what cannot be chosen, and fields; it notes the events that it gets. */
  const LISTS = `data:text/html,<meta charset=utf-8><title>lists</title><body style="margin:0">
<iframe style="position:absolute;left:100px;top:40px;width:300px;height:200px;border:5px solid" srcdoc="<body style='margin:0'>
<select id=s style='position:absolute;left:10px;top:20px;width:120px;height:30px'><option>one<option disabled>two<optgroup label=more><option>three<option>four</select>
<script>for (const type of ['input','change','keydown']) s.addEventListener(type, (event) => parent.log.push(type + ' ' + event.isTrusted + ' ' + s.value))</script>"></iframe>
<input id="day" type="date" value="2020-01-02" min="2020-01-01" style="position:absolute;left:100px;top:300px;width:150px;height:30px">
<input id="shade" type="color" value="%23112233" style="position:absolute;left:300px;top:300px;width:60px;height:30px">
<script>log=[];day.addEventListener('change', () => log.push('day ' + day.value))</script>`;

  it('describes a list that the browser draws over its page, and chooses in it as a person does', async () => {
    await show(LISTS);
    const at = { x: 150, y: 80 };
    click(at.x, at.y);
    let picker = await openPicker(page());
    await eventually('the list is open', async () => (picker = await openPicker(page())) !== undefined, SOON_MS);
    const option = { group: '', isDisabled: false, isHidden: false };
    const options = [
      { ...option, label: 'one' },
      { ...option, label: 'two', isDisabled: true },
      { ...option, label: 'three', group: 'more' },
      { ...option, label: 'four', group: 'more' },
    ];
    assert.deepEqual(picker, { kind: 'list', x: 115, y: 65, width: 120, height: 30, options, index: 0 });
    assert.equal(await pickOption(page(), 3), true);
    await reaches('log', ['input true four', 'change true four']);
    assert.equal(await openPicker(page()), undefined);
    assert.equal(await pickOption(page(), 0), false, 'no list is open');
    click(at.x, at.y);
    await eventually('it is open again', async () => (await openPicker(page())) !== undefined, SOON_MS);
    await closePicker(page());
    await eventually('it is closed', async () => (await openPicker(page())) === undefined, SOON_MS);
    await reaches('log.length', 2);
  });

  it('describes the picker of a field, and gives the field what was chosen', async () => {
    await show(LISTS);
    click(110, 315);
    assert.equal(await openPicker(page(), { x: 110, y: 315 }), undefined, 'its text is typed');
    const at = { x: 240, y: 315 };
    click(at.x, at.y);
    const box = { x: 100, y: 300, width: 150, height: 30 };
    const date = { kind: 'field', type: 'date', value: '2020-01-02', min: '2020-01-01', max: '', step: '', ...box };
    await eventually(
      'the field has the focus',
      async () => JSON.stringify(await inPage('document.activeElement.id')) === '"day"',
      SOON_MS,
    );
    assert.deepEqual(await openPicker(page(), at), date);
    await fillField(page(), '2020-03-04');
    await reaches('log', ['day 2020-03-04']);
    click(330, 315);
    const isColour = async (): Promise<boolean> => fieldOf(await openPicker(page()), 'type') === 'color';
    await eventually('the colours are open', isColour, SOON_MS);
    await fillField(page(), '#abcdef');
    await reaches('shade.value', '#abcdef');
  });

  const NO_TEXT = { location: 0, text: '', isRepeated: false, modifiers: 0 };

  it('fills in a form and sends it by mouse and keyboard: letters, umlauts, composed Chinese, emoji, a paste', async () => {
    await show(FORM);
    click(100, 35);
    await reaches('document.activeElement.name', 'name');
    void page().key({ ...NO_TEXT, type: 'down', key: 'a', code: 'KeyA', keyCode: 65, text: 'a' });
    void page().key({ ...NO_TEXT, type: 'up', key: 'a', code: 'KeyA', keyCode: 65 });
    void page().key({ ...NO_TEXT, type: 'down', key: 'ä', code: 'Quote', keyCode: 222, text: 'ä' });
    void page().key({ ...NO_TEXT, type: 'up', key: 'ä', code: 'Quote', keyCode: 222 });
    page().compose('n');
    page().compose('ni');
    await reaches('document.activeElement.value', 'aäni');
    page().compose('你');
    page().type('你');
    page().type('😀');
    await reaches('document.activeElement.value', 'aä你😀');
    for (const stroke of [{ type: 'down' }, { type: 'up' }] as const) {
      void page().key({ ...NO_TEXT, ...stroke, key: 'a', code: 'KeyA', keyCode: 65, modifiers: 2 });
    }
    await reaches('getSelection().toString() || name.length', 'aä你😀');
  });

  const EDITED = `data:text/html,<body style="height:5000px"><textarea id="text" rows="4" cols="40">one two%0Athree four</textarea>`;

  it('moves, selects and deletes in a text by words, by lines and to its ends, and scrolls where there is none', async () => {
    await show(EDITED);
    const press = (key: string, keyCode: number, modifiers = 0): void => {
      for (const type of ['down', 'up'] as const) {
        void page().key({ ...NO_TEXT, type, key, code: key, keyCode, modifiers: type === 'down' ? modifiers : 0 });
      }
    };
    const { ctrl, shift } = MODIFIER_BITS;
    const selected = async (start: number, end: number): Promise<void> =>
      await reaches('[text.selectionStart, text.selectionEnd]', [start, end]);
    await inPage('text.focus(); text.setSelectionRange(18, 18)');
    press('Home', 36);
    await selected(8, 8);
    press('End', 35, shift);
    await selected(8, 18);
    press('End', 35);
    press('ArrowLeft', 37, ctrl);
    await selected(14, 14);
    press('ArrowRight', 39, ctrl | shift);
    await selected(14, 18);
    press('Home', 36, ctrl);
    await selected(0, 0);
    press('End', 35, ctrl | shift);
    await selected(0, 18);
    press('End', 35, ctrl);
    press('Backspace', 8, ctrl);
    await reaches('text.value', 'one two\nthree ');
    press('Backspace', 8, ctrl | shift);
    await reaches('text.value', 'one two\n');
    await inPage('text.blur()');
    press('End', 35);
    await reaches('scrollY > 1000', true);
    press('Home', 36);
    await reaches('scrollY', 0);
  });

  /** In its middle a target; it takes the wheel with Control for itself where the pointer is over that. */
  const ZOOMED = `data:text/html,<title>zoomed</title><body style="margin:0;height:3000px">
<button id="target" style="position:absolute;left:300px;top:200px;width:60px;height:40px" onclick="document.title='clicked'">Target</button>
<script>target.addEventListener('wheel',(event)=>event.preventDefault(),{passive:false})</script>`;

  it('zooms a page as its browser does, and leaves the wheel with Control to a page that handles it', async () => {
    await show(ZOOMED);
    // Chromium knows which parts of a page handle the wheel when it has drawn them.
    await inPage('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))');
    const width = Number(await inPage('innerWidth'));
    const turn = { right: 0, down: -120, modifiers: MODIFIER_BITS.ctrl };
    assert.equal(await screen.turnWithControl({ x: 330, y: 220, ...turn }), true, 'the page has handled it');
    assert.equal(await screen.turnWithControl({ x: 600, y: 500, ...turn }), false, 'nothing of the page handles it');
    assert.equal(await screen.setZoom(200), true);
    await reaches('[devicePixelRatio, innerWidth]', [2, width / 2]);
    assert.deepEqual([page().zoom, view.zoom], [200, 200]);
    click(660, 440);
    await reaches('document.title', 'clicked');
    const point = { x: page().toCss(660), y: page().toCss(440) };
    assert.deepEqual(await accessibleElement(page().session, point), { name: 'Target', role: 'button' });
    assert.equal(await screen.turnWithControl({ x: 660, y: 440, ...turn }), true, 'also where it is zoomed');
    assert.equal(await screen.setZoom(100), true);
    await reaches('[devicePixelRatio, innerWidth]', [1, width]);
    assert.equal(view.zoom, 100);
  });

  it('reports dialogs, of which it stays usable, and answers them', async () => {
    await show(FORM);
    dialogs.length = 0;
    void inPage('document.title = prompt("How many?", "3")').catch(() => undefined);
    await eventually('the dialog is reported', () => Promise.resolve(dialogs.length > 0), SOON_MS);
    const [{ url, ...dialog } = { url: '' }] = dialogs.flatMap((shown) => shown ?? []);
    assert.deepEqual(dialog, { type: 'prompt', message: 'How many?', prompt: '3' });
    assert.match(url, /^data:text\/html/, 'whose it is');
    await page().answer(true, '5');
    await reaches('document.title', '5');
    assert.equal(dialogs.at(-1), undefined);
  });

  it('goes back and forward, and follows tabs that come to the front, also by other clients', async () => {
    await show('data:text/html,<title>one</title>');
    await show('data:text/html,<title>two</title>');
    await eventually('it can go back', () => Promise.resolve(view.history.canGoBack), SOON_MS);
    await page().go(-1);
    await eventually(
      'the first page is back',
      () => Promise.resolve(view.history.title === 'one' && view.history.canGoForward),
      SOON_MS,
    );
    const before = view.front;
    await screen.newTab();
    await eventually('the new tab is in front', () => Promise.resolve(view.front !== before), SOON_MS);
    assert.equal(view.tabs.length, 2);
    await stage.link.connection.send('Target.activateTarget', { targetId: before ?? '' });
    await eventually('the screen follows', () => Promise.resolve(view.front === before), SOON_MS);
    const other = view.tabs.find(({ targetId }) => targetId !== before)?.targetId ?? '';
    await screen.closeTab(other);
    await eventually('one tab is left', () => Promise.resolve(view.tabs.length === 1), SOON_MS);
  });

  it('follows tabs that Playwright brings to the front, which has all of them say that they can be seen', async () => {
    const first = view.front;
    const { devToolsUrl } = await stage.client.getBrowser(stage.browserId);
    const playwright = await chromium.connectOverCDP(devToolsUrl);
    try {
      const [context] = playwright.contexts();
      assert.ok(context);
      const tab = await context.newPage();
      await eventually('the new tab is shown', () => Promise.resolve(view.front !== first), SOON_MS);
      assert.equal(await inPage('document.visibilityState'), 'visible');
      await context.pages()[0]?.bringToFront();
      await eventually('the first tab is shown', () => Promise.resolve(view.front === first), SOON_MS);
      await tab.bringToFront();
      await eventually('the new tab is shown again', () => Promise.resolve(view.front !== first), SOON_MS);
      await tab.close();
      await eventually('one tab is left', () => Promise.resolve(view.tabs.length === 1), SOON_MS);
    } finally {
      await playwright.close();
    }
  });

  it('shows the popup of an extension with pictures of its own, takes clicks in it, and closes it', async () => {
    const popup = `<!doctype html><body style="margin:0;width:200px;height:100px"><button id="b" style="width:200px;height:100px">0</button><script src="popup.js"></script>`;
    const { id } = await stage.load({ action: { default_popup: 'popup.html' } }, '', undefined, {
      'popup.html': popup,
      'popup.js': 'b.onclick = () => { b.textContent = Number(b.textContent) + 1; }',
    });
    assert.equal((await openSurface(stage.link, id, 'popup')).as, 'itself');
    await eventually('the popup is shown', () => Promise.resolve(view.surface === 'popup'), SOON_MS);
    const surface = screen.page('surface') ?? assert.fail('there is no popup');
    await eventually(
      'it has a picture',
      () => Promise.resolve(frames.some(({ layer, frame }) => layer === 'surface' && frame.width === 200)),
      SOON_MS,
    );
    click(50, 50, surface);
    await eventually('it was clicked', async () => (await evaluate(surface.session, 'b.textContent')) === '1', SOON_MS);
    await screen.closeSurface();
    await eventually('it is closed', () => Promise.resolve(view.surface === undefined), SOON_MS);
  });

  it('distinguishes a side panel from a popup', async () => {
    const keys = { side_panel: { default_path: 'panel.html' }, permissions: ['sidePanel'] };
    const { id } = await stage.load(keys, '', undefined, { 'panel.html': '<!doctype html><h1>panel</h1>' });
    assert.equal((await openSurface(stage.link, id, 'sidePanel')).as, 'itself');
    await eventually('the side panel is shown', () => Promise.resolve(view.surface === 'sidePanel'), SOON_MS);
    await screen.closeSurface();
    await eventually('it is closed', () => Promise.resolve(view.surface === undefined), SOON_MS);
  });

  it('sends nothing of a page that does not change', async () => {
    await show('data:text/html,<title>still</title>');
    // Its title is read once more after 2 s.
    await new Promise((settle) => setTimeout(settle, 3000));
    frames.length = 0;
    const before = view;
    await new Promise((settle) => setTimeout(settle, 3000));
    assert.deepEqual([frames.length, view === before], [0, true]);
  });

  it('says what is at a point by its accessible name', async () => {
    await show(FORM);
    assert.deepEqual(await accessibleElement(page().session, { x: 100, y: 35 }), {
      name: 'Your name',
      role: 'textbox',
    });
    assert.deepEqual(await accessibleElement(page().session, { x: 60, y: 95 }), { name: 'Send', role: 'button' });
  });

  it('shows a page behind a dialog from before at once, though that cannot be answered', async () => {
    const { id, devToolsUrl } = await stage.client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const address = addressOf({ devToolsUrl });
    const nothing = (): void => undefined;
    const events = { onView: nothing, onFrame: nothing, onDialog: nothing, onLost: nothing };
    const before = await RemoteScreen.open(address, events);
    const [first] = before.tabs;
    await before.newTab();
    await before.show(first?.targetId ?? '');
    const alert = 'setTimeout(() => alert("from before"))';
    await evaluate(before.page('page')?.session ?? assert.fail('no tab is in front'), alert);
    before.close();
    let isShown = false;
    const heard: (PageDialog | undefined)[] = [];
    const started = performance.now();
    const other = await RemoteScreen.open(address, {
      ...events,
      onFrame: () => (isShown = true),
      onDialog: (_, dialog) => heard.push(dialog),
      onFileChooser: nothing,
    });
    const shown = other.page('page');
    assert.equal(shown?.targetId, first?.targetId, 'the tab in front is not shown');
    await other.resize({ width: 500, height: 400, ratio: 1 });
    await other.start({ width: 500, height: 400 });
    await eventually('it has a picture', () => Promise.resolve(isShown), SOON_MS);
    const ms = performance.now() - started;
    assert.ok(ms < 15_000, `The picture came after ${ms} ms.`);
    assert.deepEqual([heard.filter(Boolean), await shown?.answer(true, '')], [[], false]);
    other.close();
    await stage.client.deleteBrowser(id);
  });

  it('reports that the browser has ended', async () => {
    const { id, devToolsUrl } = await stage.client.createBrowser({ headless: true, timeoutSeconds: 600 });
    let lost = 0;
    const nothing = (): void => undefined;
    const events = { onView: nothing, onFrame: nothing, onDialog: nothing, onLost: () => (lost += 1) };
    const other = await RemoteScreen.open(addressOf({ devToolsUrl }), events);
    await stage.client.deleteBrowser(id);
    await eventually('it is reported', () => Promise.resolve(lost > 0), SOON_MS);
    assert.deepEqual([lost, other.isOpen], [1, false]);
    screen.close();
    assert.equal(isLost, false, 'a connection that was closed here counts as lost');
  });
});
