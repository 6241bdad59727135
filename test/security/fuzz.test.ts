// Covers: src
import assert from 'node:assert/strict';
import { dose, testSeed } from '../runner/seed';
import { TARGETS } from '../fuzz/allTargets';

/** How many times the usual number of inputs a full run tries. */
const FULL = 20;

/** How long one target is given inputs on a busy machine, and with all else the longest time for it, in milliseconds. */
const INPUTS_MS = dose(30_000, 300_000);
const LIMIT_MS = 2 * INPUTS_MS;

describe('parsers and decoders', () => {
  for (const { name, usual, fuzz, replay } of TARGETS) {
    it(`keep their promises: ${name}`, async function () {
      this.timeout(LIMIT_MS);
      await replay();
      const { found } = await fuzz({ seed: testSeed(), inputs: dose(usual, FULL * usual), limitMs: INPUTS_MS });
      assert.equal(found && `seed ${found.seed}: ${found.input}\n${found.error}`, undefined);
    });
  }

  it('have names that tell them apart', () => {
    const names = TARGETS.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });
});
