import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths';

/** Contract tests that wait more than they work: for limits, leases and standby to pass. */
const WAITING: ReadonlySet<string> = new Set([
  'blocked.test.ts',
  'client.faults.test.ts',
  'lifetime.test.ts',
  'localProcess.test.ts',
  'upload.earlier.test.ts',
]);

/** Seconds that a file usually takes, for shards of one length. A file that is not named is taken for a short one. */
const USUAL_SECONDS: Readonly<Record<string, number>> = {
  'push.test.ts': 55,
  'pushReload.test.ts': 45,
  'pushRecovery.test.ts': 40,
  'pushDelivery.test.ts': 35,
  'edits.test.ts': 35,
  'profiles.test.ts': 30,
  'upload.limits.test.ts': 25,
  'concurrency.test.ts': 25,
  'restart.test.ts': 18,
  'manifest.chromium.test.ts': 18,
  'pools.test.ts': 16,
  'operations.test.ts': 14,
  'upload.test.ts': 14,
  'access.test.ts': 10,
};
const SHORT_SECONDS = 4;

/** The contract tests, in parts that run as processes of their own. */
export interface ContractShards {
  /** Parts that keep a core busy: of about one length, and always the same for the same files. */
  readonly busy: readonly (readonly string[])[];
  /** The part that mostly waits. */
  readonly waiting: readonly string[];
}

/** Divides the files of `test/contract`; the busy ones into so many parts. */
export function contractShards(count: number): ContractShards {
  const files = readdirSync(join(ROOT, 'test', 'contract')).filter((name) => name.endsWith('.test.ts'));
  const busy = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  const secondsOf = (file: string): number => USUAL_SECONDS[file] ?? SHORT_SECONDS;
  const rest = files.filter((file) => !WAITING.has(file));
  // The longest first, each to the part that is the shortest so far.
  for (const file of rest.sort((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    const [shortest] = [...busy].sort((a, b) => a.seconds - b.seconds);
    shortest?.files.push(file);
    if (shortest) shortest.seconds += secondsOf(file);
  }
  return { busy: busy.map((shard) => shard.files.sort()), waiting: files.filter((file) => WAITING.has(file)).sort() };
}
