import assert from 'node:assert/strict';
import type { PageFrame, PictureSize } from '../../../../src/devtools/pages/pageModel';
import type { ScreenEvents } from '../../../../src/devtools/screen/remoteScreen';
import { ScreenStream, type StreamedScreen, type StreamOptions } from '../../../../src/editor/screen/screenStream';
import type { ShownSize } from '../../../../src/screen/pageSizes';
import type { HostMessage } from '../../../../src/screen/protocol';
import type { Browser } from '../../../../src/service/model';
import { TestClock } from '../../../support/testClock';
import { BROWSER } from '../lists/sampleBrowser';

const FRAME: PageFrame = { stream: 7, base64: 'AAAA', width: 10, height: 10, scrollX: 0, scrollY: 0 };
const OTHER: Browser = { ...BROWSER, id: 's2' };

/** A browser that is connected to. */
class FakeScreen implements StreamedScreen {
  isOpen = true;
  sendsPictures = true;
  readonly started: PictureSize[] = [];
  readonly sizes: (ShownSize | undefined)[] = [];
  readonly acknowledged: number[] = [];

  constructor(
    readonly browser: Browser,
    readonly events: ScreenEvents,
  ) {}

  start = (largest: PictureSize): Promise<void> => {
    this.started.push(largest);
    if (this.sendsPictures) this.events.onFrame('page', FRAME);
    return Promise.resolve();
  };

  resize = (size: ShownSize | undefined): Promise<void> => {
    this.sizes.push(size);
    return Promise.resolve();
  };

  close = (): void => {
    this.isOpen = false;
  };

  page = (): { acknowledge: (stream: number) => void } => ({
    acknowledge: (stream) => this.acknowledged.push(stream),
  });

  /** The connection breaks. */
  lose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.events.onLost();
  }
}

/** A panel in a window, and the service, as the test sets them. */
class Panel implements StreamOptions<FakeScreen> {
  readonly clock = new TestClock();
  readonly screens: FakeScreen[] = [];
  readonly posted: HostMessage[] = [];
  readonly log = { warn: (): void => undefined };
  readonly stills: string[] = [];
  sendsPictures = true;
  visible = true;
  whole = false;
  gone = 0;
  found: (id: string) => Promise<Browser | undefined> = () => Promise.resolve(BROWSER);
  opening: () => Promise<void> = () => Promise.resolve();
  #listener: ((state: { isFocused: boolean; isActive: boolean }) => void) | undefined;
  readonly window = {
    isActive: true,
    onChange: (listener: (state: { isFocused: boolean; isActive: boolean }) => void) => {
      this.#listener = listener;
      return {
        dispose: (): void => {
          this.#listener = undefined;
        },
      };
    },
  };
  readonly stream: ScreenStream<FakeScreen>;

  constructor() {
    this.stream = new ScreenStream(this, this.clock);
  }

  isLocal = (): boolean => true;
  isVisible = (): boolean => this.visible;
  isWhole = (): boolean => this.whole;
  find = (id: string): Promise<Browser | undefined> => this.found(id);
  open = async (browser: Browser, events: ScreenEvents): Promise<FakeScreen> => {
    const screen = new FakeScreen(browser, events);
    screen.sendsPictures = this.sendsPictures;
    this.screens.push(screen);
    await this.opening().catch((error: unknown) => {
      screen.isOpen = false;
      throw error;
    });
    return screen;
  };
  post = (message: HostMessage): Promise<void> => {
    this.posted.push(message);
    return Promise.resolve();
  };
  onGone = (): Promise<void> => {
    this.gone += 1;
    return Promise.resolve();
  };
  onFileChooser = (): void => undefined;
  onStill = (when: 'now' | 'soon'): Promise<void> => {
    this.stills.push(when);
    return Promise.resolve();
  };

  /** The window gets or loses the focus, or is used or left. */
  use(isFocused: boolean, isActive = isFocused): void {
    this.window.isActive = isFocused && isActive;
    this.#listener?.({ isFocused, isActive });
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.stream.visibilityChanged();
  }

  /** The states that the page was told, in order. */
  get states(): string[] {
    return this.posted.flatMap((message) => (message.kind === 'stream' ? message.state : []));
  }

  get state(): string | undefined {
    return this.states.at(-1);
  }

  get last(): FakeScreen {
    const screen = this.screens.at(-1);
    assert.ok(screen, 'no browser was connected to');
    return screen;
  }
}

/** A promise that the test settles. */
function controlled<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let settle: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  return { promise, resolve: settle, reject: fail };
}

