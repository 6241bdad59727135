import assert from 'node:assert/strict';
import { connectDevTools, type Connection, onDisconnected } from '../../../src/devtools/protocol/connect';
import { listExtensions, loadUnpacked, uninstall } from '../../../src/devtools/protocol/loadedExtensions';
import { KnownBrowsers } from '../../../src/push/known/knownBrowsers';
import type { PushBrowsers } from '../../../src/push/pushBrowsers';
import type { PushLink } from '../../../src/push/pushLink';
import { silentLogger } from '../../../src/service/logger';
import type { Browser } from '../../../src/service/model';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { IN_MEMORY } from '../../support/devToolsAddress';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import { TestClock } from '../../support/testClock';
import { REPLAYED } from '../../transcripts/replayScenario';
import { type How, ScenarioRun, told } from '../../transcripts/scenario';
import { build } from '../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

const nothing = (): Promise<void> => Promise.resolve();
const nowhere = (): undefined => undefined;
const unknown = (): Promise<undefined> => Promise.resolve(undefined);
const unsupported = (): Promise<boolean> => Promise.resolve(false);

/** A browser of another kind: it has DevTools and nothing else, neither a page that reloads extensions nor debuggers. */
class PlainLink implements PushLink {
  isOpen = true;

  private constructor(
    readonly connection: Connection,
    readonly clock: TestClock,
  ) {
    onDisconnected(connection, () => (this.isOpen = false));
  }

  static async open(chromium: MemoryChromium, clock: TestClock): Promise<PlainLink> {
    return new PlainLink(
      await connectDevTools(IN_MEMORY, undefined, undefined, () => Promise.resolve(chromium)),
      clock,
    );
  }

  readonly targets: PushLink['targets'] = {
    list: async () => (await this.connection.send('Target.getTargets')).targetInfos,
  };

  readonly processes: PushLink['processes'] = { keep: nothing, settled: nothing, release: nothing, holds: () => false };

  readonly debuggers: PushLink['debuggers'] = {
    isEmpty: true,
    isPagePaused: () => false,
    pausedAt: nowhere,
    onChange: () => () => undefined,
    release: nothing,
    restore: nothing,
  };

  extensions = (): ReturnType<PushLink['extensions']> => listExtensions(this.connection);
  loadFolder = (path: string): Promise<string> => loadUnpacked(this.connection, path);
  uninstall = (id: string): Promise<void> => uninstall(this.connection, id);
  readonly prepare = unsupported;
  readonly developerMode = unsupported;
  readonly reload = unsupported;
  readonly setEnabled = unsupported;
  readonly pin = nothing;
  readonly pauseErrors = nothing;
  readonly loads = unknown;
  readonly evaluateOnExtensionsPage = unknown;

  close(): void {
    this.connection.dispose();
  }
}

/** A connection that this test opens. */
type OpenLink = PushLink & { close(): void };

/** Another provider of browsers than the connections of a window: one browser, one connection, which is opened again when it is lost. */
class OneBrowser implements PushBrowsers {
  readonly watched: string[] = [];
  #link: OpenLink | undefined;

  constructor(
    private readonly chromium: MemoryChromium,
    readonly clock: TestClock,
    private readonly open: (chromium: MemoryChromium, clock: TestClock) => Promise<OpenLink>,
  ) {}

  get wiring(): PushBrowsers['wiring'] {
    return { open: () => Promise.resolve(this.chromium), clock: this.clock };
  }

