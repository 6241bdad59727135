import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { ArchiveError } from '../../src/archive/error';
import type { KnownOutcome } from '../../src/push/outcome';
import { dose } from '../runner/seed';
import { PushStage } from './pushStage';

/** Time between the two saves, in milliseconds: the second comes while the browser is busy with the first. */
const BETWEEN_MS = 300;

describe('two pushes in quick succession', function () {
  this.timeout(120_000);
  const stage = PushStage.forSuite();

  for (const what of ['worker', 'manifest'] as const) {
    it(`of the ${what} end with the second build, whose worker runs`, async () => {
      const at = stage();
      await at.mustRun();
      for (let pair = 1; pair <= dose(3, 12); pair++) {
        const push = async (half: number): Promise<KnownOutcome> => {
          if (what === 'manifest') await at.editManifest({ version: `1.${pair}.${half}` });
          await at.write('background.js', `globalThis.BUILD = '${pair}.${half}';`);
          return await at.push();
        };
        // On a busy machine the second save may come while the first build is still packed: then the first push fails, and says so.
        const first = push(1).catch((error: unknown) => {
          if (!(error instanceof ArchiveError)) throw error;
        });
        await delay(BETWEEN_MS);
        const [, second] = await Promise.all([first, push(2)]);
        assert.equal(second.kind, 'running', JSON.stringify(second));
        assert.equal(await at.ask('globalThis.BUILD'), `${pair}.2`);
      }
    });
  }
});
