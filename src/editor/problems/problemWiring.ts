import type { FolderWiring } from '../folder/fileChanges';
import type { Diagnostics } from './diagnostics';
import type { ErrorEntries } from './errorEntries';

/** The entries of the Problems panel. */
export interface ProblemWiring extends FolderWiring {
  diagnostics: Diagnostics;
  errors: ErrorEntries;
}
