/** Environment variable that is `1` when the local service of the tests brings extensions in over DevTools alone. */
export const LOADING_ENV = 'SIDELOAD_TEST_LOAD_OVER_DEVTOOLS';

/** Whether the tests in this process run as with a browser that ignores `--load-extension`. */
export function isLoadingOverDevTools(): boolean {
  return process.env[LOADING_ENV] === '1';
}
