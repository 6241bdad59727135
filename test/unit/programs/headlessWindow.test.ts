import assert from 'node:assert/strict';
import { HeadlessWindow } from '../../../src/programs/headless/headlessWindow';
import type { BrowserService } from '../../../src/service/browserService';
import { silentLogger } from '../../../src/service/logger';
import { ServiceError } from '../../../src/service/serviceErrors';
import { REPLAYED } from '../../transcripts/replayScenario';

describe('the window of a program without an editor', () => {
  let connections: number;
  let lose: () => void;
  let window: HeadlessWindow;
  let refusal: ServiceError | undefined;
  const deleted: string[] = [];
  const warnings: string[] = [];

  beforeEach(() => {
    connections = deleted.length = warnings.length = 0;
    refusal = undefined;
    window = new HeadlessWindow({
      roots: [],
      isLocal: true,
      connect: (onLost) => {
        connections += 1;
        lose = onLost;
        const deleteBrowser = (id: string): Promise<void> =>
          refusal ? Promise.reject(refusal) : Promise.resolve(void deleted.push(id));
        return Promise.resolve({ deleteBrowser, close: () => Promise.resolve() } as unknown as BrowserService);
      },
      log: { ...silentLogger, warn: (line) => void warnings.push(line) },
    });
  });
  afterEach(() => window.dispose());

  it('connects once, and again when the service has ended since, with its browsers', async () => {
    const first = await window.client();
    assert.equal(await window.client(), first);
    await window.onCreated(REPLAYED);
    lose();
    assert.deepEqual(window.created, []);
    assert.notEqual(await window.client(), first);
    assert.equal(connections, 2);
  });

  it('ends the browsers that were started, and starts no service where there are none', async () => {
    await window.endCreated();
    assert.equal(connections, 0);
    await window.client();
    await window.onCreated(REPLAYED);
    await window.endCreated();
    assert.deepEqual([deleted, window.created], [[REPLAYED.id], []]);
  });

  it('says of a browser that could not be ended that it may run on, and nothing of one that has ended', async () => {
    await window.client();
    for (const kind of ['server', 'notFound'] as const) {
      refusal = new ServiceError({ kind, operation: 'deleteBrowser', message: 'no', mayHaveHappened: false });
      await window.onCreated(REPLAYED);
      await window.endCreated();
    }
    assert.equal(warnings.length, 1);
    assert.match(warnings.join(), /could not be ended/);
  });
});
