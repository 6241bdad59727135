import { parseArgs } from 'node:util';
import { parseSeed, seedOfDay } from '../runner/seed';

const USAGE = 'npm run fuzz [-- [--minutes N] [--seed N] [--only WORDS]]';

/** How long a run takes unless it says otherwise, in minutes. */
const MINUTES = 5;

/** What the arguments of `npm run fuzz` ask for. */
export interface FuzzOptions {
  readonly minutes: number;
  /** The seed of the first round; each round has the next. */
  readonly seed: number;
  /** Which targets are chosen, by their names. */
  readonly isChosen: (name: string) => boolean;
}

/** Reads the arguments. Throws a sentence that says how to call it. */
export function readFuzzOptions(args: readonly string[], now: Date): FuzzOptions {
  const { minutes: given, seed, only } = parsed(args);
  const minutes = given === undefined ? MINUTES : Number(given);
  if (!(minutes > 0)) throw usageError('--minutes is a number above 0.');
  // Not that of the day, which the tests have: another run tries other inputs.
  const usual = seedOfDay(now) + now.getUTCHours() * 60 + now.getUTCMinutes();
  return {
    minutes,
    seed: seed === undefined ? usual : parseSeed(seed),
    isChosen: (name) => only === undefined || name.includes(only),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
    }).values;
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

function usageError(reason: string): Error {
  return new Error(`${reason} Usage: ${USAGE}`);
}
