import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserKey } from '../../../../src/service/browserKey';
import { OtherPrograms } from '../../../../src/push/turns/otherPrograms';
import type { BrowserOutcome } from '../../../../src/push/pushRun';
import { silentLogger } from '../../../../src/service/logger';
import { BROWSER } from '../../editor/lists/sampleBrowser';

const SERVICE = new URL('http://127.0.0.1:9');

describe('deliveries of other programs', () => {
  const before = process.env['XDG_STATE_HOME'];
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sideload-others-'));
    process.env['XDG_STATE_HOME'] = folder;
  });

  afterEach(async () => {
    if (before === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = before;
    await rm(folder, { recursive: true, force: true });
  });

  it('that run are waited for before it is said which was the last', async () => {
    const [one, other] = [new OtherPrograms(silentLogger), new OtherPrograms(silentLogger)];
    const key = browserKey(SERVICE, BROWSER.id);
    const turn = await other.turn(key, () => undefined);
    let isSettled = false;
    const settled = one.settledDeliveries(key, new AbortController().signal).finally(() => {
      isSettled = true;
    });
    // Those that run are not noted yet.
    assert.deepEqual(await one.deliveries(key), []);
    const browserOutcome: BrowserOutcome = {
      browser: BROWSER,
      folder,
      outcome: { kind: 'unverified', name: 'Late', version: '2', digest: 'b', ms: 1, why: 'noAddress' },
      archive: { name: 'Late', version: '2', digest: 'b', bytes: 1, digests: new Map() },
      isForAll: false,
      isTooLate: false,
    };
    await other.note(SERVICE, browserOutcome);
    assert.equal(isSettled, false);
    await turn.end();
    assert.deepEqual(
      (await settled).map(({ version, isOwn }) => [version, isOwn]),
      [['2', false]],
    );
  });

  it('that do not end are not waited for when that is cancelled', async () => {
    const [one, other] = [new OtherPrograms(silentLogger), new OtherPrograms(silentLogger)];
    const key = browserKey(SERVICE, BROWSER.id);
    const turn = await other.turn(key, () => undefined);
    assert.deepEqual(await one.settledDeliveries(key, AbortSignal.abort()), []);
    await turn.end();
  });
});
