import assert from 'node:assert/strict';
import { fieldOf } from '../../../../src/base/fields';
import { watchErrorsOf } from '../../../../src/devtools/inPage/errorCalls';
import { changeConfiguration } from '../../../../src/devtools/inPage/extensionsPageCalls';
import { MemoryPush } from '../../../standins/memoryPush';
import { argumentsOf, isCallOf } from '../../../support/calledInPage';
import { build, large } from '../../../transcripts/scenarios';

const FIRST = 'running 1.0 by load, worker running';
const RELOADED = 'running 1.0 by reload, worker running';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const TEST_LIMIT_MS = 30_000;

describe('a build whose files are in place', function () {
  this.timeout(TEST_LIMIT_MS);
  let at: MemoryPush;

  beforeEach(() => {
    at = new MemoryPush();
  });

  afterEach(() => {
    at.end();
  });

  it('runs, and leaves nothing beside itself', async () => {
    assert.equal(await at.push(build(1)), FIRST);
    assert.equal(await at.push(build(2)), RELOADED);
    assert.deepEqual(at.service.names(), ['sample']);
    assert.deepEqual(at.logged, []);
  });

  it('is loaded again when the worker runs another script, and then runs', async () => {
    await at.push(build(1));
    at.chromium.workers.push('other');
    assert.equal(await at.push(build(2)), FIRST);
    assert.deepEqual(at.chromium.acts.slice(-3), ['reload', 'pause errors', 'load sample']);
    assert.match(at.logged.join(), /runs another worker\.js .*Loading the extension again/);
  });

  it('is loaded again when Chromium refuses the worker’s API calls, in another process', async () => {
    await at.push(build(1));
    at.chromium.workers.push('apiRefused');
    const hidden = at.chromium.received.filter(({ method }) => method === 'Target.closeTarget').length;
    assert.equal(await at.push(build(2)), FIRST);
    assert.match(at.logged.join(), /refuses its calls/);
    const closed = at.chromium.received.filter(({ method }) => method === 'Target.closeTarget').length;
    assert.ok(closed > hidden, 'The page that keeps the process is closed.');
  });

  it('is loaded again when the worker runs and does not get its script', async () => {
    at.chromium.workers.push('noScript');
    assert.equal(await at.push(build(1)), FIRST);
    assert.match(at.logged.join(), /did not start\. Loading the extension again/);
    assert.ok(at.clock.now() < 10_000, `${at.clock.now()} ms`);
  });

  it('is said not to run when its worker gets no script the second time, either', async () => {
    at.chromium.workers.push('noScript', 'noScript');
    assert.match(await at.push(build(1)), /^wrong: .*did not start/);
  });

  it('is loaded again when the pages of the first load are back, so that they are kept over the second one', async () => {
    await at.push(build(1));
    const page = `chrome-extension://${at.chromium.extensions[0]?.id ?? ''}/page.html`;
    at.chromium.show('tab', page);
    await at.clock.advance(1);
    at.chromium.on('Page.getNavigationHistory', () => ({ currentIndex: 0, entries: [{ id: 1 }] }));
    let loadAgain: () => void = () => undefined;
    const isLoadedAgain = new Promise<void>((resolve) => {
      loadAgain = resolve;
    });
    at.run.place.log = { ...at.run.place.log, info: loadAgain };
    at.chromium.on('Page.navigateToHistoryEntry', async ({ target = '' }) => {
      await isLoadedAgain;
      // So many answers of the browser later.
      for (let answers = 0; answers < 20; answers++) await at.clock.delay(1);
      at.chromium.navigate(target, page);
      return {};
    });
    at.chromium.workers.push('other');
    at.chromium.acts.length = 0;
    assert.equal(await at.push(build(2)), FIRST);
    // The push does not wait for the page.
    await at.clock.advance(1000);
    const shown = at.chromium.acts.filter((act) => !act.includes('errors')).map((act) => act.replace(page, 'the page'));
    const over = (load: string): string[] => ['show about:blank in tab', load, 'show the page in tab'];
    assert.deepEqual(shown, [...over('reload'), ...over('load sample')]);
  });

  it('is loaded again only once', async () => {
    await at.push(build(1));
    at.chromium.workers.push('other', 'other');
    assert.match(await at.push(build(2)), /^wrong: .* another worker\.js/);
    assert.equal(at.chromium.acts.filter((act) => act === 'load sample').length, 2);
  });

  it('is not loaded again for an error of the worker, which the outcome names', async () => {
    await at.push(build(1));
    at.chromium.workers.push('throws');
    assert.equal(await at.push(build(2)), 'worker failed: Error: at the start at 1:2');
    assert.equal(at.chromium.acts.filter((act) => act === 'load sample').length, 1);
  });

  it('is known by the scripts that its own worker has run: a change of a new one needs a reload', async () => {
    await at.push(build(1));
    const worker = { 'worker.js': "importScripts('lib.js');\n" };
    await at.push(build(2, { ...worker, 'lib.js': '1;\n' }));
    assert.equal(await at.push(build(2, { ...worker, 'lib.js': '2;\n' })), RELOADED);
  });

  it('that has failed is no base for the next one: that is loaded, whatever has changed', async () => {
    await at.push(build(1));
    at.chromium.workers.push('throws');
    await at.push(build(2));
    assert.equal(await at.push(build(3)), FIRST);
  });

  it('is named by its id when another copy runs, too, so that the doctor finds both', async () => {
    await at.wait(at.run.uploadByHand('by-hand', build(1)));
    const outcome = await at.wait(at.run.push(build(2)));
    const [copy, own] = at.chromium.extensions;
    assert.ok(outcome.kind === 'doubled', outcome.kind);
    assert.deepEqual([outcome.extensionId, outcome.others.map(({ id }) => id)], [own?.id, [copy?.id]]);
  });

  it('of a large extension keeps the previous one as a spare when it runs', async () => {
    await at.push(large(1));
    assert.deepEqual(at.service.names(), ['sample']);
    await at.push(large(2));
    assert.deepEqual(at.service.names(), ['(spare)', 'sample']);
  });

  it('of a large extension keeps no spare when it does not run', async () => {
    await at.push(large(1));
    at.chromium.workers.push('throws');
    await at.push(large(2));
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('of a small extension keeps no spare', async () => {
    await at.push(build(1));
    await at.push(build(2));
    assert.deepEqual(at.service.names(), ['sample']);
  });

  it('has its errors reported again, whether it runs or not', async () => {
    const watches = (): number =>
      at.chromium.received.filter(({ params }) => isCallOf(params['expression'], watchErrorsOf)).length;
    await at.push(build(1));
    assert.equal(watches(), 1);
    at.chromium.workers.push('throws');
    await at.push(build(2));
    assert.equal(watches(), 2);
    at.chromium.refusals.push('no', 'no');
    await at.push(build(3));
    assert.equal(watches(), 3);
  });

  it('is pinned to the toolbar at its first push alone', async () => {
    const pins = (): number =>
      at.chromium.received.filter(({ params }) => {
        const [change] = argumentsOf(params['expression'], changeConfiguration) ?? [];
        return fieldOf(change, 'pinnedToToolbar') === true;
      }).length;
    await at.push(build(1));
    await at.push(build(2));
    assert.equal(pins(), 1);
  });

  it('keeps the process of the extension for the next reload, unless it has no worker', async () => {
    await at.push(build(1));
    const { background: _, ...manifest } = build(1).manifest;
    const hidden = (): string[] =>
      at.chromium.received
        .filter(({ method }) => method === 'Page.navigate')
        .map(({ params }) => String(params['url']).replace(/\w{32}/, 'ID'));
    assert.deepEqual(hidden(), ['chrome-extension://ID/manifest.json', 'about:blank']);
    const other = new MemoryPush();
    await other.push({ manifest, files: { 'content.js': '0;\n' } });
    assert.deepEqual(
      other.chromium.received.filter(({ method }) => method === 'Page.navigate'),
      [],
    );
    other.end();
  });

  it('after a restart is verified when its worker has come', async () => {
    assert.equal(await at.push(build(1), { confirmRestart: () => Promise.resolve('restart') }), FIRST);
    assert.ok(at.service.calls.includes('uploadExtensionsToBrowser sample'));
  });

  it('is reported as running after a restart once its worker is detached from, so that it goes on without a debugger', async () => {
    const order: string[] = [];
    at.chromium.on('Target.detachFromTarget', async ({ params }) => {
      await at.clock.delay(50);
      if (String(params['sessionId']).startsWith('auto-worker')) order.push('left');
      return {};
    });
    at.run.place.settle = () => {
      order.push('told');
      return at.settle();
    };
    assert.equal(await at.push(build(1), { confirmRestart: () => Promise.resolve('restart') }), FIRST);
    assert.equal(order.at(-1), 'told');
    assert.ok(order.includes('left'), order.join());
  });
});
