import type { PartResult } from './parts';
import type { Counts, TestLine, TestState } from './results';
import type { Part } from './suites';

/** More failed tests than this are no accident of a busy machine. The tests of a window share it, so that one failure may bring others. */
const MOST_FAILED = 40;

/** The suites whose tests drive browsers and windows, which other suites beside them may slow down by much. */
const DRIVING: ReadonlySet<string> = new Set(['contract', 'editor', 'ui']);

/** A part of a run whose failed tests run once more, when nothing else runs. */
export interface Again {
  readonly part: Part;
  /** The files that it runs again; undefined when it runs all. */
  readonly files: ReadonlySet<string> | undefined;
}

/** What to run again of a part that has ended; undefined when there is nothing, or too much. */
export function againOf(part: Part, { tests }: PartResult): Again | undefined {
  const failed = tests.filter(({ state }) => state === 'failed');
  if (!DRIVING.has(part.suite) || failed.length === 0 || failed.length > MOST_FAILED) return undefined;
  // What failed outside of a file, such as the editor itself, concerns all of them.
  const isAll = failed.some(({ file }) => file === undefined);
  const files = isAll ? undefined : new Set(failed.flatMap(({ file }) => file ?? []));
  return { part: { ...part, name: `${part.name}, again`, files: files ? [...files] : part.files }, files };
}

/** The result of a part with what has run again in the place of what ran at first. */
export function mergedResult(first: PartResult, again: PartResult, files: Again['files']): PartResult {
  const kept = files ? first.tests.filter(({ file }) => file === undefined || !files.has(file)) : [];
  const tests = [...kept, ...again.tests];
  return { tests, counts: countsOf(tests), files: first.files, ms: first.ms + again.ms };
}

function countsOf(tests: readonly TestLine[]): Counts {
  const count = (wanted: TestState): number => tests.filter(({ state }) => state === wanted).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
}
