import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserOutcome, PushOrder } from '../../../src/push/pushRun';
import { silentLogger } from '../../../src/service/logger';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { TestClock } from '../../support/testClock';
import { TestEngine } from '../../support/testEngine';
import { USUAL_ORDER } from '../../support/usualOrder';
import { REPLAYED } from '../../transcripts/replayScenario';
import { large } from '../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

describe('the list of a spare', function () {
  this.timeout(LIMIT_MS);
  let root: string;
  let clock: TestClock;
  let service: MemoryService;
  let engine: TestEngine;
  let state: string | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-listing-'));
    state = process.env['XDG_STATE_HOME'];
    process.env['XDG_STATE_HOME'] = join(root, 'state');
    clock = new TestClock();
    service = new MemoryService(clock);
    const chromium = new MemoryChromium(service);
    const wiring = { open: () => Promise.resolve(chromium), clock };
    engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, wiring });
    for (const number of [1, 2]) assert.equal(await push(number), 'running');
    assert.deepEqual(service.names(), ['(spare)', 'sample']);
    service.calls.length = 0;
  });

  afterEach(async () => {
    engine.dispose();
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
    await rm(root, { recursive: true, force: true });
  });

  /** Writes a build into a folder and pushes it; resolves to how that has ended. */
  async function push(number: number, { manifest = large(number).manifest, name = 'extension' } = {}): Promise<string> {
    const folder = join(root, name);
    const files = { ...large(number).files, 'manifest.json': JSON.stringify(manifest) };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const order: PushOrder = {
      ...USUAL_ORDER,
      service,
      browsers: [REPLAYED],
      isLocal: true,
      folder,
      folderName: 'sample',
      confirmRestart: () => Promise.resolve('inPlace'),
    };
    const isBusy = (): boolean => service.isBusy;
    const [pushed] = await clock.run<BrowserOutcome[]>(engine.push(order), isBusy);
    do await clock.idle();
    while (service.isBusy);
    return pushed?.outcome.kind ?? '';
  }

  /** Changes the spare, as no push does. */
  function disturb(): void {
    const spare = Object.keys(service.tree()).find((path) => path.startsWith('.sideload-spare-')) ?? assert.fail();
    service.write({ [`${spare.slice(0, spare.indexOf('/'))}/lib/foreign.js`]: 'globalThis.FOREIGN = 1;' });
  }

  const uploads = (): string[] => service.calls.filter((call) => call.startsWith('uploadZip'));

  it('is asked for while the build is prepared, once', async () => {
    assert.equal(await push(3), 'running');
    const lists = service.calls.filter((call) => call.startsWith('listFiles'));
    assert.equal(lists.length, 2, lists.join());
    assert.deepEqual(service.calls.slice(0, 2), lists);
    assert.deepEqual(uploads(), ['uploadZip (spare)']);
  });

  it('shows what others have changed in it since it was made', async () => {
    disturb();
    assert.equal(await push(3), 'running');
    assert.deepEqual(uploads(), ['uploadZip (spare)', 'uploadZip (new)']);
    assert.ok(!('sample/lib/foreign.js' in service.tree()));
  });

  it('counts for one push alone: a refused one has asked before the change', async () => {
    const broken = { ...large(3).manifest, version: 'none' };
    assert.equal(await push(3, { manifest: broken }), 'refusedByCheck');
    assert.notDeepEqual(service.calls, []);
    disturb();
    assert.equal(await push(4), 'running');
    assert.deepEqual(uploads(), ['uploadZip (spare)', 'uploadZip (new)']);
    assert.ok(!('sample/lib/foreign.js' in service.tree()));
  });

  it('counts for the folder alone whose push has asked for it', async () => {
    const broken = { ...large(3).manifest, version: 'none' };
    assert.equal(await push(3, { manifest: broken }), 'refusedByCheck');
    disturb();
    assert.equal(await push(4, { name: 'copy' }), 'running');
    assert.deepEqual(uploads(), ['uploadZip (spare)', 'uploadZip (new)']);
    assert.ok(!('sample/lib/foreign.js' in service.tree()));
  });

  it('that does not come has the whole extension sent', async () => {
    service.faults.push({ operation: 'listFiles', kind: 'before' });
    assert.equal(await push(3), 'running');
    assert.ok(uploads().includes('uploadZip (new)'), uploads().join());
    assert.equal(service.tree()['sample/worker.js'], 'globalThis.BUILD = 3;\n');
  });
});
