import { parseArgs } from 'node:util';
import { parseSeed, seedOfDay } from './seed';

/** How to call it. */
export const RUN_USAGE = 'npm test [-- [--seed N] [--full] [--oldest] [SUITE...]]';

/** What the arguments of `npm test` ask for. */
export interface RunOptions {
  /** Names of the suites to run; none means all. */
  readonly suites: readonly string[];
  readonly seed: number;
  /** Whether random tests run with their full doses. */
  readonly isFull: boolean;
  /** Whether the suites that need VS Code run on the oldest supported version, too. */
  readonly withOldest: boolean;
}

/** Reads the arguments. Throws a sentence that says how to call it. */
export function readRunOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parsed(args);
  return {
    suites: positionals,
    seed: values.seed === undefined ? seedOfDay(new Date()) : parseSeed(values.seed),
    isFull: values.full,
    withOldest: values.full || values.oldest,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        full: { type: 'boolean', default: false },
        oldest: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)} Usage: ${RUN_USAGE}`, { cause: error });
  }
}
