/** How long one thing may hold an event loop, in milliseconds. */
export const HOLD_MS = 50;

/** Shorter holds of other processes are not reported, in milliseconds. */
export const NOTED_MS = 5;

/** Environment variable with the file to which a process reports how long it was held. */
export const HOLDS_FILE_ENV = 'SIDELOAD_TEST_HOLDS';
