import { dose } from '../runner/seed';
import { editsUnderFaults } from './edits.run';

describe('pushes on save under injected faults', function () {
  editsUnderFaults(this, { edits: dose(40, 200), limitMs: 170_000 });
});
