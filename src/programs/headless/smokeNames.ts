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

/**
 * How a smoke test ended. `skipped`: the extension has nothing of this kind, or an earlier test has failed. `outdated`: it went wrong, and another
 * build had been pushed meanwhile, so that it says nothing of the one that was to be tested.
 */
export interface SmokeResult {
  id: SmokeTestId;
  state: 'passed' | 'failed' | 'skipped' | 'outdated';
  ms: number;
  /** Why it failed or was skipped, with lines of errors in the form `file:line:column …`; how it was tested where that differs. */
  message: string;
}

/** The ids of all smoke tests, in their order. */
export const SMOKE_TEST_IDS = Object.keys(SMOKE_TESTS) as SmokeTestId[];

/** How many of the results ended how, as one text for people and logs. */
export function countsText(results: readonly SmokeResult[]): string {
  const count = (state: SmokeResult['state']): number => results.filter((one) => one.state === state).length;
  const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
  return count('outdated') === 0 ? counts : `${counts}, ${count('outdated')} outdated`;
}
