import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BrowserOutcome, PushOrder } from '../../../src/push/pushRun';
import { silentLogger } from '../../../src/service/logger';
import { EXTENSIONS_ROOT } from '../../support/extensionsRoot';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { TestClock } from '../../support/testClock';
import { TestEngine } from '../../support/testEngine';
import { USUAL_ORDER } from '../../support/usualOrder';
import { REPLAYED } from '../../transcripts/replayScenario';
import { large } from '../../transcripts/scenarios';

/** How long a test of milliseconds may take on a busy machine, in milliseconds. */
const LIMIT_MS = 30_000;

describe('a spare that others change', function () {
  this.timeout(LIMIT_MS);
  let root: string;
  let clock: TestClock;
  let service: MemoryService;
  let engine: TestEngine;
  let state: string | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-spare-'));
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
  async function push(number: number, { onPacked = (): void => undefined } = {}): Promise<string> {
    const { manifest, files: others } = large(number);
    const folder = join(root, 'extension');
    const files = { ...others, 'manifest.json': JSON.stringify(manifest) };
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
      onPacked,
      confirmRestart: () => Promise.resolve('inPlace'),
    };
    const isBusy = (): boolean => service.isBusy;
    const [pushed] = await clock.run<BrowserOutcome[]>(engine.push(order), isBusy);
    do await clock.idle();
    while (service.isBusy);
    return pushed?.outcome.kind ?? '';
  }

  /** The name of the spare's folder. */
  function spareFolder(): string {
    const file = Object.keys(service.tree()).find((path) => path.startsWith('.sideload-spare-')) ?? assert.fail();
    return file.slice(0, file.indexOf('/'));
  }

  /** Paths of the files of the extension in the browser. */
  const extension = (): string[] => Object.keys(service.tree()).filter((path) => path.startsWith('sample/'));

  const uploads = (): string[] => service.calls.filter((call) => call.startsWith('uploadZip'));

  it('is not used', async () => {
    service.write({ [`${spareFolder()}/lib/foreign.js`]: 'globalThis.FOREIGN = 1;' });
    assert.equal(await push(3), 'running');
    assert.deepEqual(uploads(), ['uploadZip (spare)', 'uploadZip (new)']);
    assert.ok(!('sample/lib/foreign.js' in service.tree()));
  });

  it('is not used where it goes while the build is prepared', async () => {
    const before = extension();
    const { id } = REPLAYED;
    const folder = `${EXTENSIONS_ROOT}/${spareFolder()}`;
    const remove = (): void => void service.deleteDirectory(id, folder);
    assert.equal(await push(3, { onPacked: remove }), 'running');
    assert.ok(uploads().includes('uploadZip (new)'), uploads().join());
    assert.deepEqual(extension(), before);
  });

  it('is not used where it cannot be listed', async () => {
    service.faults.push({ operation: 'listFiles', kind: 'before' });
    assert.equal(await push(3), 'running');
    assert.ok(uploads().includes('uploadZip (new)'), uploads().join());
    assert.equal(service.tree()['sample/worker.js'], 'globalThis.BUILD = 3;\n');
  });
});
