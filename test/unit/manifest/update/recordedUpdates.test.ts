// Covers: src/manifest, test/oracle, test/fixtures/manifest
import assert from 'node:assert/strict';
import { recordedUpdates, ourVerdict } from '../../../oracle/updateVerdicts';

describe('updates that Chromium has judged', () => {
  const recorded = recordedUpdates();

  it('are enough of both verdicts', () => {
    const asked = recorded.filter(({ verdict }) => verdict === 'asked').length;
    assert.ok(asked > 60 && recorded.length - asked > 60, `${asked} of ${recorded.length} ask again`);
  });

  it('ask again or not as Chromium did', () => {
    const different = recorded.filter((update) => ourVerdict(update) !== update.verdict);
    assert.deepEqual(different, []);
  });
});
