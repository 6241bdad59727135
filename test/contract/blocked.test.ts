import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrowserConnections } from '../../src/devtools/connection/browserConnections';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { listExtensions, loadUnpacked } from '../../src/devtools/protocol/loadedExtensions';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import type { TestEngine } from '../support/testEngine';
import type { KnownOutcome } from '../../src/push/outcome';
import { KnownBrowsers } from '../../src/push/known/knownBrowsers';
import { mayBeBlocked, unblock, type Unblocking } from '../../src/push/place/unblock';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/serviceErrors';
import { silentLogger } from '../../src/service/logger';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { extensionZip, zipOf } from './archives';
import { Display } from '../standins/display';
import { type KeyboardProxy, startKeyboardProxy } from './keyboardProxy';
import { eventually } from '../support/eventually';
import { askWorker, newEngine, pushOnce, zipOfOther } from './pushes';
import { TestService } from './service';
import { addressOf } from '../support/devToolsAddress';

/** The client gives up long before the service does: what stands still would stand still for 90 s. */
const LIMITS = { shortMs: 30_000, longMs: 8000 };

const WINDOW_LIMIT_MS = 30_000;

/** From the load of an extension to the end of its worker's first run. */
const WORKER_LIMIT_MS = 30_000;

const PATH = `${EXTENSIONS_ROOT}/sample`;
const ASIDE = `${EXTENSIONS_ROOT}/.aside`;

/** Chromium takes no comma at the end. */
const refusedZip = (): Promise<Buffer> =>
  zipOf({ 'manifest.json': '{ "manifest_version": 3, "name": "Refused", "version": "2", }' });

