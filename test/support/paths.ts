import { join, resolve } from 'node:path';

/** The repository's root folder. */
export const ROOT = resolve(__dirname, '..', '..');

/** Everything that tests and `npm start` fetch, write or leave for a look: ignored by git, safe to delete. */
export const CACHE = join(ROOT, '.vscode-test');

/** Environment variable with the folder that `npm test` has made for what suites use only once. */
export const SCRATCH_ENV = 'SIDELOAD_TEST_SCRATCH';

/** Where the data of servers and the workspaces are that are removed after use. */
export const SCRATCH = process.env[SCRATCH_ENV] ?? CACHE;

/** Logs of the processes that were started, one file each. */
export const LOGS = join(CACHE, 'logs');

/** Pictures of the window, taken when a test of the user interface fails. */
export const FAILURES = join(CACHE, 'failures');

/** The browser extension that tests and `npm start` push when nobody names another one. */
export const SAMPLE = join(ROOT, 'test', 'fixtures', 'sample');