describe('the stream of a screen', () => {
  let panel: Panel;

  beforeEach(() => {
    panel = new Panel();
  });

  afterEach(async () => {
    panel.stream.dispose();
    const told = panel.posted.length;
    await panel.clock.advance(120_000);
    assert.deepEqual([panel.clock.pending, panel.posted.length], [0, told]);
    assert.ok(
      panel.screens.every(({ isOpen }) => !isOpen),
      'a connection is left open',
    );
  });

  const begin = async (): Promise<void> => {
    await panel.stream.begin(BROWSER);
  };

  it('connects, and sends pictures in the size in which they are shown', async () => {
    await panel.stream.showIn({ width: 300, height: 200 });
    await begin();
    assert.deepEqual(
      [panel.states, panel.last.started],
      [['connecting', 'waiting', 'live'], [{ width: 300, height: 200 }]],
    );
    await panel.stream.showIn({ width: 400, height: 200 });
    assert.deepEqual(panel.last.started[1], { width: 400, height: 200 });
    assert.equal(panel.stream.screen, panel.last);
  });

  it('asks for a picture of the service where the whole screen is shown, and again when something has changed', async () => {
    panel.whole = true;
    await begin();
    assert.deepEqual(
      [panel.state, panel.last.started, panel.stills, panel.stream.isByService],
      ['whole', [], ['now'], true],
    );
    const view = {
      tabs: [],
      front: undefined,
      history: { url: 'about:blank', title: '', canGoBack: false, canGoForward: false },
      isLoading: false,
      document: '',
      zoom: 100,
      surface: undefined,
    };
    panel.last.events.onView(view);
    panel.last.events.onView(view);
    await panel.clock.idle();
    panel.last.events.onView({ ...view, isLoading: true });
    await panel.clock.idle();
    assert.deepEqual(panel.stills, ['now', 'soon', 'soon']);
  });

  it('is live when a picture of the page is there, and says so when none comes', async () => {
    panel.sendsPictures = false;
    await begin();
    panel.last.events.onFrame('surface', FRAME);
    await panel.clock.advance(4900);
    assert.equal(panel.state, 'waiting');
    const reasons = (): number => new Set(panel.posted.map((message) => 'reason' in message && message.reason)).size;
    const before = reasons();
    await panel.clock.advance(200);
    assert.deepEqual([panel.state, reasons()], ['waiting', before + 1]);
    panel.last.events.onFrame('page', FRAME);
    assert.equal(panel.state, 'live');
    await panel.clock.advance(10_000);
    assert.equal(panel.state, 'live');
  });

  describe('of a page in a size of its own', () => {
    const size = { width: 400, height: 300, ratio: 2 };

    it('has it before the first picture, and again after each connection', async () => {
      await panel.stream.resize(size);
      assert.equal(panel.stream.size, undefined, 'nothing is connected yet');
      await begin();
      panel.last.lose();
      await panel.clock.advance(300);
      const sizes = panel.screens.map((screen) => screen.sizes);
      assert.deepEqual([sizes, panel.stream.size], [[[size], [size]], size]);
    });

    it('changes it while it is live', async () => {
      await begin();
      await panel.stream.resize(size);
      await panel.stream.resize(undefined);
      assert.deepEqual(panel.last.sizes, [size, undefined]);
    });

    it('leaves the window as it is where the whole screen is shown', async () => {
      panel.whole = true;
      await panel.stream.resize(size);
      await begin();
      assert.deepEqual([panel.last.sizes, panel.stream.size], [[], undefined]);
    });

    it('has none any more when it was hidden', async () => {
      await panel.stream.resize(size);
      await begin();
      panel.show(false);
      assert.equal(panel.stream.size, undefined);
    });
  });

  describe('while somebody looks', () => {
    it('goes on as long as the window is used', async () => {
      await begin();
      await panel.clock.advance(300_000);
      assert.deepEqual([panel.states, panel.screens.length], [['connecting', 'waiting', 'live'], 1]);
    });

    it('pauses 30 s after the last sign of that, and not before', async () => {
      await begin();
      panel.window.isActive = false;
      await panel.clock.advance(20_000);
      panel.stream.look();
      await panel.clock.advance(29_000);
      assert.equal(panel.state, 'live');
      await panel.clock.advance(1000);
      assert.deepEqual([panel.state, panel.last.isOpen, panel.stream.screen], ['paused', false, undefined]);
      await panel.clock.advance(60_000);
      assert.equal(panel.screens.length, 1);
    });

    it('counts the time from when the window lost the focus', async () => {
      await begin();
      await panel.clock.advance(60_000);
      panel.use(false);
      await panel.clock.advance(25_000);
      assert.equal(panel.state, 'live');
      await panel.clock.advance(10_000);
      assert.equal(panel.state, 'paused');
    });

    it('goes on at once when the window is used again, or the pointer is over the page', async () => {
      for (const comeBack of [() => panel.use(true), () => panel.stream.look()]) {
        panel.use(true);
        await begin();
        panel.use(false);
        await panel.clock.advance(35_000);
        assert.equal(panel.state, 'paused');
        panel.use(true, false);
        await panel.clock.idle();
        assert.equal(panel.state, 'paused');
        comeBack();
        comeBack();
        await panel.clock.idle();
        assert.deepEqual([panel.state, panel.last.isOpen], ['live', true]);
      }
      assert.equal(panel.screens.length, 4);
    });

    it('does not go on after its end', async () => {
      await begin();
      panel.use(false);
      await panel.clock.advance(35_000);
      panel.stream.end();
      panel.use(true);
      panel.show(true);
      await panel.clock.idle();
      assert.equal(panel.screens.length, 1);
    });
  });

  describe('while the panel is hidden', () => {
    it('has no connection, and another one when the panel is shown again', async () => {
      await begin();
      panel.show(false);
      assert.equal(panel.last.isOpen, false);
      await panel.clock.advance(60_000);
      panel.show(true);
      await panel.clock.idle();
      assert.deepEqual(
        [panel.states, panel.screens.length],
        [['connecting', 'waiting', 'live', 'connecting', 'waiting', 'live'], 2],
      );
    });

    it('connects to nothing when it begins there', async () => {
      panel.visible = false;
      await begin();
      assert.deepEqual([panel.screens, panel.states], [[], []]);
    });

    it('gives up a connection that was being opened, and keeps the one of the panel that was shown again', async () => {
      const first = controlled<undefined>();
      panel.opening = () => first.promise.then(() => undefined);
      void begin();
      await panel.clock.idle();
      panel.show(false);
      panel.opening = () => Promise.resolve();
      panel.show(true);
      await panel.clock.idle();
      first.resolve(undefined);
      await panel.clock.idle();
      assert.deepEqual(
        panel.screens.map(({ isOpen }) => isOpen),
        [false, true],
      );
      assert.equal(panel.stream.screen, panel.last);
    });

    it('does not connect again when its browser is lost just then', async () => {
      await begin();
      const asked = controlled<Browser | undefined>();
      panel.found = () => asked.promise;
      panel.last.lose();
      await panel.clock.idle();
      panel.show(false);
      asked.resolve(BROWSER);
      await panel.clock.idle();
      assert.deepEqual([panel.clock.pending, panel.screens.length, panel.state], [0, 1, 'connecting']);
    });
  });

  describe('when the connection is lost', () => {
    it('connects again after a quarter of a second, to the address that the browser has then', async () => {
      await begin();
      panel.found = () => Promise.resolve({ ...BROWSER, devToolsUrl: 'wss://proxy.example/moved' });
      panel.last.lose();
      await panel.clock.advance(249);
      assert.deepEqual([panel.state, panel.screens.length], ['connecting', 1]);
      await panel.clock.advance(1);
      assert.deepEqual([panel.state, panel.last.browser.devToolsUrl], ['live', 'wss://proxy.example/moved']);
    });

    it('tries again after longer and longer pauses, and shows still pictures meanwhile', async () => {
      await begin();
      panel.opening = () => Promise.reject(new Error('refused'));
      panel.last.lose();
      const times: number[] = [];
      for (let seconds = 0; seconds < 600 && times.length < 8; seconds++) {
        const before = panel.screens.length;
        await panel.clock.advance(50);
        if (panel.screens.length > before) times.push(panel.clock.now());
      }
      assert.deepEqual(times, [250, 750, 1750, 3750, 8750, 18_750, 28_750]);
      assert.deepEqual([panel.state, panel.stream.isByService, panel.stills.length], ['still', true, 7]);
      panel.opening = () => Promise.resolve();
      await panel.clock.advance(10_000);
      assert.equal(panel.state, 'live');
    });

    it('begins with short pauses again for another browser', async () => {
      await begin();
      panel.opening = () => Promise.reject(new Error('refused'));
      panel.last.lose();
      await panel.clock.advance(4000);
      await panel.stream.begin(OTHER);
      const before = panel.screens.length;
      await panel.clock.advance(250);
      assert.equal(panel.screens.length, before + 1);
    });

    it('while it is being opened, tries again, and shows no dead picture', async () => {
      const opening = controlled<undefined>();
      panel.opening = () => opening.promise.then(() => undefined);
      const begun = begin();
      await panel.clock.idle();
      panel.last.lose();
      opening.reject(new Error('lost'));
      await begun;
      assert.deepEqual([panel.states, panel.stream.screen], [['connecting', 'still'], undefined]);
      panel.opening = () => Promise.resolve();
      await panel.clock.advance(250);
      assert.deepEqual([panel.states.slice(2), panel.screens.length], [['waiting', 'live'], 2]);
    });

    it('pauses instead when nobody looks', async () => {
      await begin();
      panel.opening = () => Promise.reject(new Error('refused'));
      panel.window.isActive = false;
      panel.last.lose();
      await panel.clock.advance(60_000);
      assert.deepEqual([panel.state, panel.clock.pending], ['paused', 0]);
    });

    it('says that the browser is gone, once, when the service does not have it any more', async () => {
      await begin();
      panel.found = () => Promise.resolve(undefined);
      panel.last.lose();
      await Promise.all([panel.stream.checkGone(), panel.stream.checkGone()]);
      await panel.clock.advance(60_000);
      assert.deepEqual([panel.gone, panel.screens.length, panel.clock.pending], [1, 1, 0]);
    });

    it('tries again where the service does not answer', async () => {
      await begin();
      panel.found = () => Promise.reject(new Error('no answer'));
      panel.last.lose();
      await panel.clock.advance(250);
      assert.equal(panel.state, 'still');
      panel.found = () => Promise.resolve(BROWSER);
      await panel.clock.advance(500);
      assert.equal(panel.state, 'live');
    });
  });

  it('says nothing of another browser that the panel shows meanwhile', async () => {
    await begin();
    const asked = controlled<Browser | undefined>();
    panel.found = () => asked.promise;
    const checked = panel.stream.checkGone();
    await panel.stream.begin(OTHER);
    asked.resolve(undefined);
    assert.equal(await checked, false);
    assert.deepEqual([panel.gone, panel.state, panel.last.browser.id, panel.last.isOpen], [0, 'live', 's2', true]);
  });

  it('that ends while it is being opened leaves no connection, and tells the page nothing more', async () => {
    const opening = controlled<undefined>();
    panel.opening = () => opening.promise.then(() => undefined);
    const begun = begin();
    await panel.clock.idle();
    panel.stream.end();
    opening.resolve(undefined);
    await begun;
    assert.deepEqual([panel.states, panel.last.isOpen, panel.stream.screen], [['connecting'], false, undefined]);
  });

  it('that ends while the page is told of it leaves no timer', async () => {
    const told = controlled<undefined>();
    panel.post = (message) => {
      panel.posted.push(message);
      return message.kind === 'stream' && message.state === 'waiting'
        ? told.promise.then(() => undefined)
        : Promise.resolve();
    };
    const begun = begin();
    await panel.clock.idle();
    panel.stream.end();
    told.resolve(undefined);
    await begun;
    assert.deepEqual([panel.last.started, panel.clock.pending], [[], 0]);
  });

  it('connects anew after a change between the page and the whole screen, and not after its end', async () => {
    await begin();
    panel.whole = true;
    await panel.stream.restart();
    assert.deepEqual([panel.screens.map(({ isOpen }) => isOpen), panel.state], [[false, true], 'whole']);
    panel.stream.end();
    await panel.stream.restart();
    assert.equal(panel.screens.length, 2);
  });

  it('acknowledges a frame once it was drawn, once, and to the browser that has sent it', async () => {
    panel.sendsPictures = false;
    await begin();
    const first = panel.last;
    first.events.onFrame('page', FRAME);
    first.events.onFrame('page', { ...FRAME, stream: 8 });
    const ids = (): number[] => panel.posted.flatMap((message) => (message.kind === 'frame' ? message.id : []));
    assert.deepEqual([ids(), first.acknowledged], [[1, 2], []]);
    panel.stream.drawn(2);
    panel.stream.drawn(2);
    panel.stream.drawn(99);
    assert.deepEqual(first.acknowledged, [8]);
    await panel.stream.restart();
    panel.last.events.onFrame('page', { ...FRAME, stream: 9 });
    panel.stream.drawn(1);
    panel.stream.drawn(3);
    assert.deepEqual([first.acknowledged, panel.last.acknowledged], [[8], [9]]);
  });

  it('passes on nothing of a browser that it has left', async () => {
    await begin();
    const first = panel.last;
    await panel.stream.begin(OTHER);
    const before = panel.posted.length;
    first.events.onFrame('page', FRAME);
    first.events.onDialog('page', { type: 'alert', url: 'https://a.test/', message: '', prompt: '' });
    first.events.onLost();
    await panel.clock.advance(1000);
    assert.deepEqual([panel.posted.length, panel.screens.length], [before, 2]);
  });
});
