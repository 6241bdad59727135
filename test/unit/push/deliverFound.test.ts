import assert from 'node:assert/strict';
import { switchOnDeveloperMode } from '../../../src/devtools/inPage/extensionsPageCalls';
import { siblingPrefix } from '../../../src/push/place/place';
import { MemoryPush } from '../../standins/memoryPush';
import { isCallOf } from '../../support/calledInPage';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import type { How } from '../../transcripts/scenario';
import { build } from '../../transcripts/scenarios';

const FIRST = 'running 1.0 by load, worker running';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('a delivery to a browser of which this window knows nothing', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  beforeEach(() => {
    at = new MemoryPush();
  });

  afterEach(() => {
    at.end();
  });

  /** The requests that bring files. */
  const uploads = (): string[] => at.service.calls.filter((call) => call.startsWith('uploadZip'));

  it('removes what interrupted pushes have left, and spares of others', async () => {
    for (const sibling of ['new', 'old', 'spare'] as const) {
      at.service.write({ [`${siblingPrefix('sample', sibling)}left/worker.js`]: '0;\n' });
    }
    at.service.write({ 'sample/worker.js': '0;\n', 'other/worker.js': '0;\n' });
    assert.equal(await at.push(build(1)), FIRST);
    assert.deepEqual(at.service.names(), ['other', 'sample']);
  });

  it('goes on in the folder of a push that could not be verified, of which a second copy would run after a restart', async () => {
    at.service.write({ 'sample.sideload-mx4rwu68/worker.js': '0;\n', 'sample.sideload-mx4rwu69/worker.js': '0;\n' });
    assert.equal(await at.push(build(1)), FIRST);
    const paths = at.chromium.extensions.map(({ path }) => path);
    assert.deepEqual(paths, [`${EXTENSIONS_ROOT}/sample.sideload-mx4rwu69`]);
    assert.equal(at.service.tree()['sample/worker.js'], undefined);
  });

  it('lists the folder of extensions once', async () => {
    const lists = (): number => at.service.calls.filter((call) => call.startsWith('listFiles')).length;
    at.service.write({ 'other/worker.js': '0;\n' });
    await at.push(build(1));
    assert.equal(lists(), 1);
  });

  it('does not send the next build ahead of the question when a worker has failed since', async () => {
    await at.push(build(1));
    at.chromium.load(`${EXTENSIONS_ROOT}/sample`);
    at.chromium.workers.push('throws');
    assert.match(await at.push(build(2)), /^worker failed/);
    at.service.calls.length = 0;
    assert.equal(await at.push(build(3)), FIRST);
    assert.deepEqual(uploads(), ['uploadZip (new)']);
  });

  it('loads the build at once after a restart, and lets its worker run in Developer mode', async () => {
    assert.equal(
      await at.push(build(1), { delivery: 'restart', confirmRestart: () => Promise.resolve('restart') }),
      FIRST,
    );
    const { received } = at.chromium;
    const loaded = received.findLastIndex(({ method }) => method === 'Extensions.loadUnpacked');
    const prepared = received.findLastIndex(({ params }) => isCallOf(params['expression'], switchOnDeveloperMode));
    const ran = received.findLastIndex(({ method }) => method === 'Runtime.runIfWaitingForDebugger');
    assert.ok(loaded < prepared && prepared < ran, `${loaded}, ${prepared}, ${ran}`);
  });

  it('that Chromium does not answer leaves no files of a build that nothing runs', async () => {
    const { uploadZip } = at.service;
    at.service.uploadZip = async (...request) => {
      await uploadZip(...request);
      at.chromium.lose();
      at.isBlocked = true;
    };
    assert.match(await at.push(build(1)), /^rejected: .*no answer/);
    assert.deepEqual(at.service.names(), []);
  });

  it('that is cancelled while Chromium loads the build ends with what has become of it, not as cancelled', async () => {
    const abort = new AbortController();
    at.chromium.on('Extensions.loadUnpacked', () => {
      abort.abort();
      at.chromium.lose();
      return undefined;
    });
    assert.match(await at.push(build(1), {}, abort.signal), /^rejected: .*connection was lost/);
  });
});

