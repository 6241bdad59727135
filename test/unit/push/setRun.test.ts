import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/service/logger';
import type { PushOrder, PushOutcome } from '../../../src/push/pushRun';
import { MemoryChromium } from '../../standins/memoryChromium';
import { MemoryService } from '../../standins/memoryService';
import { TestClock } from '../../support/testClock';
import { TestEngine } from '../../support/testEngine';
import { USUAL_ORDER } from '../../support/usualOrder';
import { REPLAYED } from '../../transcripts/replayScenario';

describe('folders that are pushed together', () => {
  let root: string;
  let engine: TestEngine;
  let service: MemoryService;
  let before: string | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'sideload-set-'));
    before = process.env['XDG_STATE_HOME'];
    process.env['XDG_STATE_HOME'] = join(root, 'state');
    const clock = new TestClock();
    service = new MemoryService(clock);
    const open = (): Promise<MemoryChromium> => Promise.resolve(new MemoryChromium(service));
    engine = new TestEngine({ log: silentLogger, idleMs: () => Infinity, wiring: { open, clock } });
  });

  afterEach(async () => {
    engine.dispose();
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    await rm(root, { recursive: true, force: true });
  });

  /** Pushes the folders with these manifests together; none of them may get as far as the browser. */
  async function push(manifests: Readonly<Record<string, object>>): Promise<PushOutcome[]> {
    const orders: PushOrder[] = [];
    for (const [name, manifest] of Object.entries(manifests)) {
      const folder = join(root, name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
      orders.push({ ...USUAL_ORDER, service, isLocal: true, folder, browsers: [REPLAYED] });
    }
    const outcomes = (await engine.pushSet(orders)).flat().map(({ outcome }) => outcome);
    assert.deepEqual(service.calls, []);
    return outcomes;
  }

  const MANIFEST = { manifest_version: 3, name: 'Same', version: '1.0' };

  it('are named so that they can be told apart where their manifests have one name', async () => {
    const said = async (...folders: string[]): Promise<string> => {
      const [first] = await push(Object.fromEntries(folders.map((folder) => [folder, MANIFEST])));
      return first?.kind === 'failed' ? String(first.error) : String(first?.kind);
    };
    assert.match(await said('one/dist', 'two/dist'), /: one\/dist and two\/dist have the same name in their manifests/);
    assert.match(await said('one', 'two'), /: one and two have the same name in their manifests/);
  });

  it('are named so that they can be told apart where one that is refused holds the other back', async () => {
    const [, held] = await push({ 'one/dist': {}, 'two/dist': MANIFEST });
    assert.deepEqual(held, { kind: 'heldBack', by: 'one/dist', isRestored: false });
  });
});
