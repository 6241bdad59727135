import assert from 'node:assert/strict';
import { SCENARIOS } from '../../transcripts/scenarios';
import { ReplayedBrowser } from '../../transcripts/replayScenario';

describe('a delivery, replayed', () => {
  for (const scenario of SCENARIOS) {
    it(`does what it did in Chromium: ${scenario.title}`, async () => {
      const at = new ReplayedBrowser(scenario);
      try {
        const outcomes = await at.play().catch((e: unknown) => [String(e)]);
        at.replay.check();
        assert.deepEqual(outcomes, scenario.outcomes);
        assert.deepEqual(at.replay.unplayed, []);
      } finally {
        at.end();
      }
    });
  }
});
