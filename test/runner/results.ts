import { openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The environment variable that names the file into which a suite writes its results. */
export const RESULTS_ENV = 'SIDELOAD_TEST_RESULTS';

/** The environment variable that names the test files which an extension host is to run, with commas; empty for all. */
export const FILES_ENV = 'SIDELOAD_TEST_FILES';

/**
 * One line of a results file, as JSON: a test that ended, and last of all that the suite came to its end. A file
 * without the last line is of a suite that crashed or was stopped.
 */
export type ResultLine = TestLine | FileLine | { readonly kind: 'end' };

/** How long the tests of a file took, with their hooks. */
export interface FileLine {
  readonly kind: 'file';
  /** From the root of the repository. */
  readonly file: string;
  readonly ms: number;
}

/** A test that ended. */
export interface TestLine {
  readonly kind: 'test';
  readonly state: TestState;
  readonly title: string;
  /** The file that it stands in, from the root of the repository; absent when it stands in none. */
  readonly file?: string;
  readonly ms: number;
  /** Why it failed. */
  readonly reason?: string;
}

export type TestState = 'passed' | 'failed' | 'skipped';

/** How many tests of a suite, or of all, ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a suite has written so far. */
export interface Results {
  readonly lines: readonly ResultLine[];
  readonly counts: Counts;
  readonly complete: boolean;
}

/** Adds a line to the results file that RESULTS_ENV names; does nothing when it names none. */
export function appendResult(line: ResultLine): void {
  const file = process.env[RESULTS_ENV];
  if (file === undefined) return;
  // It stays open: a test may be running as a user who may not open it.
  resultsFile ??= openSync(file, 'a');
  writeSync(resultsFile, `${JSON.stringify(line)}\n`);
}

let resultsFile: number | undefined;

/** What a failed test says of the error that it ended with. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Reads a results file. One that is not there counts as empty; a line that was not written to its end is left out. */
export async function readResults(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(decodeLine);
  const count = (state: TestState): number =>
    lines.filter((line) => line.kind === 'test' && line.state === state).length;
  return {
    lines,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    complete: lines.some((line) => line.kind === 'end'),
  };
}

/** Adds up counts. */
export function total(all: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number): number => all.reduce((before, counts) => before + of(counts), 0);
  return { passed: sum((c) => c.passed), failed: sum((c) => c.failed), skipped: sum((c) => c.skipped) };
}

/** The line that a test run ends with. */
export function totalsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function decodeLine(text: string): ResultLine {
  const line: unknown = JSON.parse(text);
  if (typeof line === 'object' && line !== null && 'kind' in line) {
    if (line.kind === 'end') return { kind: 'end' };
    if (line.kind === 'file' && 'file' in line && 'ms' in line) {
      const { file, ms } = line;
      if (typeof file === 'string' && typeof ms === 'number') return { kind: 'file', file, ms };
    }
    if (line.kind === 'test' && 'state' in line && 'title' in line && 'ms' in line) {
      const { state, title, ms } = line;
      const reason = 'reason' in line && typeof line.reason === 'string' ? { reason: line.reason } : {};
      const file = 'file' in line && typeof line.file === 'string' ? { file: line.file } : {};
      if (isState(state) && typeof title === 'string' && typeof ms === 'number')
        return { kind: 'test', state, title, ...file, ms, ...reason };
    }
  }
  throw new Error(`A results file holds a line that no reporter writes: ${text}`);
}

function isState(value: unknown): value is TestState {
  return value === 'passed' || value === 'failed' || value === 'skipped';
}
