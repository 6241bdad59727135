import assert from 'node:assert/strict';
import type { BrowserLink } from '../../../src/devtools/connection/link';
import { KnownBrowsers } from '../../../src/push/known/knownBrowsers';
import type { PushBrowsers } from '../../../src/push/pushBrowsers';
import { silentLogger } from '../../../src/service/logger';
import type { Browser } from '../../../src/service/model';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import { TestClock } from '../../support/testClock';
import { REPLAYED } from '../../transcripts/replayScenario';
import { type How, ScenarioRun, told } from '../../transcripts/scenario';
import { build } from '../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

/** Another provider of browsers than the connections of a window: one browser, one connection, which is opened again when it is lost. */
class OneBrowser implements PushBrowsers {
  readonly watched: string[] = [];
  #link: BrowserLink | undefined;

  constructor(
    private readonly chromium: MemoryChromium,
    readonly clock: TestClock,
  ) {}

  get parts(): PushBrowsers['parts'] {
    return { open: () => Promise.resolve(this.chromium), clock: this.clock };
  }

  async use<T>(_session: Browser, act: (link: BrowserLink) => Promise<T>): Promise<T> {
    if (!this.#link?.isOpen) this.#link = await this.chromium.link(this.clock);
    return await act(this.#link);
  }

  last(): BrowserLink | undefined {
    return this.#link;
  }

  watchErrors(_session: Browser, extensionId: string): void {
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

  beforeEach(() => {
    clock = new TestClock();
    service = new MemoryService(clock);
    const chromium = new MemoryChromium(service);
    service.onRestart = () => {
      chromium.lose();
      for (const folder of service.names()) chromium.load(`${EXTENSIONS_ROOT}/${folder}`);
      return Promise.resolve();
    };
    browsers = new OneBrowser(chromium, clock);
    run = new ScenarioRun({
      service,
      session: REPLAYED,
      connections: browsers,
      known: new KnownBrowsers(browsers),
      log: silentLogger,
      act: () => Promise.reject(new Error('There are no acts here.')),
      settle: () => clock.idle(),
    });
  });

  afterEach(() => {
    browsers.close();
  });

  const push = async (number: number, how: How = {}): Promise<string> =>
    await clock.run(run.push(build(number), how).then(told), () => service.isBusy);

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
});
