import assert from 'node:assert/strict';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import { MemoryPush } from '../../standins/memoryPush';
import type { ServiceFault } from '../../standins/memoryService';
import { build, large } from '../../transcripts/scenarios';

const RELOADED = 'running 1.0 by reload, worker running';

/** How long the service takes to answer, and when the person cancels, in milliseconds. */
const [SLOW_MS, CANCELLED_MS] = [60_000, 50];

/** Operations that change files. */
const CHANGES = /^(upload|move|delete)/;

/** After a first push: pushes to a browser whose build this window knows. */
async function afterFirst(faults: readonly ServiceFault[] = []): Promise<MemoryPush> {
  const at = new MemoryPush(faults);
  await at.push(build(1));
  at.service.calls.length = 0;
  at.chromium.received.length = 0;
  at.chromium.acts.length = 0;
  return at;
}

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('a build over the one that this window has pushed', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  afterEach(() => {
    at.end();
  });

  it('goes out before the browser has said that the previous one still runs', async () => {
    at = await afterFirst([{ operation: 'fileInfo', kind: 'slow', ms: 100 }]);
    assert.equal(await at.push(build(2)), RELOADED);
    assert.ok(
      at.service.calls.indexOf('uploadZip (new)') < at.service.calls.indexOf('moveFile sample (old)'),
      at.service.calls.join(),
    );
    assert.deepEqual(at.service.calls.slice(0, 2).sort(), ['fileInfo sample', 'uploadZip (new)']);
  });

  it('is cancelled at once while the service is slow to say what is there, whether anything was sent or not', async () => {
    for (const [next, how] of [
      [build(2), {}],
      [build(1), { skipUnchanged: true }],
    ] as const) {
      at = await afterFirst();
      at.service.faults.push({ operation: 'fileInfo', kind: 'slow', ms: SLOW_MS });
      const abort = new AbortController();
      at.clock.after(CANCELLED_MS, () => abort.abort());
      assert.equal(await at.push(next, how, abort.signal), 'cancelled');
      assert.ok(at.clock.now() < SLOW_MS, `${at.clock.now()}`);
      assert.deepEqual(at.service.names(), ['sample']);
      at.end();
    }
  });

  it('replaces files only when that was confirmed', async () => {
    at = await afterFirst();
    at.service.faults.push({
      operation: 'fileInfo',
      kind: 'late',
      ms: 100,
      act: () => {
        assert.ok(!at.service.calls.some((call) => call.startsWith('moveFile')));
      },
    });
    assert.equal(await at.push(build(2)), RELOADED);
    assert.equal(at.service.faults[0]?.times, 0);
    assert.ok(at.clock.now() >= 100);
  });

  it('is not placed so when the extension was disabled or removed, or somebody else has loaded it again', async () => {
    const changes: ((chromium: MemoryPush['chromium']) => void)[] = [
      ({ extensions }) => extensions.forEach((one) => (one.enabled = false)),
      ({ extensions }) => extensions.splice(0),
      (chromium) => void chromium.load(`${EXTENSIONS_ROOT}/sample`),
    ];
    for (const change of changes) {
      at = await afterFirst();
      change(at.chromium);
      assert.match(await at.push(build(2)), /^running 1\.0 by load/);
      // What was sent ahead is gone, before the push looks for leftovers.
      assert.deepEqual(at.service.names(), ['sample']);
      const { calls } = at.service;
      assert.ok(calls.slice(0, calls.indexOf('listFiles /')).includes('deleteDirectory (new)'), calls.join());
      at.end();
    }
  });

  it('leaves no page attached to when the previous one no longer runs', async () => {
    at = await afterFirst();
    at.chromium.show('own', `chrome-extension://${at.chromium.extensions[0]?.id ?? ''}/page.html`);
    at.chromium.on('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [{ id: 1 }] }));
    await at.settle();
    const sessions = at.chromium.sessions;
    at.chromium.extensions.splice(0);
    assert.match(await at.push(build(2)), /^running 1\.0 by load/);
    await at.settle();
    assert.equal(at.chromium.sessions, sessions);
  });

  it('leaves no page attached to when its folders cannot be swapped', async () => {
    at = await afterFirst();
    at.chromium.show('own', `chrome-extension://${at.chromium.extensions[0]?.id ?? ''}/page.html`);
    at.chromium.on('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [{ id: 1 }] }));
    await at.settle();
    const sessions = at.chromium.sessions;
    at.service.faults.push({ operation: 'moveFile', kind: 'before', times: 9 });
    assert.equal(await at.push(build(2)), 'rejected: The connection broke.');
    await at.settle();
    assert.equal(at.chromium.sessions, sessions);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
  });

  it('leaves no page attached to when the files do not get through', async () => {
    at = await afterFirst([{ operation: 'uploadZip', path: 'sideload-new', kind: 'before' }]);
    at.chromium.show('tab', 'http://127.0.0.1/');
    at.chromium.show('own', `chrome-extension://${at.chromium.extensions[0]?.id ?? ''}/page.html`);
    at.chromium.on('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [{ id: 1 }] }));
    await at.settle();
    const sessions = at.chromium.sessions;
    assert.equal(await at.push(build(2)), 'rejected: The connection broke.');
    await at.settle();
    assert.equal(at.chromium.sessions, sessions);
    assert.deepEqual(at.chromium.acts, []);
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('is given back when the browser does not say what is open', async () => {
    at = await afterFirst();
    at.chromium.on('Target.setAutoAttach', () => new Error('gone'));
    assert.match(await at.push(build(2)), /^rejected: .*gone/);
    await at.settle();
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('sends nothing when it is the same and is to be skipped', async () => {
    at = await afterFirst();
    assert.equal(await at.push(build(1), { skipUnchanged: true }), 'unchanged');
    assert.deepEqual(
      at.service.calls.filter((call) => CHANGES.test(call)),
      [],
    );
  });

  it('of a large extension is made of the spare, which is used once', async () => {
    at = await afterFirst();
    for (const number of [1, 2, 3, 4]) await at.push(large(number));
    const uploads = at.service.calls.filter((call) => call.startsWith('uploadZip'));
    assert.deepEqual(uploads, ['uploadZip (new)', 'uploadZip (spare)', 'uploadZip (spare)', 'uploadZip (spare)']);
    assert.deepEqual(at.service.names(), ['(spare)', 'sample']);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 4;\n');
  });

  it('that has become small discards the spare', async () => {
    at = await afterFirst();
    await at.push(large(1));
    await at.push(large(2));
    assert.deepEqual(at.service.names(), ['(spare)', 'sample']);
    await at.push(build(3));
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('by an upload with a restart discards the spare, too', async () => {
    at = await afterFirst();
    await at.push(large(1));
    await at.push(large(2));
    assert.match(
      await at.push(large(3), { delivery: 'restart', confirmRestart: () => Promise.resolve('restart') }),
      /^running 1\.0 by load/,
    );
    assert.ok(!at.service.names().includes('(spare)'), at.service.names().join());
  });

  it('is discarded by a cancellation before the files are swapped', async () => {
    const abort = new AbortController();
    at = await afterFirst([
      { operation: 'uploadZip', path: 'sideload-new', kind: 'late', ms: 10, act: () => abort.abort() },
    ]);
    assert.equal(await at.push(build(2), {}, abort.signal), 'cancelled');
    await at.settle();
    assert.deepEqual(at.service.names(), ['sample']);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
    assert.deepEqual(at.chromium.acts, []);
  });

  it('is discarded by a cancellation while the browser says that the previous one still runs', async () => {
    const abort = new AbortController();
    at = await afterFirst();
    at.service.faults.push({ operation: 'fileInfo', kind: 'slow', ms: 50 });
    at.clock.after(20, () => {
      abort.abort();
    });
    assert.equal(await at.push(build(2), {}, abort.signal), 'cancelled');
    await at.settle();
    assert.deepEqual(at.service.names(), ['sample']);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
    assert.deepEqual(at.chromium.acts, []);
  });

  it('is reloaded on demand, also when only a page of it has changed, or nothing', async () => {
    at = await afterFirst();
    const page = (text: string): Record<string, string> => ({ 'page.html': text });
    await at.push(build(2, page('1')));
    assert.match(await at.push(build(2, page('2'))), /by pages/);
    assert.equal(await at.push(build(2, page('3')), { mustReload: true }), RELOADED);
    assert.equal(await at.push(build(2, page('3')), { mustReload: true }), RELOADED);
  });
});
