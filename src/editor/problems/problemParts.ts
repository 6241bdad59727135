import type { FolderParts } from '../folder/fileChanges';
import type { Diagnostics } from './diagnostics';
import type { WorkerFaults } from './workerFaults';

/** The entries of the Problems panel. */
export interface ProblemParts extends FolderParts {
  diagnostics: Diagnostics;
  faults: WorkerFaults;
}
