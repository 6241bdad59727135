import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../../src/devtools/connection/link';
import type { PageFrame } from '../../../../src/devtools/pages/pageModel';
import { PageScreen } from '../../../../src/devtools/screen/pageScreen';
import { ScriptedBrowser } from '../../../standins/scriptedBrowser';
import { TestClock } from '../../../support/testClock';

const SIZE = { width: 800, height: 600 };

describe('the picture of a page', () => {
  let browser: ScriptedBrowser;
  let clock: TestClock;
  let link: BrowserLink;
  let page: PageScreen;
  let frames: PageFrame[];
  let changes: number;

  beforeEach(async () => {
    browser = new ScriptedBrowser();
    clock = new TestClock();
    frames = [];
    changes = 0;
    browser.show('page', 'https://example.com/');
    link = await browser.link(clock);
    const events = {
      onFrame: (frame: PageFrame): void => void frames.push(frame),
      onDialog: (): void => undefined,
      onChange: (): void => {
        changes += 1;
      },
    };
    page = await clock.run(PageScreen.attach(link.connection, 'page', events, clock));
  });

  afterEach(() => {
    link.close();
  });

  /** The browser sends a frame that it took `lateMs` before now. */
  async function frame(lateMs = 0, stream = 1, view = { deviceWidth: 800, deviceHeight: 600 }): Promise<void> {
    const timestamp = (clock.now() - lateMs) / 1000;
    browser.event(
      'Page.screencastFrame',
      { sessionId: stream, data: 'AAAA', metadata: { ...view, scrollOffsetX: 0, scrollOffsetY: 0, timestamp } },
      'page',
    );
    await clock.idle();
  }

  const countOf = (method: string): number => browser.methodsOf('page').filter((one) => one === method).length;

  /** The qualities of the streams so far. */
  const qualities = (): unknown[] =>
    browser.received.filter(({ method }) => method === 'Page.startScreencast').map(({ params }) => params['quality']);

  it('is sent in the size and at the quality that are asked for, and each frame is acknowledged when it was drawn', async () => {
    await clock.run(page.start(SIZE));
    const { params } = browser.received.find(({ method }) => method === 'Page.startScreencast') ?? assert.fail();
    assert.deepEqual(params, { format: 'jpeg', quality: 90, maxWidth: 800, maxHeight: 600 });
    await frame();
    assert.equal(frames.length, 1);
    assert.equal(countOf('Page.screencastFrameAck'), 0);
    page.acknowledge(1);
    await clock.idle();
    assert.equal(countOf('Page.screencastFrameAck'), 1);
  });

  it('begins when the browser has ended the stream before, whose frames would count for it', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    browser.on('Page.stopScreencast', async () => {
      await ended;
      return {};
    });
    const starting = page.start(SIZE);
    await clock.idle();
    assert.equal(countOf('Page.startScreencast'), 0);
    end();
    await clock.run(starting);
    assert.equal(countOf('Page.startScreencast'), 1);
  });

  it('is asked for again, ever later and not without end, while no first frame comes', async () => {
    await clock.run(page.start(SIZE));
    const times: number[] = [];
    for (let at = 0; at < 200_000; at += 100) {
      const before = countOf('Page.startScreencast');
      await clock.advance(100);
      if (countOf('Page.startScreencast') > before) times.push(at + 100);
    }
    assert.deepEqual(times, [1000, 3000, 7000, 15_000, 31_000, 63_000]);
  });

  for (const command of ['Page.startScreencast', 'Page.stopScreencast'])
    it(`is asked for again when ${command} is not answered, as by a page that another takes the place of`, async () => {
      await clock.run(page.start(SIZE));
      await frame();
      browser.on(command, () => undefined);
      await clock.run(page.start({ width: 1600, height: 1200 }));
      assert.equal(clock.now(), 300, 'Nobody waits for it longer.');
      const begun = countOf('Page.startScreencast');
      await frame();
      browser.on(command, () => ({}));
      await clock.advance(700);
      assert.equal(countOf('Page.startScreencast'), begun + 1);
      await frame(0, 2);
      await clock.advance(200_000);
      assert.equal(countOf('Page.startScreencast'), begun + 1);
    });

  it('is asked for again, too, when no frame comes of a stream that began for the last change', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    await frame();
    page.acknowledge(1);
    page.acknowledge(1);
    await clock.advance(300);
    assert.equal(countOf('Page.startScreencast'), 2);
    await clock.advance(1000);
    assert.equal(countOf('Page.startScreencast'), 3);
  });

  it('is asked for again while only a late frame of the stream before has come', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    await clock.advance(1000);
    await clock.run(page.start({ width: 1600, height: 1200 }));
    await frame();
    await clock.advance(1000);
    assert.equal(countOf('Page.startScreencast'), 3);
    await frame(0, 3);
    await clock.advance(10_000);
    assert.equal(countOf('Page.startScreencast'), 3);
  });

  it('is not asked for again once a frame has come', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    page.acknowledge(1);
    await clock.advance(10_000);
    assert.equal(countOf('Page.startScreencast'), 1);
  });

  it('is sent again when two frames were under way and no other has come, since the last change may be missing', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    await frame();
    page.acknowledge(1);
    await clock.advance(300);
    assert.equal(countOf('Page.startScreencast'), 1, 'One frame is still to be drawn.');
    page.acknowledge(1);
    await clock.advance(240);
    assert.equal(countOf('Page.startScreencast'), 1);
    await clock.advance(20);
    assert.equal(countOf('Page.startScreencast'), 2);
  });

  it('is not sent again when another frame has come meanwhile, or it was closed', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    await frame();
    page.acknowledge(1);
    page.acknowledge(1);
    await clock.advance(200);
    await frame();
    await clock.advance(500);
    assert.equal(countOf('Page.startScreencast'), 1);
    page.acknowledge(1);
    await clock.run(page.close());
    await clock.advance(500);
    assert.equal(countOf('Page.startScreencast'), 1);
  });

  it('has a smaller quality over a slow line, in a new stream that begins when the frames of the old one are drawn', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    page.acknowledge(1);
    for (let late = 0; late < 3; late++) await frame(300);
    page.acknowledge(1);
    page.acknowledge(1);
    await clock.idle();
    assert.deepEqual(qualities(), [90]);
    page.acknowledge(1);
    await clock.idle();
    assert.deepEqual(qualities(), [90, 75]);
    // Those of the old stream are not acknowledged any more: they would count for the new one.
    assert.equal(countOf('Page.screencastFrameAck'), 1);
  });

  it('is sent once in the best quality when it stops changing after a slow network, and in the measured quality when it changes again', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    page.acknowledge(1);
    for (let late = 0; late < 3; late++) {
      await frame(300);
      page.acknowledge(1);
      await clock.idle();
    }
    assert.deepEqual(qualities(), [90, 75]);
    await frame(0, 2);
    page.acknowledge(2);
    await clock.advance(990);
    assert.deepEqual(qualities(), [90, 75]);
    await clock.advance(20);
    assert.deepEqual(qualities(), [90, 75, 90]);
    await frame(600, 3);
    page.acknowledge(3);
    await clock.advance(60_000);
    assert.deepEqual(qualities(), [90, 75, 90], 'A page that stands still is sent once.');
    await frame(600, 3);
    page.acknowledge(3);
    await clock.idle();
    assert.deepEqual(qualities(), [90, 75, 90, 75]);
  });

  it('is acknowledged ahead from afar, so that more frames are under way', async () => {
    browser.on('Page.stopScreencast', async () => {
      await clock.delay(100);
      return {};
    });
    await clock.run(page.start(SIZE));
    await frame();
    assert.equal(countOf('Page.screencastFrameAck'), 3);
    await frame();
    assert.equal(countOf('Page.screencastFrameAck'), 3, 'Once for each stream.');
  });

  it('has a pixel for each of the display, and for each CSS pixel over a line that carries no more', async () => {
    await clock.run(page.resize({ width: 400, height: 300, ratio: 2 }));
    await clock.run(page.start(SIZE));
    await frame();
    page.acknowledge(1);
    for (let late = 0; late < 12; late++) {
      await frame(300);
      page.acknowledge(1);
      await clock.idle();
    }
    const streams = browser.received.filter(({ method }) => method === 'Page.startScreencast');
    const sizes = streams.map(({ params }) => [params['maxWidth'], params['maxHeight']].join());
    assert.deepEqual(sizes, ['800,600', '800,600', '800,600', '800,600', '400,300']);
  });

  it('is given its size again when the browser has laid out its window again, and not for frames that were under way', async () => {
    let stream = 0;
    browser.on('Page.startScreencast', () => {
      stream += 1;
      if (stream > 1) void frame(0, stream);
      return {};
    });
    await clock.run(page.resize({ width: 400, height: 300, ratio: 1 }));
    await clock.run(page.start(SIZE));
    const given = (): number => countOf('Emulation.setDeviceMetricsOverride');
    const streams = (): number => countOf('Page.startScreencast');
    await frame();
    await frame(0, 1, { deviceWidth: 400, deviceHeight: 300 });
    await clock.advance(1000);
    assert.equal(given(), 1);
    // Without another frame, because a page that is not drawn again has none.
    await frame();
    const times: number[] = [];
    for (let at = 0; at < 120_000; at += 100) {
      const before = given();
      await clock.advance(100);
      if (given() > before) times.push(at + 100);
    }
    const late = [300, 900, 2100, 4500, 9300, 18_900, 38_100];
    assert.deepEqual(times, late, 'A browser that takes no size is asked ever later, and not without end.');
    assert.equal(
      streams(),
      1 + late.length - 1,
      'A frame is requested each time but the first, which brings one by itself.',
    );
    await frame();
    await clock.advance(60_000);
    assert.equal(given(), 8);
    await frame(0, 1, { deviceWidth: 400, deviceHeight: 300 });
    await frame();
    await clock.advance(300);
    assert.equal(given(), 9, 'It begins again once the size was right.');
    await clock.advance(600 + 1200 + 2400);
    assert.equal(given(), 12);
    await frame(0, 1, { deviceWidth: 440, deviceHeight: 600 });
    await clock.advance(300);
    assert.equal(given(), 13, 'It begins again when the browser has laid out its window once more.');
    await frame(0, 1, { deviceWidth: 400, deviceHeight: 300 });
    await clock.run(page.resize(undefined));
    await frame();
    await clock.advance(60_000);
    assert.equal(given(), 13);
  });

  it('is requested when none has come since its size was changed, and the size is given again', async () => {
    await clock.run(page.start(SIZE));
    await frame();
    await clock.run(page.resize({ width: 400, height: 300, ratio: 1 }));
    const commands = (): number[] =>
      ['Emulation.setDeviceMetricsOverride', 'Emulation.clearDeviceMetricsOverride', 'Page.startScreencast'].map(
        countOf,
      );
    await clock.advance(299);
    assert.deepEqual(commands(), [1, 0, 1]);
    await clock.advance(1);
    assert.deepEqual(commands(), [2, 0, 2]);
    await frame(0, 2, { deviceWidth: 400, deviceHeight: 300 });
    await clock.advance(60_000);
    assert.deepEqual(commands(), [2, 0, 2]);
    await clock.run(page.resize(undefined));
    await frame(0, 2, { deviceWidth: 400, deviceHeight: 300 });
    await clock.advance(300);
    assert.deepEqual(commands(), [2, 2, 3], 'The frame was under way.');
    await frame(0, 3, { deviceWidth: 400, deviceHeight: 300 });
    await clock.advance(60_000);
    assert.deepEqual(commands(), [2, 2, 3], 'The window is as large as that.');
  });

  it('is none any more when it was closed', async () => {
    await clock.run(page.start(SIZE));
    await clock.run(page.close());
    await frame();
    assert.deepEqual(frames, []);
    await clock.advance(10_000);
    assert.equal(countOf('Page.startScreencast'), 1);
  });

  it('loads when its main frame does, whatever the frames in it do', async () => {
    browser.event('Page.frameStartedLoading', { frameId: 'inner' }, 'page');
    await clock.idle();
    assert.deepEqual([page.isLoading, changes], [false, 0]);
    browser.event('Page.frameStartedLoading', { frameId: 'page' }, 'page');
    await clock.idle();
    assert.deepEqual([page.isLoading, changes], [true, 1]);
    browser.event('Page.frameStoppedLoading', { frameId: 'inner' }, 'page');
    await clock.idle();
    assert.deepEqual([page.isLoading, changes], [true, 1]);
  });

  it('has another document when its main frame has navigated, also to the same address', async () => {
    const navigated = async (frame: Record<string, string>): Promise<void> => {
      browser.event('Page.frameNavigated', { frame: { url: 'https://example.com/', ...frame } }, 'page');
      await clock.idle();
    };
    await navigated({ id: 'page', loaderId: 'first' });
    await navigated({ id: 'inner', parentId: 'page', loaderId: 'of a frame' });
    assert.deepEqual([page.document, changes], ['first', 1]);
    await navigated({ id: 'page', loaderId: 'second' });
    assert.deepEqual([page.document, changes], ['second', 2]);
  });

  it('gets input at points of the page, which the browser may have zoomed', async () => {
    browser.on('Page.getLayoutMetrics', () => ({ cssVisualViewport: { zoom: 2 } }));
    await clock.run(page.readZoom());
    await clock.run(page.mouse({ type: 'move', x: 100, y: 50, button: -1, buttons: 0, clicks: 0, modifiers: 0 }));
    const { params } = browser.received.find(({ method }) => method === 'Input.dispatchMouseEvent') ?? assert.fail();
    assert.deepEqual([params['x'], params['y']], [50, 25]);
  });

  it('has pictures at once where settings are not answered, as behind a dialog', async () => {
    for (const method of [
      'Page.enable',
      'Page.setInterceptFileChooserDialog',
      'Page.getLayoutMetrics',
      'Emulation.setDeviceMetricsOverride',
    ]) {
      browser.on(method, () => undefined);
    }
    const nothing = (): void => undefined;
    const events = { onFrame: nothing, onDialog: nothing, onChange: nothing, onFileChooser: nothing };
    browser.received.length = 0;
    const other = await clock.run(PageScreen.attach(link.connection, 'page', events, clock));
    await clock.run(other.resize({ width: 400, height: 300, ratio: 1 }));
    await clock.run(other.start(SIZE));
    assert.equal(clock.now(), 600);
    assert.ok(browser.methodsOf('page').includes('Page.startScreencast'));
    await clock.run(other.readZoom());
    assert.deepEqual([other.zoom, clock.now()], [100, 1600]);
  });

  it('is not waited for longer than a second when it handles no input, as behind a dialog', async () => {
    browser.on('Input.dispatchMouseEvent', () => undefined);
    const wheel = { x: 0, y: 0, right: 0, down: 100, modifiers: 0 };
    await clock.run(page.turn(wheel));
    assert.equal(clock.now(), 1000);
  });
});