describe('a delivery of an extension that must not read files of the machine', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  beforeEach(() => {
    at = new MemoryPush();
  });

  afterEach(() => {
    at.end();
  });

  it('takes that access before the first statement of the build', async () => {
    assert.equal(await at.push(build(1), { withoutFiles: true }), FIRST);
    assert.deepEqual([...at.chromium.fileAccess], []);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
  });

  it('leaves neither the build nor what stood in for it when Chromium refuses it', async () => {
    at.chromium.on('Extensions.loadUnpacked', ({ params }) =>
      at.service.tree()['sample/worker.js'] === undefined
        ? { id: at.chromium.load(String(params['path'])) }
        : new Error('Chromium says no'),
    );
    assert.equal(await at.push(build(1), { withoutFiles: true }), 'refused: Chromium says no');
    assert.deepEqual(at.chromium.extensions, []);
    // The mark by which the local service loads the folder at no start stays.
    assert.deepEqual(at.service.names(), ['(no)']);
  });
});

describe('a delivery of an extension that must not read files of the machine, over one that a person has pushed', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  beforeEach(async () => {
    at = new MemoryPush();
    await at.push(build(1));
    // Over a disabled one, what stands in for the build is loaded.
    for (const extension of at.chromium.extensions) extension.enabled = false;
  });

  afterEach(() => {
    at.end();
  });

  it('brings that one back when the build does not come, with its id, which has its storage', async () => {
    const [before] = at.chromium.extensions;
    at.chromium.on('Extensions.loadUnpacked', ({ params }) =>
      at.service.tree()['sample/worker.js']?.includes('BUILD = 2') === true
        ? new Error('Chromium says no')
        : { id: at.chromium.load(String(params['path'])) },
    );
    const uninstalled: unknown[] = [];
    at.chromium.on('Extensions.uninstall', ({ params }) => {
      uninstalled.push(params['id']);
      return {};
    });
    assert.equal(await at.push(build(2), { withoutFiles: true }), 'refused: Chromium says no');
    assert.deepEqual(uninstalled, []);
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 1;\n');
    assert.deepEqual(at.service.names(), ['(no)', 'sample']);
    assert.deepEqual(
      at.chromium.extensions.map(({ id, version }) => [id, version]),
      [[before?.id, '1.0']],
    );
  });

  it('leaves nothing of that one when the build has come', async () => {
    assert.match(await at.push(build(2), { withoutFiles: true }), /^running 1\.0/);
    assert.deepEqual(at.service.names(), ['(no)', 'sample']);
  });
});

describe('a delivery by a restart to a browser that people see', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  beforeEach(async () => {
    at = new MemoryPush();
    at.run.place.browser = { ...at.run.place.browser, headless: false };
    await at.push(build(1));
    // Chromium shows a dialog about the files, which is closed by a key.
    at.service.onRestart = () => {
      at.chromium.lose();
      at.isBlocked = true;
      return Promise.resolve();
    };
  });

  afterEach(() => {
    at.end();
  });

  const restart: How = { delivery: 'restart', confirmRestart: () => Promise.resolve('restart') };

  it('that shows a dialog about it restores the files before it closes that, or each start would show it again', async () => {
    let script: string | undefined;
    const act = (): void => {
      script = at.service.tree()['sample/worker.js'];
      at.isBlocked = false;
    };
    at.service.faults.push({ operation: 'pressKey', kind: 'late', act });
    assert.match(await at.push(build(2), restart), /^refused: .*"Error Loading Extension", which was closed/);
    assert.equal(script, 'globalThis.BUILD = 1;\n');
    assert.ok(at.service.calls.includes('pressKey Return'), at.service.calls.join());
  });

  it('gets no key and keeps the files when it answers after all', async () => {
    at.clock.after(3000, () => {
      at.isBlocked = false;
      at.chromium.load(`${EXTENSIONS_ROOT}/sample`);
    });
    assert.equal(await at.push(build(2), restart), FIRST);
    assert.ok(!at.service.calls.some((call) => call.startsWith('pressKey')));
    assert.equal(at.service.tree()['sample/worker.js'], 'globalThis.BUILD = 2;\n');
  });

  it('fails when no key helps, and says that the browser does not answer', async () => {
    assert.match(await at.push(build(2), restart), /^rejected: .*no answer/);
    assert.equal(at.service.calls.filter((call) => call === 'pressKey Return').length, 10);
  });
});
