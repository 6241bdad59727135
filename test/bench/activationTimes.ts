/** The environment variable with the file that an extension host appends its times to. */
export const TIMES_ENV = 'SIDELOAD_BENCH_TIMES';

export const EMPTY_EXTENSION_ID = 'sideload-bench.empty';

/** How long each extension took from the request to its end, in milliseconds. */
export interface ActivationTimes {
  sideload: number;
  empty: number;
}

/** What an extension host reports. */
export type ActivationLine = ActivationTimes | { error: string };