describe('a headful browser that refuses a build', function () {
  this.timeout(120_000);
  let display: Display;
  let folder: string;

  before(async function () {
    // Elsewhere there is no screen without a monitor.
    if (process.platform !== 'linux') this.skip();
    display = await Display.start();
    folder = await mkdtemp(join(tmpdir(), 'sideload-blocked-'));
  });
  after(async () => {
    await display.stop();
    await rm(folder, { recursive: true, force: true });
  });

  describe('in the local service', () => {
    let service: TestService;

    before(async () => {
      service = await TestService.start([], undefined, { ...process.env, DISPLAY: display.name });
    });
    after(() => service.stop());

    it('shows no dialog, reports the reason and keeps running', async () => {
      const client = new ServiceClient({
        baseUrl: parseBaseUrl(service.baseUrl),
        token: service.token,
        log: silentLogger,
      });
      const browser = await client.createBrowser({ headless: false, timeoutSeconds: 600 });
      await client.uploadExtensionsToBrowser(browser.id, [{ name: 'good', zip: await extensionZip(1) }]);
      const upload = client.uploadExtensionsToBrowser(browser.id, [{ name: 'bad', zip: await refusedZip() }]);
      await assert.rejects(upload, (error: unknown) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(mayBeBlocked(browser, error), false);
        return error.reasons.join().includes('trailing comma');
      });
      assert.ok(!(await display.titles()).includes('Error Loading Extension'));
      assert.deepEqual(await loadedPaths(browser), [`${EXTENSIONS_ROOT}/good`]);
      await client.close();
    });
  });

  describe('on a machine that shows error dialogs', () => {
    let service: TestService;
    let keyboard: KeyboardProxy;
    let client: ServiceClient;
    /** As the product waits: a start may take longer on a busy machine. */
    let patient: ServiceClient;
    let browser: Browser;

    before(async () => {
      const path = await browserThatShowsErrors();
      service = await TestService.start(['--browser', path], undefined, { ...process.env, DISPLAY: display.name });
    });
    after(() => service.stop());

    beforeEach(async () => {
      keyboard = await startKeyboardProxy(new URL(service.baseUrl), display);
      const access = { baseUrl: parseBaseUrl(keyboard.baseUrl), token: service.token, log: silentLogger };
      client = new ServiceClient({ ...access, limits: LIMITS });
      patient = new ServiceClient(access);
      browser = await patient.createBrowser({ headless: false, timeoutSeconds: 600 });
    });
    afterEach(async () => {
      await client.deleteBrowser(browser.id);
      await Promise.all([client.close(), patient.close()]);
      await keyboard.close();
    });

    const unblocking = (restoreFiles: () => Promise<void>): Promise<Unblocking> => {
      const connections = new BrowserConnections(client.baseUrl, () => 0);
      const known = new KnownBrowsers(connections);
      return unblock({ service: client, browser, connections, known, log: silentLogger }, restoreFiles);
    };

    /** Uploads a build that Chromium refuses; the window is there when it resolves. */
    async function block(name: string): Promise<void> {
      const upload = client.uploadExtensionsToBrowser(browser.id, [{ name, zip: await refusedZip() }]);
      await assert.rejects(upload, (error) => mayBeBlocked(browser, error));
      await eventually(
        'the window is shown',
        async () => (await display.titles()).includes('Error Loading Extension'),
        WINDOW_LIMIT_MS,
      );
    }

    /** That a later start of the browser meets no window. */
    async function mustRestart(): Promise<void> {
      await patient.uploadExtensionsToBrowser(browser.id, [{ name: 'other', zip: await zipOfOther() }]);
      assert.ok((await loadedPaths(browser)).includes(`${EXTENSIONS_ROOT}/other`));
      assert.ok(!(await display.titles()).includes('Error Loading Extension'));
    }

    it('answers again after the dialog was closed, and runs the previous build', async () => {
      await patient.uploadExtensionsToBrowser(browser.id, [{ name: 'sample', zip: await extensionZip(1) }]);
      await client.moveFile(browser.id, PATH, ASIDE);
      await block('sample');
      const putBack = async (): Promise<void> => {
        await client.deleteDirectory(browser.id, PATH);
        await client.moveFile(browser.id, ASIDE, PATH);
      };
      assert.equal(await unblocking(putBack), 'unblocked');
      await load(browser, PATH);
      assert.deepEqual(keyboard.pressed, ['Return']);
      assert.deepEqual(await loadedPaths(browser), [PATH]);
      const runs = async (): Promise<boolean> => (await askWorker(browser, 'self.build')) === 1;
      await eventually('the worker has run', runs, WORKER_LIMIT_MS);
      await mustRestart();
    });

    describe('and is pushed to', () => {
      let extension: string;
      let engine: TestEngine;

      beforeEach(async () => {
        extension = await mkdtemp(join(folder, 'extension-'));
        await mkdir(extension, { recursive: true });
        await writeFor('999');
        engine = newEngine();
      });
      afterEach(() => {
        engine.dispose();
      });

      /** As to a browser elsewhere, which restarts with the build: a load by the push itself meets no dialog. */
      const pushIt = (): Promise<KnownOutcome> =>
        pushOnce(engine, { service: client, browser, folder: extension }, { restarts: true });

      /** Writes an extension for this version of Chromium or a later one: where that is not out yet, the check only warns, and Chromium refuses it. */
      async function writeFor(version: string): Promise<void> {
        const manifest = { manifest_version: 3, name: 'Sample', version: '1', minimum_chrome_version: version };
        await writeFile(join(extension, 'manifest.json'), JSON.stringify(manifest));
      }

      it('is unblocked, starts without a dialog from then on, and runs the next good build', async () => {
        const outcome = await pushIt();
        assert.ok(outcome.kind === 'refusedByBrowser', JSON.stringify(outcome));
        assert.deepEqual(keyboard.pressed, ['Return']);
        await mustRestart();
        await writeFor('100');
        assert.equal((await pushIt()).kind, 'running');
      });

      it('is unblocked when somebody else has blocked it', async () => {
        await writeFor('100');
        assert.equal((await pushIt()).kind, 'running');
        await block('bad');
        assert.equal((await pushIt()).kind, 'running');
        assert.deepEqual(keyboard.pressed, ['Return']);
      });
    });

    it('gets no key press while it answers', async () => {
      await patient.uploadExtensionsToBrowser(browser.id, [{ name: 'sample', zip: await extensionZip(1) }]);
      const restoreFiles = (): Promise<void> => assert.fail('nothing is to be restoreFilesed');
      assert.equal(await unblocking(restoreFiles), 'answers');
      assert.deepEqual(keyboard.pressed, []);
    });
  });

  /** A program that starts the browser as a service does that lets it show errors. */
  async function browserThatShowsErrors(): Promise<string> {
    const browser = await findBrowser();
    assert(browser !== undefined, 'no browser was found');
    const program = join(folder, 'browser');
    const drop = 'for flag; do shift; [ "$flag" = --noerrdialogs ] || set -- "$@" "$flag"; done';
    await writeFile(program, `#!/bin/sh\n${drop}\nexec '${browser}' "$@"\n`);
    await chmod(program, 0o755);
    return program;
  }
});

/** Has the browser read a folder anew. */
async function load(browser: Browser, path: string): Promise<void> {
  const connection = await connectDevTools(addressOf(browser));
  try {
    await loadUnpacked(connection, path);
  } finally {
    connection.dispose();
  }
}

async function loadedPaths(browser: Browser): Promise<string[]> {
  const connection = await connectDevTools(addressOf(browser));
  try {
    return (await listExtensions(connection)).map(({ path }) => path);
  } finally {
    connection.dispose();
  }
}
