import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { importsOf, sourceFiles, type Import } from '../support/importGraph';
import { ROOT } from '../support/paths';
import { coversOf } from './covers';
import { durationOf, recordedDurations, type Durations } from './durations';
import { planOf, secondsFor, type Plan } from './plan';
import { balanced } from './shards';
import { withFiles, withNeeds, type Part } from './suites';
import { FILE_SUITES, testFilesOf } from './testFiles';
import { touchedBy, type Dependencies } from './touched';

/** Files that Oxlint, the compiler and Oxfmt look at, each at those it knows. */
const CHECKED: ReadonlySet<string> = new Set(['.ts', '.mjs', '.json', '.jsonc', '.css', '.html', '.yml']);

/** The tests that answer a change, as parts of a run, and what they leave out. */
export interface ChangedParts {
  readonly parts: readonly Part[];
  /** What has changed, what runs, and how long that should take: lines to print before. */
  readonly head: readonly string[];
  /** What does not run, and how to run it: lines to print at the end. */
  readonly deferred: readonly string[];
}

/** The imports and covers of all files of the product and of its tests. */
export function dependencies(): Dependencies {
  const files = [...sourceFiles('src'), ...sourceFiles('test')];
  return {
    imports: files.flatMap(importsOf),
    covers: new Map(files.map((file) => [file, coversOf(file)])),
  };
}

/**
 * The parts of `all` that answer changed files within `withinSeconds` (by default as long as is usual for them), with only the tests that
 * were selected; types, rules and format of what has changed are checked in any case.
 */
export function changedParts(
  changed: readonly string[],
  all: readonly Part[],
  withinSeconds = secondsFor(changed),
): ChangedParts {
  if (changed.length === 0) return { parts: [], head: ['Nothing has changed.'], deferred: [] };
  const { imports, covers } = dependencies();
  const durations = recordedDurations();
  const runnable = new Set(all.flatMap(({ files }) => files ?? []));
  const tests = FILE_SUITES.flatMap(testFilesOf).filter((file) => runnable.has(file));
  const touched = touchedBy(changed, { imports, covers });
  const cores = availableParallelism();
  const plan = planOf({ tests, touched, covers, changed, durations, withinSeconds, cores });
  const checked = filesToCheck(changed, imports);
  const parts = selectedParts(all, plan.selected, checked, cores, durations);
  return { parts, head: headOf(changed, plan, checked), deferred: deferredOf(plan, withinSeconds, durations) };
}

/** Changed files that are checked, with those that import them: a type that has changed is wrong there. */
function filesToCheck(changed: readonly string[], imports: readonly Import[]): string[] {
  const importers = imports.filter(({ to }) => changed.includes(to)).map(({ from }) => from);
  const all = new Set([...changed.filter((file) => CHECKED.has(extname(file))), ...importers]);
  return [...all].filter((file) => existsSync(join(ROOT, file)) && !file.startsWith('test/fixtures/')).sort();
}

function selectedParts(
  all: readonly Part[],
  selected: readonly string[],
  checked: readonly string[],
  cores: number,
  durations: Durations,
): Part[] {
  const own = [...new Set(all.map(({ suite }) => suite))].flatMap((suite): Part[] => {
    const parts = all.filter((part) => part.suite === suite);
    const [first] = parts;
    if (!first) return [];
    if (suite === 'lint') return checked.length > 0 ? [{ ...first, files: checked, lane: 'busy', after: [] }] : [];
    const files = parts.flatMap((part) => part.files ?? []).filter((file) => selected.includes(file));
    // Several parts of a suite are shards of it: fewer files need other shards.
    const shards = parts.length === 1 ? [files] : balanced(files, cores, durations);
    return shards.flatMap((shard, index) => {
      const name = shards.length === 1 ? suite : `${suite} ${index + 1} of ${shards.length}`;
      return withFiles({ ...first, name, lane: 'busy', after: [] }, shard) ?? [];
    });
  });
  return withNeeds(own, [...own, ...all.filter(({ files, suite }) => files === undefined && suite !== 'lint')]);
}

function headOf(changed: readonly string[], { selected, seconds }: Plan, checked: readonly string[]): string[] {
  const shown = changed.length > 8 ? [...changed.slice(0, 8), `and ${changed.length - 8} more`] : changed;
  return [
    `Changed: ${shown.join(', ')}`,
    `Selected: types, rules and format of ${checked.length} files; ${bySuite(selected)}. Usually about ${Math.ceil(seconds)} s`,
  ];
}

function deferredOf(
  { late, seconds, allSeconds, untouched }: Plan,
  withinSeconds: number,
  durations: Durations,
): string[] {
  const lines: string[] = [];
  const testsIn = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + durationOf(durations, file).tests, 0);
  if (late.length > 0) {
    lines.push(
      `  ${testsIn(late)} tests that the change can touch take longer than ${withinSeconds} s: ${bySuite(late)}, about ${Math.ceil(allSeconds - seconds)} s.`,
      `  Run them, too: npm test -- --changed --within ${Math.ceil(allSeconds)}`,
    );
  }
  if (untouched.length > 0) {
    lines.push(`  ${testsIn(untouched)} tests that it cannot touch: ${bySuite(untouched)}.`);
  }
  return lines;
}

/** How many files of each suite. */
function bySuite(files: readonly string[]): string {
  const counts = FILE_SUITES.flatMap((suite) => {
    const count = files.filter((file) => file.startsWith(`test/${suite}/`)).length;
    return count > 0 ? [`${suite} ${count} ${count === 1 ? 'file' : 'files'}`] : [];
  });
  return counts.length > 0 ? counts.join(', ') : 'no test';
}
