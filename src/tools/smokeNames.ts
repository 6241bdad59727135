/** The names of the tests, in the order in which they run. */
export const SMOKE_TESTS = {
  loads: 'Chromium loads it',
  worker: 'its service worker starts',
  alone: 'no other copy of it runs',
  wakes: 'its service worker starts again after an idle stop',
  popup: 'its popup opens without an error',
  options: 'its options page opens without an error',
  sidePanel: 'its side panel opens without an error',
  content: 'its content scripts run on a page that matches',
  quiet: 'it has no error for 5 s',
} as const;

export type SmokeTestId = keyof typeof SMOKE_TESTS;

/** How a smoke test ended. `skipped`: the extension has nothing of this kind, or an earlier test has failed. */
export interface SmokeResult {
  id: SmokeTestId;
  state: 'passed' | 'failed' | 'skipped';
  ms: number;
  /** Why it failed or was skipped, with lines of errors in the form `file:line:column …`; how it was tested where that differs. */
  message: string;
}

/** The ids of all smoke tests, in their order. */
export const SMOKE_TEST_IDS: readonly SmokeTestId[] = [
  'loads',
  'worker',
  'alone',
  'wakes',
  'popup',
  'options',
  'sidePanel',
  'content',
  'quiet',
];
