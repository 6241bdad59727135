import { parseArgs } from 'node:util';

const BENCH_USAGE =
  'npm run bench [-- [--json] [--only GROUP[/CASE],…] [--samples N] [--trace CASE] [--peers] [--minutes N]]';

/** Samples of each measure, warm-ups not counted. */
const SAMPLES = 12;

/** Fewer make no median. */
const LEAST_SAMPLES = 3;

/** How long a run for memory takes, in minutes. */
const MINUTES = 30;

/** Groups that run only when they are asked for: other tools are fetched from npm, or it takes long. */
const ON_REQUEST = ['peers', 'localhost', 'screenMemory', 'scale'];

/** What the arguments of `npm run bench` ask for. */
export interface BenchOptions {
  /** One JSON object a line on stdout, instead of tables. */
  readonly json: boolean;
  readonly samples: number;
  /** How long a run for memory takes. */
  readonly minutes: number;
  /** Whether a group is measured in this run. */
  readonly isChosen: (group: string) => boolean;
  /** Whether a case of a chosen group is. */
  readonly isCaseChosen: (group: string, name: string) => boolean;
  /** The case of the network of which one push is shown step by step; nothing is measured then. */
  readonly trace: string | undefined;
}

/** Reads the arguments; `groups` are the names that `--only` may have. Throws a sentence that says how to call it. */
export function readBenchOptions(args: readonly string[], groups: readonly string[]): BenchOptions {
  const { values } = parsed(args);
  const only = values.only?.split(',').map((entry) => entry.split('/'));
  const stranger = only?.find(([group]) => !groups.includes(group ?? ''));
  if (stranger) throw usageError(`There is no group "${stranger[0] ?? ''}", only ${groups.join(', ')}.`);
  const samples = values.samples === undefined ? SAMPLES : Number(values.samples);
  if (!Number.isInteger(samples) || samples < LEAST_SAMPLES) {
    throw usageError(`--samples is a whole number from ${LEAST_SAMPLES} on.`);
  }
  const minutes = values.minutes === undefined ? MINUTES : Number(values.minutes);
  if (!(minutes > 0)) throw usageError('--minutes is a number above 0.');
  return {
    json: values.json,
    samples,
    minutes,
    isChosen: (name) =>
      only?.some(([group]) => group === name) ?? (!ON_REQUEST.includes(name) || (name === 'peers' && values.peers)),
    isCaseChosen: (name, ofCase) =>
      only?.some(([group, chosen]) => group === name && (chosen === undefined || chosen === ofCase)) ?? true,
    trace: values.trace,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        samples: { type: 'string' },
        trace: { type: 'string' },
        minutes: { type: 'string' },
        peers: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw usageError(error instanceof Error ? error.message : String(error));
  }
}

function usageError(reason: string): Error {
  return new Error(`${reason} Usage: ${BENCH_USAGE}`);
}
