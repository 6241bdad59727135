// Covers: test/fixtures/console
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BrowserConsole } from '../../src/console/browserConsole';
import { ConsoleFeed } from '../../src/console/consoleFeed';
import type { ConsoleLine } from '../../src/console/consoleLine';
import { SourceLocations } from '../../src/console/sourceLocations';
import type { TestEngine } from '../support/testEngine';
import type { KnownOutcome } from '../../src/push/outcome';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { eventually } from '../support/eventually';
import { DevTools } from './devtools';
import { newEngine, pushOnce } from './pushes';
import { TestService } from './service';
import { addressOf } from '../support/devToolsAddress';

const FIXTURE = join(__dirname, '..', 'fixtures', 'console');

/** How long a line may take, in milliseconds. */
const LINE_LIMIT_MS = 30_000;
const LOOK_MS = 20;

/** How long a console that has attached to a tab may take until the browser reports the tab's requests to it, in milliseconds. */
const ENABLE_MS = 200;

/** Another extension and a web page: whatever they do, they name it so. */
export const STRANGER = 'stranger';

const STRANGER_SCRIPT = `
  console.log('stranger: log');
  setInterval(() => console.log('stranger: again'), 50);
  setTimeout(() => { throw new Error('stranger: thrown'); }, 100);
  fetch('/missing-by-stranger').catch(() => undefined);`;

/** A page of the web, in which content scripts run. */
const PAGE = `<!doctype html><title>web</title><script>${STRANGER_SCRIPT}</script>`;

/** One browser with the extension of the fixture, another extension, and a web page that is never quiet. */
export class ConsoleStage {
  engine: TestEngine = newEngine();
  extensionId = '';

  private constructor(
    private readonly service: TestService,
    private readonly client: ServiceClient,
    private readonly web: Server,
    readonly browser: Browser,
    /** The files of the extension, in a workspace folder of their own. */
    readonly root: string,
    readonly devtools: DevTools,
  ) {}

  static async open(): Promise<ConsoleStage> {
    const web = createServer((request, response) => {
      response.statusCode = request.url?.includes('missing') === true ? 404 : 200;
      response.setHeader('content-type', 'text/html').end(PAGE);
    });
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const service = await TestService.start();
    const client = new ServiceClient({
      baseUrl: parseBaseUrl(service.baseUrl),
      token: service.token,
      log: silentLogger,
    });
    const browser = await client.createBrowser({ headless: true, timeoutSeconds: 600 });
    const root = await mkdtemp(join(tmpdir(), 'sideload-console-'));
    await cp(FIXTURE, join(root, 'extension'), { recursive: true });
    // The first push restarts the browser.
    const engine = newEngine();
    await pushOnce(engine, { service: client, browser, folder: join(root, 'extension') });
    engine.dispose();
    const devtools = await DevTools.connect(browser.devToolsUrl);
    const stage = new ConsoleStage(service, client, web, browser, root, devtools);
    const pushed = await stage.push();
    assert(pushed.kind === 'running');
    stage.extensionId = pushed.extensionId;
    await stage.#loadStranger();
    return stage;
  }

  /** The address of the web page. */
  get webPage(): string {
    const address = this.web.address();
    assert(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}/page`;
  }

  /** Writes a file of the extension. */
  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.root, 'extension', name), text);
  }

  push(): Promise<KnownOutcome> {
    const { client: service, browser, engine, root } = this;
    return pushOnce(engine, { service, browser, folder: join(root, 'extension') });
  }

  async openTab(url: string): Promise<void> {
    await this.devtools.result('Target.createTarget', { url });
  }

  /** Opens an address in a tab that the console is attached to already: the first requests of a new tab come before it is. */
  async visit(url: string): Promise<void> {
    const { targetId } = await this.devtools.result('Target.createTarget', { url: 'about:blank' });
    await eventually('the console is attached', () => this.#isAttached(String(targetId)), LINE_LIMIT_MS);
    await delay(ENABLE_MS);
    await (await this.devtools.attachTo(String(targetId))).show(url);
  }

  /** The address of a page of the extension. */
  pageOf(page: string): string {
    return `chrome-extension://${this.extensionId}/${page}`;
  }

  openOwn(page: string): Promise<void> {
    return this.openTab(this.pageOf(page));
  }

  /** Evaluates an expression in the worker of the extension, once. */
  evaluate(expression: string): Promise<unknown> {
    return this.#evaluateIn('service_worker', this.extensionId, expression);
  }

