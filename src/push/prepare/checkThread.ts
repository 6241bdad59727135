import * as l10n from '@vscode/l10n';
import { join } from 'node:path';
import { JobLimitError, JobThreads } from '../../base/jobThreads';
import type { CheckResult } from '../../manifest/check';
import { MANIFEST_FILE, NOWHERE } from '../../manifest/load';
import type { FolderCheck } from './folderCheck';

/** The bundle of checkWorker.ts, in the folder of the bundle that contains this code. */
const SCRIPT = join(__dirname, 'check.js');

const MINUTE_MS = 60_000;

/** Limits of one check: 330,000 rules of declarativeNetRequest, which is as many as Chromium takes, need a third of them. */
const LIMITS = { limitMs: MINUTE_MS, heapMb: 2048, parallel: 4, idleMs: 5 * MINUTE_MS };

const threads = new JobThreads<FolderCheck, CheckResult>({ script: SCRIPT, name: 'sideload-check', ...LIMITS });

/**
 * Checks a folder as `checkFolder` does, in a worker thread: whatever lies in the folder, the calling thread goes on. A check that
 * exceeds its limits of time or memory ends in a finding. Rejects with the signal's reason, which ends the check at once.
 */
export async function checkInThread(check: FolderCheck, signal?: AbortSignal): Promise<CheckResult> {
  if (typeof SIDELOAD_BUNDLES === 'undefined') {
    const { checkSmall } = await import('./folderCheck');
    return checkSmall(check, signal);
  }
  try {
    return await threads.run(check, signal);
  } catch (error) {
    if (!(error instanceof JobLimitError)) throw error;
    return { findings: [limitFinding(error)], dependsOn: new Map([[MANIFEST_FILE, undefined]]) };
  }
}

function limitFinding({ limit }: JobLimitError): CheckResult['findings'][number] {
  const why =
    limit === 'time'
      ? l10n.t('The check of this extension did not end within a minute.')
      : l10n.t('The check of this extension needs too much memory.');
  const advice = l10n.t('Its manifest, rulesets, message catalogues or worker are too large. Make them smaller.');
  return {
    rule: 'R-LIMIT',
    severity: 'error',
    message: `${why} ${advice}`,
    file: MANIFEST_FILE,
    path: [],
    range: NOWHERE,
  };
}
