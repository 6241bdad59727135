import { parseArgs } from 'node:util';
import { parseSeed, seedOfDay } from './seed';
import type { Shard } from './shards';

/** How to call it. */
export const RUN_USAGE = `npm test [-- [OPTION...] [SUITE...]]
  --changed [REF]   the tests that the changes since a commit can touch, without one since the last commit
  --within SECONDS  with --changed: how long the answer may take
  --watch           as --changed, again after each change of a file
  --strict          a test that fails at first has failed, also when it would pass alone
  --busy            with all cores kept busy by other work
  --shard I/N       the share of machine I of N
  --seed N          the seed of random tests
  --full            with the full doses of random tests, and as --oldest
  --oldest          also on the oldest supported VS Code
  --record          contract tests store what Chromium says in their transcripts
  --durations       store how long the test files took, by which shards are balanced`;

/** What the arguments of `npm test` ask for. */
export interface RunOptions {
  /** Names of the suites to run; none means all. */
  readonly suites: readonly string[];
  readonly seed: number;
  /** Whether random tests run with their full doses. */
  readonly isFull: boolean;
  /** Whether the suites that need VS Code run on the oldest supported version, too. */
  readonly withOldest: boolean;
  /** The commit since which changes are tested; undefined when all is tested. */
  readonly changedSince: string | undefined;
  /** How long the answer about a change may take, in seconds; undefined for what is usual for it. */
  readonly withinSeconds: number | undefined;
  /** Whether the changes are tested again after each change. */
  readonly isWatching: boolean;
  /** Whether a test that fails at first has failed. */
  readonly isStrict: boolean;
  /** Whether other work keeps the cores busy meanwhile. */
  readonly isBusy: boolean;
  readonly shard: Shard | undefined;
  /** Whether contract tests store the transcripts that they compare with otherwise. */
  readonly isRecording: boolean;
  /** Whether the durations of the test files are stored. */
  readonly storesDurations: boolean;
}

/** Reads the arguments; `suites` are the names that are no commit. Throws a sentence that says how to call it. */
export function readRunOptions(args: readonly string[], suites: readonly string[]): RunOptions {
  const { values, tokens } = parsed(args);
  const positionals = tokens.flatMap((token) => (token.kind === 'positional' ? [token] : []));
  const changed = tokens.find((token) => token.kind === 'option' && token.name === 'changed');
  // Only what follows the option at once, and is no suite, is the commit.
  const ref = positionals.find(({ index, value }) => index === (changed?.index ?? NaN) + 1 && !suites.includes(value));
  return {
    suites: positionals.filter((one) => one !== ref).map(({ value }) => value),
    seed: values.seed === undefined ? seedOfDay(new Date()) : parseSeed(values.seed),
    isFull: values.full,
    withOldest: values.full || values.oldest,
    changedSince: values.changed || values.watch ? (ref?.value ?? 'HEAD') : undefined,
    withinSeconds: values.within === undefined ? undefined : parseSeconds(values.within),
    isWatching: values.watch,
    isStrict: values.strict,
    isBusy: values.busy,
    shard: values.shard === undefined ? undefined : parseShard(values.shard),
    isRecording: values.record,
    storesDurations: values.durations,
  };
}

/** The same arguments without `--watch`, with which each run of a watch is called. */
export function withoutWatch(args: readonly string[]): string[] {
  const rest = args.filter((arg) => arg !== '--watch');
  return rest.includes('--changed') ? rest : ['--changed', 'HEAD', ...rest];
}

/** Reads `2/4`. Throws a sentence when it is none of the shards that there are. */
function parseShard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count)) {
    throw new Error(`A shard is a machine and how many there are, such as 2/4, not "${text}".`);
  }
  return shard;
}

function parseSeconds(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value === 0) throw new Error(`--within takes a whole number of seconds, not "${text}".`);
  return value;
}

function parsed(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      tokens: true,
      options: {
        changed: flag,
        within: { type: 'string' },
        watch: flag,
        strict: flag,
        busy: flag,
        shard: { type: 'string' },
        seed: { type: 'string' },
        full: flag,
        oldest: flag,
        record: flag,
        durations: flag,
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nUsage: ${RUN_USAGE}`, { cause: error });
  }
}
