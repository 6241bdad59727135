// Covers: test/fixtures/sample
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { connectDevTools, type Connection } from '../../src/devtools/protocol/connect';
import { listExtensions, type LoadedExtension } from '../../src/devtools/protocol/loadedExtensions';
import type { TestEngine } from '../support/testEngine';
import type { KnownOutcome } from '../../src/push/outcome';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { askWorker, avoidRestart, newEngine, pushOnce, type PushChanges, zipOfOther } from './pushes';
import { TestService } from './service';
import { SharedBrowser } from './sharedBrowser';
import { addressOf } from '../support/devToolsAddress';

const SAMPLE = join(__dirname, '..', 'fixtures', 'sample');

export type Running = Extract<KnownOutcome, { kind: 'running' }>;

/**
 * A local service with one browser, which each test finds empty, and for each test a copy of the sample extension to push there.
 * Pushes bring it in without a restart, unless a test pushes in another way, such as `byUpload`. After a restart or a failure, the
 * next test gets another browser.
 */
export class PushStage {
  readonly service: TestService;
  readonly client: ServiceClient;
  readonly browser: Browser;
  readonly folder: string;
  /** The folder on the browser. Each test has another one, so that the extension has an id and a storage that no test has used. */
  readonly folderName: string;
  engine: TestEngine = newEngine();

  private constructor(service: TestService, client: ServiceClient, browser: Browser, folder: string) {
    this.service = service;
    this.client = client;
    this.browser = browser;
    this.folder = folder;
    this.folderName = basename(folder);
  }

  /**
   * Registers the hooks of a suite; the function that it returns gives the stage of the test that runs. `args` are for the service.
   */
  static forSuite(args: readonly string[] = []): () => PushStage {
    let service: TestService | undefined;
    let client: ServiceClient | undefined;
    let browser: SharedBrowser | undefined;
    let stage: PushStage | undefined;
    before(async () => {
      service = await TestService.start(args);
      client = new ServiceClient({ baseUrl: parseBaseUrl(service.baseUrl), token: service.token, log: silentLogger });
      browser = new SharedBrowser(client);
    });
    beforeEach(async () => {
      assert(service && client && browser);
      const folder = await mkdtemp(join(tmpdir(), 'sideload-stage-'));
      await cp(SAMPLE, folder, { recursive: true });
      stage = new PushStage(service, client, await browser.take(), folder);
    });
    afterEach(async function () {
      stage?.engine.dispose();
      if (this.currentTest?.state !== 'passed') await browser?.end();
      if (stage) await rm(stage.folder, { recursive: true, force: true });
      stage = undefined;
    });
    after(async () => {
      await browser?.end();
      await client?.close();
      await service?.stop();
    });
    return () => stage ?? assert.fail('only inside a test');
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.folder, name), text);
  }

  async editManifest(changes: Record<string, unknown>): Promise<void> {
    const manifest = JSON.parse(await readFile(join(this.folder, 'manifest.json'), 'utf8')) as Record<string, unknown>;
    await this.write('manifest.json', JSON.stringify({ ...manifest, ...changes }));
  }

  push(more: PushChanges = {}, signal?: AbortSignal): Promise<KnownOutcome> {
    const { client: service, browser, engine, folder, folderName } = this;
    const changes = { folderName, confirmRestart: avoidRestart, ...more };
    return pushOnce(engine, { service, browser, folder }, changes, signal);
  }

  async mustRun(more: PushChanges = {}): Promise<Running> {
    const outcome = await this.push(more);
    assert.equal(outcome.kind, 'running', JSON.stringify(outcome));
    return outcome;
  }

  /** The value of an expression in the extension's worker, asked for over a connection of the test's own. */
  ask(expression: string): Promise<unknown> {
    return askWorker(this.browser, expression);
  }

  /** Does something over a DevTools connection of the test's own. */
  async look<T>(act: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await connectDevTools(addressOf(this.browser));
    try {
      return await act(connection);
    } finally {
      connection.dispose();
    }
  }

  loaded(): Promise<LoadedExtension[]> {
    return this.look(listExtensions);
  }

  /** Restarts the browser as somebody else may do: by uploading another extension. */
  async restartBySomebodyElse(name = 'other'): Promise<void> {
    await this.client.uploadExtensionsToBrowser(this.browser.id, [{ name, zip: await zipOfOther() }]);
  }
}