  /** Evaluates an expression in the web page. */
  evaluateInPage(expression: string): Promise<unknown> {
    return this.#evaluateIn('page', this.webPage, expression);
  }

  /** Stops the worker of the extension, or starts it without an event for it. */
  async setWorker(state: 'stopped' | 'running'): Promise<void> {
    const { client, engine, browser, extensionId } = this;
    const isSo = await engine.connections.of(client).use(browser, async (link) => {
      const workers = await link.workers();
      return await (state === 'stopped' ? workers?.stop(extensionId) : workers?.start(extensionId));
    });
    assert.ok(isSo, `the worker is not ${state}`);
  }

  async #isAttached(targetId: string): Promise<boolean> {
    const { targetInfos } = await this.devtools.result('Target.getTargets');
    assert(Array.isArray(targetInfos));
    return (targetInfos as { targetId: string; attached: boolean }[]).some(
      (one) => one.targetId === targetId && one.attached,
    );
  }

  async #evaluateIn(wanted: string, inUrl: string, expression: string): Promise<unknown> {
    const { targetInfos } = await this.devtools.result('Target.getTargets');
    assert(Array.isArray(targetInfos));
    const target = (targetInfos as { type: string; url: string; targetId: string }[]).find(
      ({ type, url }) => type === wanted && url.includes(inUrl),
    );
    assert(target, `there is no ${wanted} at ${inUrl}`);
    return (await this.devtools.attachTo(target.targetId)).evaluate(expression);
  }

  /** Restarts the browser as somebody else may do. */
  async restart(zip: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.client.uploadExtensionsToBrowser(this.browser.id, [{ name: 'other', zip }]);
  }

  async close(): Promise<void> {
    this.engine.dispose();
    this.devtools.close();
    await this.client.deleteBrowser(this.browser.id);
    await this.client.close();
    await this.service.stop();
    this.web.closeAllConnections();
    this.web.close();
    await rm(this.root, { recursive: true, force: true });
  }

  async #loadStranger(): Promise<void> {
    const folder = join(this.root, STRANGER);
    await mkdir(folder);
    const manifest = {
      manifest_version: 3,
      name: STRANGER,
      version: '1',
      background: { service_worker: 'stranger.js' },
      content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['stranger.js'] }],
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'stranger.js'), STRANGER_SCRIPT);
    await this.devtools.result('Extensions.loadUnpacked', { path: folder });
  }
}

/** A console that keeps its lines. */
export class RecordedConsole {
  readonly lines: ConsoleLine[] = [];

  private constructor(
    private readonly console: BrowserConsole,
    private readonly feed: ConsoleFeed,
    lines: ConsoleLine[],
  ) {
    this.lines = lines;
  }

  /** `shown`: what an earlier one has shown. */
  static async open(stage: ConsoleStage, shown = new Map<string, number>()): Promise<RecordedConsole> {
    const lines: ConsoleLine[] = [];
    // A browser of a busy machine may take longer than a person should wait.
    const feed = new ConsoleFeed((line) => lines.push(line), LINE_LIMIT_MS);
    const { extensionId, root } = stage;
    feed.useLocations(new SourceLocations(extensionId, { folder: join(root, 'extension'), root }));
    const opened = await BrowserConsole.open(addressOf(stage.browser), {
      extensionId,
      pageName: (path) => (path === 'popup.html' ? 'popup' : path === 'options.html' ? 'options' : undefined),
      push: feed.push,
      addDropped: feed.addDropped,
      shown,
    });
    return new RecordedConsole(opened, feed, lines);
  }

  get ended(): Promise<void> {
    return this.console.ended;
  }

  /** Waits for a line with this text and returns it. */
  async line(pattern: RegExp): Promise<ConsoleLine> {
    const end = performance.now() + LINE_LIMIT_MS;
    for (;;) {
      const found = this.lines.find(({ text }) => pattern.test(text));
      if (found) return found;
      const all = this.lines.map(({ level, context, text }) => `${level} ${context}: ${text}`);
      assert.ok(performance.now() < end, `no line like ${pattern} in\n${all.slice(-60).join('\n')}`);
      await delay(LOOK_MS);
    }
  }

  /** The lines so far with this text. */
  having(pattern: RegExp): ConsoleLine[] {
    return this.lines.filter(({ text }) => pattern.test(text));
  }

  close(): void {
    this.console.close();
    this.feed.dispose();
  }
}
