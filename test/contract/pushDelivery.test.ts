import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectDevTools } from '../../src/devtools/protocol/connect';
import { listExtensions } from '../../src/devtools/protocol/loadedExtensions';
import { BrowserLink } from '../../src/devtools/connection/link';
import type { KnownOutcome } from '../../src/push/outcome';
import type { PushOrder } from '../../src/push/pushRun';
import { byUpload, mayRestart, type PushChanges } from './pushes';
import type { Browser } from '../../src/service/model';
import { EXTENSIONS_ROOT } from '../support/extensionsRoot';
import { PushStage } from './pushStage';
import { addressOf } from '../support/devToolsAddress';

/** Nothing listens there. */
const NOWHERE = 'ws://127.0.0.1:9/';

/** A worker that keeps a list of its builds in the extension's storage. */
const worker = (build: number): string => `globalThis.BUILD = ${build};
globalThis.stored = chrome.storage.local.get({ builds: [] }).then(async ({ builds }) => {
  if (!builds.includes(${build})) builds.push(${build});
  await chrome.storage.local.set({ builds });
  return builds.join();
});`;

describe('the delivery of a push', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  beforeEach(() => stage().editManifest({ permissions: ['storage'] }));

  async function pushBuild(build: number, more: PushChanges = {}): Promise<KnownOutcome> {
    await stage().write('background.js', worker(build));
    return await stage().push(more);
  }

  async function mustRun(build: number, more: PushChanges = {}): Promise<void> {
    const outcome = await pushBuild(build, more);
    assert.equal(outcome.kind, 'running', JSON.stringify(outcome));
    assert.equal(await stage().ask('BUILD'), build);
    await stage().ask('stored');
  }

  /** The browser's DevTools as a network shows them that lets websockets not pass. */
  const unreachable = (): Browser => ({ ...stage().browser, devToolsUrl: NOWHERE });

  describe('without DevTools', () => {
    it('runs the new worker after each restart, with its id and storage kept, and reports it as unverified', async () => {
      const ids = new Set<string>();
      for (const build of [1, 2, 3]) {
        const outcome = await pushBuild(build, { browser: unreachable() });
        assert.equal(outcome.kind, 'unverified', JSON.stringify(outcome));
        assert.equal(await stage().ask('BUILD'), build);
        // What the worker has not written yet when Chromium is killed is lost, and so is a worker that is not active yet.
        await stage().ask('stored');
        await stage().ask("self.serviceWorker.state === 'activated' || undefined");
        const [extension, ...others] = await stage().loaded();
        ids.add(extension?.id ?? '');
        assert.deepEqual(others, []);
      }
      assert.equal(ids.size, 1);
      assert.equal(await stage().ask('stored'), '1,2,3');
    });

    it("does not change the user's manifest, and keeps a key in it", async () => {
      const before = await readFile(join(stage().folder, 'manifest.json'), 'utf8');
      await pushBuild(1, { browser: unreachable() });
      assert.equal(await readFile(join(stage().folder, 'manifest.json'), 'utf8'), before);
      assert.equal(typeof (await manifestInBrowser())['key'], 'string');
      await stage().editManifest({ key: 'AAAA' });
      await pushBuild(2, { browser: unreachable() });
      assert.equal((await manifestInBrowser())['key'], 'AAAA');
    });

    it('asks before a restart, and does not deliver the same content again', async () => {
      const declined = await pushBuild(1, {
        browser: unreachable(),
        confirmRestart: () => Promise.resolve('no' as const),
      });
      assert.deepEqual(declined, { kind: 'cancelled', why: 'declined' });
      const first = await pushBuild(1, { browser: unreachable() });
      assert.ok(first.kind === 'unverified');
      const again = await pushBuild(1, { browser: unreachable(), skipUnchanged: true });
      assert.equal(again.kind, 'unchanged');
    });

    it('continues in place, in the folder that runs, once DevTools can be reached', async () => {
      await pushBuild(1, { browser: unreachable() });
      await stage().ask('stored');
      const [before] = await stage().loaded();
      stage().engine.connections.of(stage().client).dispose();
      await mustRun(2, { confirmRestart: () => Promise.reject(new Error('no restart is needed')) });
      assert.deepEqual(await stage().loaded(), [before]);
      assert.equal(await stage().ask('stored'), '1,2');
    });

    it('does not restart a browser whose DevTools was reached before', async () => {
      await mustRun(1);
      const kept = unreachable();
      stage().engine.connections.of(stage().client).close(stage().browser);
      await assert.rejects(pushBuild(2, { browser: kept }), { name: 'DevToolsError' });
      assert.equal(await stage().ask('BUILD'), 1);
    });
  });

  it('"inPlace" never restarts the browser, from the first push on', async () => {
    const confirmRestart = (): Promise<never> => Promise.reject(new Error('asked for a restart'));
    const connection = await connectDevTools(addressOf(stage().browser));
    try {
      await mustRun(1, { delivery: 'inPlace', confirmRestart });
      await mustRun(2, { delivery: 'inPlace', confirmRestart });
      await connection.send('Browser.getVersion');
    } finally {
      connection.dispose();
    }
  });

  it('"inPlace" reports that it needs DevTools', async () => {
    await assert.rejects(pushBuild(1, { delivery: 'inPlace', browser: unreachable() }), { name: 'DevToolsError' });
    assert.deepEqual(await stage().loaded(), []);
  });

  it('"restart" restarts for each push and still runs the new worker, under the same id', async () => {
    const restarts: boolean[] = [];
    const onStep: PushOrder['onStep'] = (step) => {
      if (step.step === 'uploaded') restarts.push(step.restarted);
    };
    await mustRun(1, { delivery: 'restart', confirmRestart: mayRestart, onStep });
    const before = await stage().loaded();
    await mustRun(2, { delivery: 'restart', confirmRestart: mayRestart, onStep });
    assert.deepEqual(restarts, [true, true]);
    assert.deepEqual(await stage().loaded(), before);
    assert.equal(await stage().ask('stored'), '1,2');
  });

  it('enables an extension again that somebody has disabled', async () => {
    await mustRun(1);
    await switchOff();
    await mustRun(2);
    assert.deepEqual(
      (await stage().loaded()).map(({ enabled }) => enabled),
      [true],
    );
  });

  it('detects that the browser was restarted while the connection was closed', async () => {
    await mustRun(1, byUpload);
    stage().engine.connections.of(stage().client).close(stage().browser);
    await stage().restartBySomebodyElse();
    // Not "unchanged" and not a bare reload: what was seen before says nothing about the new process.
    const outcome = await pushBuild(1);
    assert.ok(outcome.kind === 'running' && outcome.reload === 'load', JSON.stringify(outcome));
  });

  async function switchOff(): Promise<void> {
    const link = await BrowserLink.open(addressOf(stage().browser));
    try {
      const [extension] = await listExtensions(link.connection);
      assert.ok(extension && (await link.setEnabled(extension.id, false)));
    } finally {
      link.close();
    }
    assert.deepEqual(
      (await stage().loaded()).map(({ enabled }) => enabled),
      [false],
    );
  }

  async function manifestInBrowser(): Promise<Record<string, unknown>> {
    const { client, browser } = stage();
    const entries = await client.listFiles(browser.id, EXTENSIONS_ROOT);
    const latest =
      entries
        .map(({ name }) => name)
        .sort()
        .at(-1) ?? assert.fail('no folder');
    const bytes = await client.readFile(browser.id, `${EXTENSIONS_ROOT}/${latest}/manifest.json`);
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
  }
});
