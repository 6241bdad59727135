import { basename, dirname } from 'node:path';
import { isCovered } from './covers';
import { durationOf, type Durations } from './durations';
import { suiteOf, type FileSuite } from './testFiles';
import { roomOf, type Reach } from './touched';

/** What a change usually needs until its answer, in seconds: what has tests without a browser for all that it does is answered by them. */
const USUAL_SECONDS = 60;
const SHORT_SECONDS = 15;

/** The places whose changes have a short answer. */
const SHORT: readonly RegExp[] = [
  /^src\/manifest\//,
  /^src\/sources\//,
  /^media\/l10n\//,
  /^package\.nls/,
  /^test\/unit\//,
  /^[^/]+\.md$/,
  /^\.github\//,
];

/** How long the answer about changed files may take, in seconds. */
export function secondsFor(changed: readonly string[]): number {
  return changed.every((file) => SHORT.some((place) => place.test(file))) ? SHORT_SECONDS : USUAL_SECONDS;
}

/** Which tests answer a change, and which are left for a run of all. */
export interface Plan {
  /** The files that run. */
  readonly selected: readonly string[];
  /** Files that the change can touch, but that take longer than there is time. */
  readonly late: readonly string[];
  /** Files that the change cannot touch. */
  readonly untouched: readonly string[];
  /** What the selected files take, in seconds, on all cores. */
  readonly seconds: number;
  /** The same with the late ones. */
  readonly allSeconds: number;
}

export interface PlanRequest {
  /** All test files of the suites that may run. */
  readonly tests: readonly string[];
  readonly touched: ReadonlyMap<string, Reach>;
  /** What test files name as what they cover, by their path; see `coversOf`. */
  readonly covers?: ReadonlyMap<string, readonly string[]>;
  /** The test files that were changed themselves, which run in any case. */
  readonly changed: readonly string[];
  readonly durations: Durations;
  /** Longest time for the answer, in seconds. */
  readonly withinSeconds: number;
  readonly cores: number;
}

/** What starting a process, and loading its tests, takes per suite, in seconds of one core; an editor's window among them. */
const START_SECONDS: Readonly<Record<FileSuite, number>> = { unit: 3, contract: 4, security: 4, editor: 40, ui: 60 };

/** What is looked at beside the tests: types, rules and format of the changed files. In seconds of one core. */
const LINT_SECONDS = 8;

/**
 * In which order the suites are asked, by what their answer costs: a test far away without a browser is asked before one with a browser near
 * by, and that before a window.
 */
const COSTS: Readonly<Record<FileSuite, number>> = { unit: 0, contract: 1, security: 1, editor: 3, ui: 3 };

/** What a test far away is behind one that is near, in the same measure as the distance: less than a suite, of which one counts ten. */
const FAR = 5;

/**
 * How close a test is to changed files, from 0: it covers one by name, or has its place in the mirrored folder; it has its place in the
 * mirrored room; it is named after the room, as `pushDelivery.test.ts` is after src/push; none of these.
 */
function distanceOf(test: string, changed: readonly string[], covered: readonly string[]): number {
  // The rules about all of src/ are close to none of it.
  const names = covered.filter((name) => name !== 'src');
  const isIn = (folder: string): boolean => test.startsWith(`test/unit/${folder.replace(/^(?:src|test)\//, '')}/`);
  if (changed.some((file) => names.some((name) => isCovered(file, name)) || isIn(dirname(file)))) return 0;
  const rooms = changed.map(roomOf);
  if (rooms.some(isIn)) return 1;
  return rooms.some((room) => basename(test).startsWith(basename(room, '.ts'))) ? 2 : 3;
}

/**
 * Selects tests of what has changed: all that were changed themselves, then those that it reaches by the shortest way and in the shortest
 * time, as many as there is time for.
 */
export function planOf({ tests, touched, covers, changed, durations, withinSeconds, cores }: PlanRequest): Plan {
  const touchedTests = tests.filter((file) => touched.has(file));
  const rank = (file: string): number => {
    // They run in any case; what answers in milliseconds is not left out for them.
    if (changed.includes(file)) return 9;
    const distance = distanceOf(file, changed, covers?.get(file) ?? []);
    return 10 * COSTS[suiteOf(file) ?? 'ui'] + (touched.get(file) === 'near' ? 0 : FAR) + distance;
  };
  const order = [...touchedTests].sort(
    (a, b) =>
      rank(a) - rank(b) || durationOf(durations, a).seconds - durationOf(durations, b).seconds || a.localeCompare(b),
  );
  const selected: string[] = [];
  const begun = new Set<FileSuite>();
  const begunByAll = new Set<FileSuite>();
  let [spent, spentByAll] = [LINT_SECONDS, LINT_SECONDS];
  for (const file of order) {
    const suite = suiteOf(file);
    if (suite === undefined) continue;
    const { seconds } = durationOf(durations, file);
    spentByAll += seconds + (begunByAll.has(suite) ? 0 : START_SECONDS[suite]);
    begunByAll.add(suite);
    const cost = seconds + (begun.has(suite) ? 0 : START_SECONDS[suite]);
    if (!changed.includes(file) && (spent + cost) / cores > withinSeconds) continue;
    selected.push(file);
    begun.add(suite);
    spent += cost;
  }
  return {
    selected: selected.sort(),
    late: touchedTests.filter((file) => !selected.includes(file)).sort(),
    allSeconds: spentByAll / cores,
    untouched: tests.filter((file) => !touched.has(file)).sort(),
    seconds: spent / cores,
  };
}
