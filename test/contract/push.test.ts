import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../../src/archive/select';
import { connectDevTools } from '../../src/devtools/connect';
import type { PushEngine } from '../../src/push/engine';
import { removeCopies } from '../../src/push/copies';
import type { PushOutcome, PushStep } from '../../src/push/outcome';
import { parseBaseUrl } from '../../src/service/address';
import { ServiceClient } from '../../src/service/client';
import { ServiceError } from '../../src/service/errors';
import { silentLogger } from '../../src/service/log';
import { EXTENSIONS_ROOT, type BrowserSession } from '../../src/service/model';
import { eventually } from '../support/eventually';
import { askWorker, newEngine, pushOnce, type PushChanges, zipOf, zipOfOther } from './pushes';
import { TestService } from './service';

/** Chromium's words about a package whose message catalogues were left out. */
const NO_LOCALES = 'Default locale was specified, but _locales subtree is missing.';

/** How long the removal of a build's folder may take, in milliseconds. */
const CLEANUP_LIMIT_MS = 30_000;

/** How long a question waits for its answer, in milliseconds. */
const QUESTION_MS = 3000;

const SAMPLE = join(__dirname, '..', 'fixtures', 'sample');

describe('a push to a real Chromium', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: ServiceClient;
  /** A browser to which nothing has been sent. */
  let unused: BrowserSession | undefined;
  let session: BrowserSession;
  let folder: string;
  let engine: PushEngine;

  before(async () => {
    service = await TestService.start();
    client = new ServiceClient({
      baseUrl: parseBaseUrl(service.baseUrl),
      token: service.token,
      log: silentLogger,
    });
  });

  after(async () => {
    if (unused) await client.deleteBrowser(unused.session_id);
    await client.close();
    await service.stop();
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-push-'));
    await cp(SAMPLE, folder, { recursive: true });
    engine = newEngine();
    session = unused ?? (await client.createBrowser({ headless: true, timeout_seconds: 600 }));
    unused = undefined;
  });

  afterEach(async function () {
    engine.dispose();
    // A push that sends nothing leaves no files; the next test can then use the same browser.
    if (this.currentTest?.state === 'passed' && (await leftovers()).length === 0) unused = session;
    else await client.deleteBrowser(session.session_id);
    await rm(folder, { recursive: true, force: true });
  });

  function pushFolder(more: PushChanges = {}, signal?: AbortSignal): Promise<PushOutcome> {
    return pushOnce(engine, { service: client, session, folder }, more, signal);
  }

  async function mustRun(more: PushChanges = {}): Promise<Extract<PushOutcome, { outcome: 'running' }>> {
    const outcome = await pushFolder(more);
    assert.equal(outcome.outcome, 'running', JSON.stringify(outcome));
    return outcome;
  }

  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);

  async function editManifest(edit: (manifest: Record<string, unknown>) => void): Promise<void> {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, unknown>;
    edit(manifest);
    await write('manifest.json', JSON.stringify(manifest, null, 2));
  }

  /** Has the manifest need its message catalogues: without them in the archive, Chromium refuses what the check lets pass. */
  async function useMessages(): Promise<void> {
    await mkdir(join(folder, '_locales', 'en'), { recursive: true });
    await write('_locales/en/messages.json', '{ "title": { "message": "Sample" } }');
    await editManifest((manifest) => {
      manifest['default_locale'] = 'en';
    });
  }

  const inWorker = (expression: string): Promise<unknown> => askWorker(session, expression);

  /** What lies in the browser's extension root, which is not there before the first upload. */
  async function leftovers(): Promise<string[]> {
    const entries = await client.listFiles(session.session_id, EXTENSIONS_ROOT).catch((error: unknown) => {
      if (error instanceof ServiceError && error.kind === 'notFound') return [];
      throw error;
    });
    return entries.map(({ name }) => name).sort();
  }

  /** What was aside is removed once the push has told its end. */
  async function onlyTheFolderIsLeft(): Promise<void> {
    const isAlone = async (): Promise<boolean> => (await leftovers()).join() === 'sample';
    await eventually('nothing but the folder is left', isAlone, CLEANUP_LIMIT_MS);
  }

  it('runs the new worker after each push, under the same id and without a restart after the first', async () => {
    const steps: PushStep[] = [];
    await write('background.js', 'globalThis.BUILD = 1;');
    const first = await mustRun({ onStep: (step) => steps.push(step) });
    assert.equal(await inWorker('BUILD'), 1);
    for (const build of [2, 3]) {
      await write('background.js', `globalThis.BUILD = ${build};`);
      const next = await mustRun({ onStep: (step) => steps.push(step) });
      assert.equal(next.extensionId, first.extensionId);
      assert.equal(await inWorker('BUILD'), build);
    }
    const restarts = steps.flatMap((step) => (step.step === 'uploaded' ? [step.restarted] : []));
    assert.deepEqual(restarts, [true, false, false]);
    await onlyTheFolderIsLeft();
  });

  it('verifies scripts whose decoded text differs from their bytes', async () => {
    await write('lib.js', '\uFEFFglobalThis.LIB = "ä€😀";');
    await write('background.js', '\uFEFFimportScripts("lib.js"); globalThis.BUILD = "ü";');
    await mustRun();
    assert.equal(await inWorker('BUILD + LIB'), 'üä€😀');
  });

  it('verifies a worker that instantiates WebAssembly, and reloads it when only the module has changed', async () => {
    await editManifest((manifest) => {
      manifest['content_security_policy'] = { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" };
    });
    await writeFile(join(folder, 'answer.wasm'), moduleReturning(41));
    await write(
      'background.js',
      `globalThis.answer = WebAssembly.instantiateStreaming(fetch('answer.wasm')).then(({ instance }) => instance.exports.f());
      self.addEventListener('install', (event) => event.waitUntil(answer));`,
    );
    await mustRun();
    assert.equal(await inWorker('answer'), 41);
    await writeFile(join(folder, 'answer.wasm'), moduleReturning(42));
    await mustRun();
    assert.equal(await inWorker('answer'), 42);
  });

  it('pushes an extension without a worker', async () => {
    await editManifest((manifest) => {
      delete manifest['background'];
      manifest['version'] = '2.0.1';
    });
    const outcome = await mustRun();
    assert.deepEqual([outcome.worker, outcome.version], ['none', '2.0.1']);
  });

  it('is not stopped by debugger statements, at which nobody looks', async () => {
    await write('background.js', 'debugger; globalThis.BUILD = 3; setTimeout(() => { debugger; BUILD = 4; }, 0);');
    await mustRun();
    await eventually('the worker has run on', async () => (await inWorker('BUILD')) === 4, CLEANUP_LIMIT_MS);
  });

  it('reports the error of a worker that does not start, and recovers with the next good build', async () => {
    await mustRun();
    await write(
      'background.js',
      'globalThis.BUILD = 4;\n\nfunction start() {\n  throw new Error("no start");\n}\nstart();\n',
    );
    const failed = await pushFolder();
    assert.equal(failed.outcome, 'workerFailed', JSON.stringify(failed));
    assert.ok(failed.outcome === 'workerFailed');
    const [fault] = failed.faults;
    assert.match(fault?.text ?? '', /no start/);
    assert.match(fault?.url ?? '', /background\.js$/);
    assert.equal(fault?.line, 3);
    await write('background.js', 'globalThis.BUILD = 5;');
    await mustRun();
    assert.equal(await inWorker('BUILD'), 5);
  });

  it('reports the error that a worker throws in the first build', async () => {
    await write('background.js', 'globalThis.missing.part();');
    const failed = await pushFolder();
    assert.ok(failed.outcome === 'workerFailed', JSON.stringify(failed));
    assert.match(failed.faults[0]?.text ?? '', /TypeError/);
  });

  it("keeps the previous build running when Chromium refuses the new one, and repeats Chromium's text", async () => {
    await write('background.js', 'globalThis.BUILD = 6;');
    await mustRun();
    await write('background.js', 'globalThis.BUILD = 7;');
    await useMessages();
    const refused = await pushFolder({ exclude: ['_locales'] });
    assert.deepEqual(refused, {
      outcome: 'refusedByBrowser',
      chromium: NO_LOCALES,
    });
    assert.equal(await inWorker('BUILD'), 6);
    await onlyTheFolderIsLeft();
    await mustRun();
    assert.equal(await inWorker('BUILD'), 7);
  });

  it("repeats Chromium's text when it refuses the first build, and leaves no files behind", async () => {
    await useMessages();
    const refused = await pushFolder({ exclude: ['_locales'] });
    assert.ok(refused.outcome === 'refusedByBrowser', JSON.stringify(refused));
    assert.equal(refused.chromium, NO_LOCALES);
    await mustRun();
  });

  it('sends nothing when the manifest has errors', async () => {
    await editManifest((manifest) => {
      delete manifest['version'];
    });
    const steps: string[] = [];
    const outcome = await pushFolder({ onStep: ({ step }) => steps.push(step) });
    assert.ok(outcome.outcome === 'refusedByCheck');
    assert.deepEqual(
      outcome.findings.map(({ rule }) => rule),
      ['R-VERSION'],
    );
    assert.deepEqual(steps, ['checking', 'checked']);
  });

  it('names a file that the manifest needs and the settings exclude', async () => {
    const outcome = await pushFolder({ exclude: ['content.js'] });
    assert.ok(outcome.outcome === 'leftOut', JSON.stringify(outcome));
    assert.deepEqual(
      outcome.files.map(({ path }) => path),
      ['content.js'],
    );
    assert.deepEqual(await leftovers(), []);
  });

  it('does not send a development build, which loads its code from this machine, to a remote browser', async () => {
    await write('background.js', 'importScripts("http://localhost:5173/background.js");');
    const outcome = await pushFolder({ isLocal: false });
    assert.deepEqual(outcome, {
      outcome: 'needsLocalhost',
      uses: [{ what: 'code', file: 'background.js', line: 1, address: 'http://localhost:5173' }],
    });
    assert.deepEqual(await leftovers(), []);
  });

  it('sends a build that only opens connections to this machine, and says that they will fail', async () => {
    await write('background.js', 'globalThis.BUILD = 1; const open = () => new WebSocket("ws://localhost:1012");');
    const steps: PushStep[] = [];
    await mustRun({ isLocal: false, onStep: (step) => steps.push(step) });
    const uses = [{ what: 'connection', file: 'background.js', line: 1, address: 'ws://localhost:1012' }];
    assert.deepEqual(
      steps.find(({ step }) => step === 'foundConnections'),
      { step: 'foundConnections', uses },
    );
  });

  it('replaces a folder that an earlier, refused upload left behind', async () => {
    await client.uploadZip(session.session_id, await zipOf({ 'stale.txt': 'x' }), `${EXTENSIONS_ROOT}/sample`);
    await mustRun();
    await onlyTheFolderIsLeft();
  });

  it('does not report running while another copy of the extension is enabled, and removes it on request', async () => {
    const { bytes } = await packFiles(folder, (await selectFiles(folder)).files);
    const keyed = { manifest_version: 3, name: 'Sideload Sample', version: '1', key: 'AAAA' };
    await client.uploadExtensionsToBrowser(session.session_id, [
      { name: 'by-hand', zip: bytes },
      { name: 'keyed', zip: await zipOf({ 'manifest.json': JSON.stringify(keyed) }) },
    ]);
    const outcome = await pushFolder();
    assert.ok(outcome.outcome === 'doubled', JSON.stringify(outcome));
    assert.equal(outcome.others.length, 2);
    await removeCopies({ service: client, session, browsers: engine.browsers, log: silentLogger }, outcome.others);
    await mustRun();
    // Also after a restart, for which their folders are still on the command line.
    await client.uploadExtensionsToBrowser(session.session_id, [{ name: 'other', zip: await zipOfOther() }]);
    const again = await mustRun();
    assert.ok(again.reload === 'load');
  });

  it('skips content that runs already, and asks before a restart', async () => {
    const declined = await pushFolder({ confirmRestart: () => Promise.resolve('no' as const) });
    assert.deepEqual(declined, { outcome: 'cancelled' });
    const { digest } = await mustRun();
    assert.deepEqual(await pushFolder({ skipUnchanged: true }), { outcome: 'unchanged', digest });
  });

  it('sends nothing when it is cancelled while it packs', async () => {
    const abort = new AbortController();
    const outcome = await pushFolder(
      {
        onStep: ({ step }) => {
          if (step === 'packing') abort.abort();
        },
      },
      abort.signal,
    );
    assert.deepEqual(outcome, { outcome: 'cancelled' });
    assert.deepEqual(await leftovers(), []);
  });

  it('tells what happened when it is cancelled too late: in the restart, and after the files were replaced', async () => {
    const cancelAt = async (isLate: (step: PushStep) => boolean): Promise<PushOutcome> => {
      const abort = new AbortController();
      let isTooLate = false;
      const outcome = await pushFolder(
        {
          onStep: (step) => {
            if (isLate(step)) abort.abort();
          },
          onEnd: (end) => {
            ({ isTooLate } = end);
            return Promise.resolve();
          },
        },
        abort.signal,
      );
      assert.equal(isTooLate, true);
      return outcome;
    };
    const restarted = await cancelAt((step) => step.step === 'uploading' && step.sent >= step.bytes);
    assert.equal(restarted.outcome, 'running', JSON.stringify(restarted));
    await writeFile(join(folder, 'background.js'), 'globalThis.build = "late";');
    const inPlace = await cancelAt(({ step }) => step === 'verifying');
    assert.equal(inPlace.outcome, 'running', JSON.stringify(inPlace));
    assert.equal(await askWorker(session, 'build'), 'late');
  });

  it('does not count the time for which a question waits as the duration', async () => {
    const slowly = async (): Promise<'restart'> => {
      await delay(QUESTION_MS);
      return 'restart';
    };
    const started = performance.now();
    const outcome = await pushFolder({ confirmRestart: slowly });
    assert.ok(outcome.outcome === 'running');
    assert.ok(outcome.ms <= performance.now() - started - QUESTION_MS, String(outcome.ms));
  });

  it('brings the extension in without a restart where that is answered', async () => {
    const browser = await connectDevTools(session.cdp_ws_url);
    try {
      const outcome = await pushFolder({ confirmRestart: () => Promise.resolve('inPlace' as const) });
      assert.equal(outcome.outcome, 'running');
      await browser.send('Browser.getVersion');
    } finally {
      browser.dispose();
    }
  });

  it('reports that the browser no longer exists instead of hanging', async () => {
    const gone = await client.createBrowser({ headless: true });
    await client.deleteBrowser(gone.session_id);
    await assert.rejects(pushFolder({ session: gone }), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.doesNotMatch(error.message, /token=|ws:/);
      return ['DevToolsError', 'ServiceError'].includes(error.name);
    });
  });
});

/** A WebAssembly module whose export `f` returns a number below 64. */
function moduleReturning(value: number): Uint8Array {
  const type = [1, 5, 1, 0x60, 0, 1, 0x7f];
  const functions = [3, 2, 1, 0];
  const exports = [7, 5, 1, 1, 0x66, 0, 0];
  const code = [10, 6, 1, 4, 0, 0x41, value, 0x0b];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...type, ...functions, ...exports, ...code]);
}
