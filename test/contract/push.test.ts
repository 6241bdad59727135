import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packFiles } from '../support/packFiles';
import { selectFiles } from '../support/selectFiles';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import type { KnownOutcome, PushStep } from '../../src/push/outcome';
import { ServiceError } from '../../src/service/serviceErrors';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { eventually } from '../support/eventually';
import { byUpload, mayRestart, newEngine, type PushChanges, zipOf } from './pushes';
import { PushStage, type Running } from './pushStage';
import { addressOf } from '../support/devToolsAddress';

/** Chromium's words about a package whose message catalogues were left out. */
const LATER_VERSION = 'This extension requires Chromium version 999 or greater.';

/** How long the removal of a build's folder may take, in milliseconds. */
const CLEANUP_LIMIT_MS = 30_000;

/** How long a question waits for its answer, in milliseconds. */
const QUESTION_MS = 3000;

describe('a push to a real Chromium', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  const pushFolder = (more?: PushChanges, signal?: AbortSignal): Promise<KnownOutcome> => stage().push(more, signal);
  const mustRun = (more?: PushChanges): Promise<Running> => stage().mustRun(more);
  const write = (name: string, text: string): Promise<void> => stage().write(name, text);
  const inWorker = (expression: string): Promise<unknown> => stage().ask(expression);

  /** Has Chromium refuse what the check only warns of: that the extension is for later versions. */
  const refuse = (): Promise<void> => stage().editManifest({ minimum_chrome_version: '999' });
  const accept = (): Promise<void> => stage().editManifest({ minimum_chrome_version: undefined });

  /** What lies in the browser's extension root, which is not there before the first upload. */
  async function leftovers(): Promise<string[]> {
    const { client, browser } = stage();
    const entries = await client.listFiles(browser.id, EXTENSIONS_ROOT).catch((error: unknown) => {
      if (error instanceof ServiceError && error.kind === 'notFound') return [];
      throw error;
    });
    return entries.map(({ name }) => name).sort();
  }

  /** What was aside is removed once the push has told its end. */
  async function onlyTheFolderIsLeft(): Promise<void> {
    const isAlone = async (): Promise<boolean> => (await leftovers()).join() === stage().folderName;
    await eventually('nothing but the folder is left', isAlone, CLEANUP_LIMIT_MS);
  }

  it('runs the new worker after each push, under the same id and without a restart after the first', async () => {
    const steps: PushStep[] = [];
    await write('background.js', 'globalThis.BUILD = 1;');
    const first = await mustRun({ ...byUpload, onStep: (step) => steps.push(step) });
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
    await stage().editManifest({
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'" },
    });
    const module = join(stage().folder, 'answer.wasm');
    await writeFile(module, moduleReturning(41));
    await write(
      'background.js',
      `globalThis.answer = WebAssembly.instantiateStreaming(fetch('answer.wasm')).then(({ instance }) => instance.exports.f());
      self.addEventListener('install', (event) => event.waitUntil(answer));`,
    );
    await mustRun();
    assert.equal(await inWorker('answer'), 41);
    await writeFile(module, moduleReturning(42));
    await mustRun();
    assert.equal(await inWorker('answer'), 42);
  });

  it('pushes an extension without a worker', async () => {
    await stage().editManifest({ background: undefined, version: '2.0.1' });
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
    assert.equal(failed.kind, 'workerFailed', JSON.stringify(failed));
    assert.ok(failed.kind === 'workerFailed');
    const [fault] = failed.faults;
    assert.match(fault?.text ?? '', /no start/);
    assert.match(fault?.url ?? '', /background\.js$/);
    assert.equal(fault?.line, 3);
    await write('background.js', 'globalThis.BUILD = 5;');
    await mustRun();
    assert.equal(await inWorker('BUILD'), 5);
  });

  const ways: [string, PushChanges][] = [
    ['without a restart', { confirmRestart: () => Promise.reject(new Error('It asks.')) }],
    ['where each push restarts the browser', { delivery: 'restart', confirmRestart: mayRestart }],
  ];
  for (const [way, changes] of ways)
    it(`installs the first build ${way}, and has it after the next restart`, async () => {
      await write(
        'background.js',
        'globalThis.seen = []; chrome.runtime.onInstalled.addListener(({ reason }) => seen.push(reason));',
      );
      await mustRun(changes);
      const hasSeen = async (): Promise<boolean> => (await inWorker('seen.length')) !== 0;
      await eventually('the worker has heard of it', hasSeen, CLEANUP_LIMIT_MS);
      assert.equal(await inWorker('seen.join()'), 'install');
      await stage().restartBySomebodyElse();
      const isLoaded = async (): Promise<boolean> => (await stage().loaded()).length === 2;
      await eventually('the browser has loaded it again', isLoaded, CLEANUP_LIMIT_MS);
    });

  it('reports the error that a worker throws in the first build', async () => {
    await write('background.js', 'globalThis.missing.part();');
    const failed = await pushFolder(byUpload);
    assert.ok(failed.kind === 'workerFailed', JSON.stringify(failed));
    assert.match(failed.faults[0]?.text ?? '', /TypeError/);
  });

  it("keeps the previous build running when Chromium refuses the new one, and repeats Chromium's text", async () => {
    await write('background.js', 'globalThis.BUILD = 6;');
    await mustRun();
    await write('background.js', 'globalThis.BUILD = 7;');
    await refuse();
    const refused = await pushFolder();
    assert.deepEqual(refused, {
      kind: 'refusedByBrowser',
      chromium: LATER_VERSION,
    });
    assert.equal(await inWorker('BUILD'), 6);
    await onlyTheFolderIsLeft();
    await accept();
    await mustRun();
    assert.equal(await inWorker('BUILD'), 7);
  });

  it("repeats Chromium's text when it refuses the first build, and leaves an extension that does nothing in its place", async () => {
    await refuse();
    const refused = await pushFolder();
    assert.ok(refused.kind === 'refusedByBrowser', JSON.stringify(refused));
    assert.equal(refused.chromium, LATER_VERSION);
    assert.deepEqual(await stage().loaded(), []);
    await stage().restartBySomebodyElse();
    const names = (await stage().loaded()).map(({ name }) => name);
    assert.deepEqual(names.sort(), ['Other', 'Removed by Sideload']);
    await accept();
    await mustRun();
    assert.deepEqual((await stage().loaded()).map(({ name }) => name).sort(), ['Other', 'Sideload Sample']);
  });

  it('sends nothing when the manifest has errors', async () => {
    await stage().editManifest({ version: undefined });
    const steps: string[] = [];
    const outcome = await pushFolder({ onStep: ({ step }) => steps.push(step) });
    assert.ok(outcome.kind === 'refusedByCheck');
    assert.deepEqual(
      outcome.findings.map(({ rule }) => rule),
      ['R-VERSION'],
    );
    assert.deepEqual(steps, ['checking', 'checked']);
  });

  it('names a file that the manifest needs and the settings exclude', async () => {
    const outcome = await pushFolder({ exclude: ['content.js'] });
    assert.ok(outcome.kind === 'leftOut', JSON.stringify(outcome));
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
      kind: 'needsLocalhost',
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
    const { client, browser, folderName } = stage();
    await client.uploadZip(browser.id, await zipOf({ 'stale.txt': 'x' }), `${EXTENSIONS_ROOT}/${folderName}`);
    await mustRun(byUpload);
    await onlyTheFolderIsLeft();
  });

  it('does not report running while another copy of the extension is enabled, and removes it on request', async () => {
    const { client, browser, folder, engine } = stage();
    const { zip } = await packFiles(folder, (await selectFiles(folder)).files);
    const keyed = { manifest_version: 3, name: 'Sideload Sample', version: '1', key: 'AAAA' };
    await client.uploadExtensionsToBrowser(browser.id, [
      { name: 'by-hand', zip: await zip() },
      { name: 'keyed', zip: await zipOf({ 'manifest.json': JSON.stringify(keyed) }) },
    ]);
    const outcome = await pushFolder(byUpload);
    assert.ok(outcome.kind === 'doubled', JSON.stringify(outcome));
    assert.equal(outcome.others.length, 2);
    assert.ok(outcome.others.every(({ id }) => id !== outcome.extensionId));
    await engine.remove(client, browser, outcome.others);
    await mustRun();
    // Also after a restart, for which their folders are still on the command line.
    await stage().restartBySomebodyElse();
    const again = await mustRun();
    assert.ok(again.reload === 'load');
  });

  it('does not report running while what the folder ran as under its former name is enabled', async () => {
    const { client, browser } = stage();
    // A folder on the browser that has the name of the manifest.
    const ofItsName = { folderName: '' };
    const { extensionId } = await mustRun(ofItsName);
    // Also after the editor was closed in between.
    stage().engine.dispose();
    stage().engine = newEngine();
    await stage().editManifest({ name: 'Renamed' });
    const outcome = await pushFolder(ofItsName);
    assert.ok(outcome.kind === 'doubled', JSON.stringify(outcome));
    assert.deepEqual([outcome.name, outcome.others.map(({ id }) => id)], ['Renamed', [extensionId]]);
    await stage().engine.remove(client, browser, outcome.others);
    await mustRun(ofItsName);
  });

  it('skips content that runs already, and asks before a restart', async () => {
    const declined = await pushFolder({ restarts: true, confirmRestart: () => Promise.resolve('no' as const) });
    assert.deepEqual(declined, { kind: 'cancelled', why: 'declined' });
    const { digest } = await mustRun();
    assert.deepEqual(await pushFolder({ skipUnchanged: true }), { kind: 'unchanged', digest });
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
    assert.deepEqual(outcome, { kind: 'cancelled' });
    assert.deepEqual(await leftovers(), []);
  });

  it('tells what happened when it is cancelled too late: in the restart, and after the files were replaced', async () => {
    const cancelAt = async (isLate: (step: PushStep) => boolean): Promise<KnownOutcome> => {
      const abort = new AbortController();
      let isTooLate = false;
      const outcome = await pushFolder(
        {
          ...byUpload,
          onStep: (step) => {
            if (isLate(step)) abort.abort();
          },
          onEnd: (browserOutcome) => {
            ({ isTooLate } = browserOutcome);
            return Promise.resolve();
          },
        },
        abort.signal,
      );
      assert.equal(isTooLate, true);
      return outcome;
    };
    const restarted = await cancelAt((step) => step.step === 'uploading' && step.sent >= step.bytes);
    assert.equal(restarted.kind, 'running', JSON.stringify(restarted));
    await write('background.js', 'globalThis.build = "late";');
    const inPlace = await cancelAt(({ step }) => step === 'verifying');
    assert.equal(inPlace.kind, 'running', JSON.stringify(inPlace));
    assert.equal(await inWorker('build'), 'late');
  });

  it('does not count the time for which a question waits as the duration', async () => {
    const slowly = async (): Promise<'inPlace'> => {
      await delay(QUESTION_MS);
      return 'inPlace';
    };
    const started = performance.now();
    const outcome = await pushFolder({ restarts: true, confirmRestart: slowly });
    assert.ok(outcome.kind === 'running');
    assert.ok(outcome.ms <= performance.now() - started - QUESTION_MS, String(outcome.ms));
  });

  it('brings the extension into a browser elsewhere without a restart where that is answered', async () => {
    const browser = await connectDevTools(addressOf(stage().browser));
    try {
      const confirmRestart = (): Promise<'inPlace'> => Promise.resolve('inPlace');
      const outcome = await pushFolder({ restarts: true, confirmRestart });
      assert.equal(outcome.kind, 'running');
      await browser.send('Browser.getVersion');
    } finally {
      browser.dispose();
    }
  });

  it('reports that the browser no longer exists instead of hanging', async () => {
    const { client } = stage();
    const gone = await client.createBrowser({ headless: true });
    await client.deleteBrowser(gone.id);
    await assert.rejects(pushFolder({ browser: gone }), (error: unknown) => {
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
