import assert from 'node:assert/strict';
import { KnownBrowsers } from '../../../../src/push/known/knownBrowsers';
import { removeCopies } from '../../../../src/push/place/copies';
import { silentLogger } from '../../../../src/service/logger';
import { MemoryPush } from '../../../standins/memoryPush';
import { EXTENSIONS_ROOT } from '../../../support/extensionsRoot';
import { REPLAYED } from '../../../transcripts/replayScenario';

describe('copies of an extension in a browser', function () {
  this.timeout(10_000);
  let at: MemoryPush;

  beforeEach(() => {
    at = new MemoryPush();
    at.service.write({
      'copy/manifest.json': '{"name":"Copy","version":"1"}',
      'copy/worker.js': '1;',
      'other/a.js': '',
    });
  });

  afterEach(() => {
    at.end();
  });

  const remove = (): Promise<void> => {
    at.chromium.load(`${EXTENSIONS_ROOT}/copy`);
    const known = new KnownBrowsers(at.browsers);
    const to = { service: at.service, browser: REPLAYED, connections: at.browsers, known, log: silentLogger };
    return at.wait(removeCopies(to, [...at.chromium.extensions]));
  };

  it('are removed, and an extension that does nothing takes their folder, which Chromium may load again', async () => {
    await remove();
    assert.deepEqual(at.chromium.extensions, []);
    assert.deepEqual(Object.keys(at.service.tree()).sort(), ['copy/manifest.json', 'other/a.js']);
  });

  it('are removed also when somebody has deleted their folder', async () => {
    at.chromium.load(`${EXTENSIONS_ROOT}/copy`);
    await at.wait(at.service.deleteDirectory(REPLAYED.id, `${EXTENSIONS_ROOT}/copy`));
    await remove();
    assert.deepEqual(at.chromium.extensions, []);
  });
});