  async use<T>(_browser: Browser, act: (link: PushLink) => Promise<T>): Promise<T> {
    if (!this.#link?.isOpen) this.#link = await this.open(this.chromium, this.clock);
    return await act(this.#link);
  }

  last(): PushLink | undefined {
    return this.#link;
  }

  reopenWhenLost(): () => void {
    return () => undefined;
  }

  watchErrors(_browser: Browser, extensionId: string): void {
    this.watched.push(extensionId);
  }

  close(): void {
    this.#link?.close();
  }
}

describe('a push over another service and other connections than those of Sideload', function () {
  this.timeout(TEST_LIMIT_MS);
  let clock: TestClock;
  let service: MemoryService;
  let browsers: OneBrowser;
  let run: ScenarioRun;
  let chromium: MemoryChromium;

  const begin = (open: (chromium: MemoryChromium, clock: TestClock) => Promise<OpenLink>): void => {
    clock = new TestClock();
    service = new MemoryService(clock);
    chromium = new MemoryChromium(service);
    service.onRestart = () => {
      chromium.lose();
      for (const folder of service.names()) chromium.load(`${EXTENSIONS_ROOT}/${folder}`);
      return Promise.resolve();
    };
    browsers = new OneBrowser(chromium, clock, open);
    run = new ScenarioRun({
      service,
      browser: REPLAYED,
      connections: browsers,
      known: new KnownBrowsers(browsers),
      log: silentLogger,
      act: () => Promise.reject(new Error('There are no acts here.')),
      settle: () => clock.idle(),
    });
  };

  beforeEach(() => {
    begin((chromium) => chromium.link(clock));
  });

  afterEach(() => {
    browsers.close();
  });

  const push = async (number: number, how: How = {}): Promise<string> =>
    await clock.run(run.push(build(number), how).then(told), () => service.isBusy);

  it('begins to load after a restart before the browser has answered that it watches', async () => {
    const confirmRestart = (): Promise<'restart'> => Promise.resolve('restart');
    assert.equal(await push(1, { confirmRestart }), 'running 1.0 by load, worker running');
    const sent = chromium.received.map(({ method }) => method);
    const loadsAt = sent.lastIndexOf('Extensions.loadUnpacked');
    const attachesAt = sent.indexOf('Target.attachToTarget', sent.lastIndexOf('Target.createTarget', loadsAt));
    assert.ok(loadsAt < attachesAt, `${loadsAt} ${attachesAt}`);
  });

  for (const restartOptional of [true, false]) {
    it(`${restartOptional ? 'keeps a service that knows how from loading' : 'lets any other service load'} what it loads after the restart`, async () => {
      const confirmRestart = (): Promise<'restart'> => Promise.resolve('restart');
      await push(1, { confirmRestart, restartOptional, delivery: 'restart' });
      assert.deepEqual(service.uploads, [restartOptional ? 'without' : undefined]);
    });
  }

  it('has a service that knows how load the first build at later starts, and neither restarts the browser nor asks', async () => {
    const confirmRestart = (): Promise<never> => Promise.reject(new Error('It asks.'));
    service.onRestart = () => Promise.reject(new Error('It restarts.'));
    assert.equal(await push(1, { confirmRestart, restartOptional: true }), 'running 1.0 by load, worker running');
    assert.deepEqual(service.uploads, ['later']);
  });

  it('delivers in place, and the next build over it', async () => {
    assert.equal(await push(1), 'running 1.0 by load, worker running');
    assert.equal(await push(2), 'running 1.0 by reload, worker running');
    assert.deepEqual(service.names(), ['sample']);
    const id = MemoryChromium.idOf(`${EXTENSIONS_ROOT}/sample`);
    assert.deepEqual(browsers.watched, [id, id]);
  });

  it('delivers by a restart', async () => {
    const how: How = { confirmRestart: () => Promise.resolve('restart') };
    assert.equal(await push(1, how), 'running 1.0 by load, worker running');
    assert.deepEqual(
      service.calls.filter((call) => call.startsWith('upload')),
      ['uploadExtensionsToBrowser sample'],
    );
  });

  it('delivers to a browser over another link, which has nothing but DevTools: each build by a load', async () => {
    begin((chromium) => PlainLink.open(chromium, clock));
    assert.equal(await push(1), 'running 1.0 by load, worker running');
    assert.equal(await push(2), 'running 1.0 by load, worker running');
    assert.deepEqual(service.names(), ['sample']);
  });
});
