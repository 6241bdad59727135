import { parseArgs } from 'node:util';

const USAGE = 'npm run soak [-- [--short] [--share N] [--only PART,…] [--json]]';

/** The share of the full dose that a short run takes. */
const SHORT_SHARE = 0.04;

/** What the arguments of `npm run soak` ask for. */
export interface SoakOptions {
  /** The share of each full dose that is taken, from above 0 to 1. */
  readonly share: number;
  readonly isChosen: (part: string) => boolean;
  /** One JSON object a line on stdout, instead of a table. */
  readonly json: boolean;
}

/** Reads the arguments; `parts` are the names that `--only` may have. Throws a sentence that says how to call it. */
export function readSoakOptions(args: readonly string[], parts: readonly string[]): SoakOptions {
  const { short, share: given, only: names, json } = parsed(args);
  const only = names?.split(',');
  const stranger = only?.find((name) => !parts.includes(name));
  if (stranger !== undefined) throw usageError(`There is no part "${stranger}", only ${parts.join(', ')}.`);
  const share = given === undefined ? (short ? SHORT_SHARE : 1) : Number(given);
  if (!(share > 0 && share <= 1)) throw usageError('--share is a number above 0, up to 1.');
  return { share, json, isChosen: (part) => only?.includes(part) ?? true };
}

/** So many steps of a full dose, and those before them in which programs warm up. */
export function stepsOf(full: number, share: number): { warmUp: number; steps: number } {
  const steps = Math.max(2, Math.round(full * share));
  return { warmUp: Math.max(2, Math.round(steps / 10)), steps };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        short: { type: 'boolean', default: false },
        share: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

function usageError(reason: string): Error {
  return new Error(`${reason} Usage: ${USAGE}`);
}
