import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/paths';

/** Contract tests that mostly wait: for timeouts, leases, standby, and workers that fall asleep. */
const WAITING: ReadonlySet<string> = new Set([
  'blocked.test.ts',
  'client.faults.test.ts',
  'contexts.test.ts',
  'errors.test.ts',
  'lifetime.test.ts',
  'localProcess.test.ts',
  'storage.test.ts',
  'upload.earlier.test.ts',
]);

/** Usual durations, to balance the shards. Files that are not listed are short. */
const USUAL_SECONDS: Readonly<Record<string, number>> = {
  'push.test.ts': 30,
  'pushDelivery.test.ts': 14,
  'keptProcess.test.ts': 22,
  'pushReload.test.ts': 30,
  'pushRecovery.test.ts': 12,
  'pushSidePanel.test.ts': 22,
  'devtoolsClients.test.ts': 25,
  'profiles.test.ts': 18,
  'restart.test.ts': 22,
  'concurrency.test.ts': 24,
  'tools.test.ts': 28,
  'cli.test.ts': 20,
  'scriptedAgent.test.ts': 40,
  'mcp.test.ts': 12,
  'upload.limits.test.ts': 22,
  'edits.test.ts': 22,
  'relay.test.ts': 25,
  'pushDebugged.test.ts': 13,
  'surfaces.test.ts': 20,
  'extensionState.test.ts': 20,
  'console.test.ts': 20,
  'otherPrograms.test.ts': 14,
  'pushSpare.test.ts': 9,
  'operations.test.ts': 18,
  'edits.network.test.ts': 18,
  'manifest.chromium.test.ts': 16,
  'pushPages.test.ts': 9,
  'pools.test.ts': 15,
  'upload.test.ts': 14,
  'access.test.ts': 10,
  'pushTwice.test.ts': 7,
  'workers.test.ts': 8,
  'loadOverDevTools.test.ts': 7,
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
