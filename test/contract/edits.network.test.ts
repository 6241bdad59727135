import { dose } from '../runner/seed';
import { editsUnderFaults } from './edits.run';

describe('pushes on save under injected faults to a browser that is 80 ms away', function () {
  const network = { upMs: 40, downMs: 40, jitterMs: 30 };
  editsUnderFaults(this, { edits: dose(15, 200), limitMs: 400_000, network });
});
