import { TARGETS } from './allTargets';
import { readFuzzOptions } from './fuzzOptions';
import type { FuzzTarget } from './target';
import { Watchdog } from './watchdog';

/** How long each target has in a round, in milliseconds. */
const TURN_MS = 3000;

/** More inputs than a turn has time for. */
const MANY = 10_000_000;

/** Longest time for one input that never ends, in milliseconds. */
const HANG_MS = 60_000;

/**
 * Gives all parsers and decoders random inputs, in turns, for so many minutes. What is found is printed with its seed and the smallest input
 * that shows it; the program then ends with 1.
 */
async function main(): Promise<void> {
  const { minutes, seed, isChosen } = readFuzzOptions(process.argv.slice(2), new Date());
  const chosen = TARGETS.filter(({ name }) => isChosen(name));
  if (chosen.length === 0) throw new Error(`No target has such a name. There are: ${names(TARGETS)}.`);
  const end = performance.now() + minutes * 60_000;
  const failed = new Set<FuzzTarget>();
  const watchdog = new Watchdog(TURN_MS + HANG_MS);
  let tried = 0;
  console.log(`${chosen.length} targets, from seed ${seed}`);
  for (let round = 0; performance.now() < end && failed.size < chosen.length; round++) {
    for (const target of chosen) {
      const limitMs = Math.min(TURN_MS, end - performance.now());
      if (limitMs <= 0) break;
      if (failed.has(target)) continue;
      watchdog.begin(`${target.name}, seed ${seed + round}`);
      const { found, tried: count } = await target.fuzz({ seed: seed + round, inputs: MANY, limitMs });
      tried += count;
      if (!found) continue;
      failed.add(target);
      console.log(`\n${target.name}, seed ${found.seed}: ${found.input}\n${found.error}\n`);
    }
  }
  watchdog.end();
  console.log(`${tried} inputs, found: ${failed.size === 0 ? 'nothing' : names([...failed])}`);
  process.exitCode = failed.size === 0 ? 0 : 1;
}

function names(targets: readonly FuzzTarget[]): string {
  return targets.map(({ name }) => name).join('; ');
}

void main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
