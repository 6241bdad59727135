import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths';

/** Contract tests that mostly wait: for timeouts, leases and standby. */
const WAITING: ReadonlySet<string> = new Set([
  'blocked.test.ts',
  'client.faults.test.ts',
  'lifetime.test.ts',
  'localProcess.test.ts',
  'upload.earlier.test.ts',
]);

/** Usual durations, to balance the shards. Files that are not listed are short. */
const USUAL_SECONDS: Readonly<Record<string, number>> = {
  'push.test.ts': 46,
  'pushDelivery.test.ts': 37,
  'profiles.test.ts': 35,
  'upload.limits.test.ts': 35,
  'pushReload.test.ts': 32,
  'pushRecovery.test.ts': 31,
  'restart.test.ts': 25,
  'manifest.chromium.test.ts': 25,
  'edits.test.ts': 22,
  'edits.network.test.ts': 18,
  'keptProcess.test.ts': 19,
  'concurrency.test.ts': 22,
  'upload.test.ts': 20,
  'operations.test.ts': 17,
  'pools.test.ts': 17,
  'devtoolsClients.test.ts': 15,
  'access.test.ts': 10,
  'loadOverDevTools.test.ts': 8,
};
const SHORT_SECONDS = 4;

/** The contract tests, divided into processes. */
export interface ContractShards {
  /** Shards that keep a core busy: about equally long, and always the same for the same files. */
  readonly busy: readonly (readonly string[])[];
  /** The shard that mostly waits. */
  readonly waiting: readonly string[];
}

/** Divides the files of `test/contract` into one shard that waits and `count` busy ones. */
export function contractShards(count: number): ContractShards {
  const files = readdirSync(join(ROOT, 'test', 'contract')).filter((name) => name.endsWith('.test.ts'));
  const busy = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  const secondsOf = (file: string): number => USUAL_SECONDS[file] ?? SHORT_SECONDS;
  const rest = files.filter((file) => !WAITING.has(file));
  // The longest file first, each to the shard that is the shortest so far.
  for (const file of rest.sort((a, b) => secondsOf(b) - secondsOf(a) || a.localeCompare(b))) {
    const [shortest] = [...busy].sort((a, b) => a.seconds - b.seconds);
    shortest?.files.push(file);
    if (shortest) shortest.seconds += secondsOf(file);
  }
  return { busy: busy.map((shard) => shard.files.sort()), waiting: files.filter((file) => WAITING.has(file)).sort() };
}
