import type { FolderParts } from '../folder/fileChanges';
import type { Diagnostics } from './diagnostics';
import type { ErrorEntries } from './errorEntries';

/** The entries of the Problems panel. */
export interface ProblemParts extends FolderParts {
  diagnostics: Diagnostics;
  errors: ErrorEntries;
}
