// Covers: test/runner/durations.json
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/paths';
import type { FileLine, TestLine } from './results';
import { suiteOf } from './testFiles';

/** What a run has recorded about a test file. */
export interface Duration {
  /** Seconds that its tests took, with their hooks. */
  readonly seconds: number;
  readonly tests: number;
}

/** What runs have recorded, by test file; see {@link recordedDurations}. */
export type Durations = ReadonlyMap<string, Duration>;

/** Where the recording is kept. It is committed: a machine that has never run the tests balances its shards by it, too. */
const RECORDING = join(ROOT, 'test', 'runner', 'durations.json');

/** Of a file that was never recorded; unit tests take milliseconds. */
const UNKNOWN: Duration = { seconds: 5, tests: 1 };
const UNKNOWN_UNIT: Duration = { seconds: 0.5, tests: 1 };

/** The durations of the test files in the last run that recorded them (`npm test -- --durations`). */
export function recordedDurations(): Durations {
  const recorded: unknown = JSON.parse(readFileSync(RECORDING, 'utf8'));
  const durations = new Map<string, Duration>();
  for (const [file, entry] of Object.entries(Object(recorded) as Record<string, unknown>)) {
    const [seconds, tests] = Array.isArray(entry) ? (entry as unknown[]) : [];
    if (typeof seconds !== 'number' || typeof tests !== 'number') {
      throw new Error(`${RECORDING} has no [seconds, tests] for ${file}. Record it again: npm test -- --durations`);
    }
    durations.set(file, { seconds, tests });
  }
  return durations;
}

/** What is known of a file, or what is assumed of one that is new. */
export function durationOf(durations: Durations, file: string): Duration {
  return durations.get(file) ?? (suiteOf(file) === 'unit' ? UNKNOWN_UNIT : UNKNOWN);
}

/** The durations of files from the lines of a run's results, one or more for each file. */
export function durationsOf(files: readonly FileLine[], tests: readonly TestLine[]): Map<string, Duration> {
  const counts = new Map<string, number>();
  for (const { file } of tests) if (file !== undefined) counts.set(file, (counts.get(file) ?? 0) + 1);
  const ms = new Map<string, number>();
  for (const line of files) ms.set(line.file, (ms.get(line.file) ?? 0) + line.ms);
  const durations = new Map<string, Duration>();
  for (const [file, time] of ms) durations.set(file, { seconds: rounded(time / 1000), tests: counts.get(file) ?? 0 });
  return durations;
}

/** Writes the recording: what a run has measured, and of the existing files that it did not run what was recorded before. */
export async function recordDurations(measured: Durations, existing: readonly string[]): Promise<void> {
  const before = recordedDurations();
  const lines = [...existing].sort().flatMap((file) => {
    const duration = measured.get(file) ?? before.get(file);
    return duration ? [`  ${JSON.stringify(file)}: [${duration.seconds}, ${duration.tests}]`] : [];
  });
  await writeFile(RECORDING, `{\n${lines.join(',\n')}\n}\n`);
}

/** Tenths below ten seconds, whole seconds above: more would change with every run. */
function rounded(seconds: number): number {
  return seconds < 10 ? Math.max(0.1, Math.round(seconds * 10) / 10) : Math.round(seconds);
}
