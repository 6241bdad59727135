import type { TestLine } from './results';
import { seconds } from '../support/steps';

/** A test and the part of the run that it was in. */
export interface RunTest {
  readonly part: string;
  readonly test: TestLine;
}

/** Tests that the list of the slowest holds. */
const SLOWEST = 10;

/** The slowest tests of a run, slowest first, a line for each. */
export function slowest(tests: readonly RunTest[]): string[] {
  const sorted = [...tests].sort((a, b) => b.test.ms - a.test.ms).slice(0, SLOWEST);
  return sorted.map(({ part, test }) => `  ${seconds(test.ms).padStart(6)}  ${part}: ${test.title}`);
}

/** A longer line of a reason, and lines beyond so many, are cut: the end of a run must have room for all of its failures. */
const LONGEST_LINE = 300;
const MOST_LINES = 16;

/** The tests that failed, each with its reason: who reads a run may not be able to repeat it. */
export function failures(tests: readonly RunTest[]): string[] {
  return tests
    .filter(({ test }) => test.state === 'failed')
    .map(({ part, test }) => `  ${part}: ${test.title}: ${shortened(test.reason ?? 'no reason given')}`);
}

function shortened(reason: string): string {
  const lines = reason.split('\n');
  const left = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => {
    return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
  });
  return [...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join('\n    ');
}
