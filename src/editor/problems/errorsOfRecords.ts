import { RecentMap } from '../../base/recentMap';
import type { BuildFolders } from '../../console/errorSpots';
import type { ReportedErrors } from '../../console/reportedErrors';
import type { PushRecord } from '../../push/known/pushRecords';

/** What is known of a browser that was pushed to. */
export interface RecordOf {
  /** Undefined of a browser that was deleted. */
  record: Pick<PushRecord, 'state' | 'at' | 'extensionId' | 'lacking' | 'hasEnded' | 'byOther'> | undefined;
  /** The build that this window has put there, of a browser that people call so. */
  build: (BuildFolders & { label: string }) | undefined;
  isPushing: boolean;
}

/** Where the errors are remembered. */
type ErrorStore = Pick<ReportedErrors, 'setBuild' | 'forget' | 'clear'>;

/** Most pushes of other programs that are remembered: of many more than there are browsers, the oldest ones are no longer the last of any. */
const MOST_PUSHES = 1000;

/** Forgets errors with what they say something about: the browser, the extension in it, and the build before one of another program. */
export class ErrorsOfRecords {
  /** The pushes of other programs that were followed: browsers and times, since a browser of another service may have the same id. */
  readonly #others = new RecentMap<string, true>(MOST_PUSHES);

  constructor(private readonly errors: ErrorStore) {}

  /** What is known of a browser has changed. Returns whether the errors of a build of another program are to be watched from now on. */
  follow(browserId: string, { record, build, isPushing }: RecordOf): boolean {
    const extensionId = record?.extensionId ?? build?.extensionId;
    if (!isPushing) {
      if (record === undefined || record.hasEnded === true) this.errors.clear(browserId);
      else if (record.state === 'stopped' && extensionId !== undefined)
        this.errors.forget(browserId, record.lacking ?? extensionId);
    }
    if (record?.byOther !== true) return false;
    const push = `${browserId} ${record.at}`;
    if (this.#others.has(push)) return false;
    this.#others.set(push, true);
    // The errors of the build before say nothing of what runs now.
    if (extensionId !== undefined) this.errors.forget(browserId, extensionId, 'build');
    if (!build) return false;
    this.errors.setBuild(browserId, build.label, build, []);
    return true;
  }
}
