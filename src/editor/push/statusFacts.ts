import * as l10n from '@vscode/l10n';
import type { PushRecord } from '../../push/known/pushRecords';
import type { PushOnSave } from '../settings';
import type { StatusFacts } from './statusText';

/** A browser that the status bar may be about. */
export interface Subject {
  browserId: string;
  label: string;
}

/** What the window knows of pushes, from which the status bar follows. */
export interface PushState {
  /** The browsers that pushes go to without asking: the pinned ones, else the target. */
  chosen: readonly Subject[];
  /** A push that runs: to which browsers, of which folder, and its step. */
  running?: { subjects: readonly Subject[]; folder: string; step: string } | undefined;
  /** The browsers of the last push, which are shown while none is chosen. */
  last: readonly Subject[];
  waiting?: StatusFacts['waiting'];
  /** When saves push, and the names of the folders whose saves do. */
  saves: { mode: PushOnSave; folders: string };
  /** The folder that the next push takes, where several are open. */
  folder?: string | undefined;
  /** Whether several folders are open, so that their names are shown. */
  isSeveral: boolean;
}

/** What is known of a browser. */
export interface KnownOf {
  /** Its name now, of one that the service lists. */
  label: (browserId: string) => string | undefined;
  record: (browserId: string) => PushRecord | undefined;
  /** How many errors there are of what was pushed to it from the folder that the item names. */
  errors: (browserId: string) => number;
  /** The name of the workspace folder from which the browser has its build. */
  folder: (browserId: string) => string | undefined;
}

/**
 * What the status bar says: of a push that runs, and else of the browsers that the next push goes to, whatever the last one was about. The folder
 * is the one that was pushed there.
 */
export function statusFacts(state: PushState, known: KnownOf): StatusFacts {
  const { chosen, running, last, waiting, saves, folder, isSeveral } = state;
  const asked = running?.subjects ?? (chosen.length > 0 ? chosen : last);
  const subjects = asked.map(({ browserId, label }) => ({ browserId, label: known.label(browserId) ?? label }));
  const [only] = subjects;
  const pushed = subjects.flatMap(({ browserId }) => (known.record(browserId) && known.folder(browserId)) ?? []);
  const shown = running?.folder ?? pushed[0] ?? folder;
  return {
    browser: subjects.length > 1 ? l10n.t('{0} browsers', subjects.length) : only?.label,
    labels: subjects.map(({ label }) => label),
    records: subjects.map(({ browserId }) => known.record(browserId)),
    errors: subjects.reduce((sum, { browserId }) => sum + known.errors(browserId), 0),
    step: running?.step,
    waiting: running ? undefined : waiting,
    saves: saves.mode,
    ...(isSeveral && { folder: shown }),
    ...(isSeveral && saves.mode !== 'off' && saves.folders !== shown && { savesOf: saves.folders }),
  };
}
