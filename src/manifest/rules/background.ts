import { workerFile } from '../files';
import type { Rule } from '../rule';
import { hintForMissing } from '../similar';

/**
 * R-SW-MISSING: the worker's file, or a folder of that name, has to be there. Chromium's text has an empty name, because it fails
 * before it knows one. Measured on Chromium 156.
 */
export const missingWorkerRule: Rule = {
  id: 'R-SW-MISSING',
  stage: 'files',
  async check(context) {
    const worker = workerFile(context);
    if (!worker || (await context.folder.exists(worker.file))) return [];
    const hint = await hintForMissing(context.folder, worker.file);
    return [
      {
        severity: 'error',
        message: `The service worker "${worker.written}" is not in the folder.${hint || ' Create it, or correct the name.'}`,
        chromium: "Could not load background script ''.",
        path: worker.path,
      },
    ];
  },
};
