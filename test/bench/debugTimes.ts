/** The environment variable with the file that an extension host appends the times of its debug sessions to. */
export const DEBUG_FILE_ENV = 'SIDELOAD_BENCH_DEBUG';

/** The environment variable with the number of sessions. */
export const DEBUG_ROUNDS_ENV = 'SIDELOAD_BENCH_DEBUG_ROUNDS';

/** What one debug session took, in milliseconds. */
export interface DebugTimes {
  f5ToReady: number;
  callToStopped: number;
}

/** What an extension host reports: its times, then the end, or why it could not measure. */
export type DebugLine = DebugTimes | { isOver: true } | { error: string };
