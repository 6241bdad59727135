import { join, relative } from 'node:path';
import { RELEASE_ENV, RELEASES, type Release } from '../machine/releases';
import { VSIX, VSIX_ENV } from '../machine/vsix';
import { LOADING_ENV } from '../support/loading';
import { ROOT } from '../support/paths';
import { recordedDurations } from './durations';
import type { LaneKind } from './lanes';
import type { Resource } from './resources';
import type { RunOptions } from './runOptions';
import { balanced, inShard, type Shard } from './shards';
import { testFilesOf, type FileSuite } from './testFiles';

const MINUTE_MS = 60_000;

/** Processes into which the contract tests that keep a core busy are divided, the unit tests, and those of a window, each of which opens one. */
const CONTRACT_SHARDS = 6;
const UNIT_SHARDS = 2;
const UI_SHARDS = 2;

/** Contract tests that mostly wait: for timeouts, leases, standby, and workers that fall asleep. */
const WAITING: ReadonlySet<string> = new Set(
  [
    'blocked.test.ts',
    'client.faults.test.ts',
    'contexts.test.ts',
    'errors.test.ts',
    'lifetime.test.ts',
    'localProcess.test.ts',
    'storage.test.ts',
    'upload.earlier.test.ts',
    'upload.slow.test.ts',
  ].map((name) => `test/contract/${name}`),
);

/** One process of a suite. */
export interface Part {
  /** The suite that its tests count for. */
  readonly suite: string;
  /** Unique among the parts. */
  readonly name: string;
  /** Program and arguments, started in the repository's root, without the test files; see {@link commandOf}. */
  readonly program: readonly [string, ...string[]];
  /** The test files that it runs, from the root of the repository; absent when it is not made of files. */
  readonly files?: readonly string[] | undefined;
  /** The folder that its program takes the paths of files from. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** `exit`: it is one test, with the exit code as its result. `results`: it writes a results file. */
  readonly counts: 'exit' | 'results';
  /** What must be on this machine before it begins. */
  readonly resources: readonly Resource[];
  /** Suites that must run before it, also when they are not selected. */
  readonly needs: readonly string[];
  /** Suites that run before it when they are selected, too. */
  readonly after: readonly string[];
  /** What it runs beside. One in the background gets a core when no other part wants it. */
  readonly lane: LaneKind;
  /** Whether a lane is kept for it until all that it needs is on this machine. */
  readonly isLongest: boolean;
  /** What it costs to begin it on a machine, or all of it when it has no files, in seconds. */
  readonly setupSeconds: number;
}

/** The program of a part, with the files that it runs as arguments. */
export function commandOf({ program, files, folder }: Part): [string, ...string[]] {
  return [...program, ...(files ?? []).map((file) => relative(folder, file))];
}

/** The same part with other files; undefined when it would have none. */
export function withFiles(part: Part, files: readonly string[] | undefined): Part | undefined {
  return files?.length === 0 ? undefined : { ...part, files };
}

const script = (name: string, ...args: string[]): [string, ...string[]] => [
  process.execPath,
  '--import',
  'tsx',
  join(ROOT, 'test', 'runner', name),
  ...args,
];

function part(suite: string, program: Part['program'], minutes: number, more: Partial<Part> = {}): Part {
  return {
    suite,
    name: suite,
    program,
    folder: '.',
    limitMs: minutes * MINUTE_MS,
    counts: 'results',
    resources: [],
    needs: [],
    after: [],
    lane: 'busy',
    isLongest: false,
    setupSeconds: 0,
    ...more,
  };
}

/** A part whose tests mocha runs in one process. */
function mochaPart(suite: string, of: FileSuite, files: readonly string[], minutes: number, more: Partial<Part>): Part {
  return part(suite, script('mochaSuite.ts', of), minutes, { files, folder: `test/${of}`, setupSeconds: 2, ...more });
}

/** The suites that run in a VS Code, on one release. */
function windowParts(release: Release): { editor: Part; ui: Part[] } {
  const suffix = release === 'newest' ? '' : ` (VS Code ${/^\d+\.\d+/.exec(RELEASES[release].version)?.[0] ?? ''})`;
  const env = { [RELEASE_ENV]: release, [VSIX_ENV]: VSIX };
  const more = { env, resources: ['browser', release] as const };
  const uiResources = [...more.resources, 'display'] as const;
  return {
    editor: part(`editor${suffix}`, script('editorSuite.ts'), 40, {
      ...more,
      files: testFilesOf('editor'),
      folder: 'test/editor',
      needs: ['build'],
      setupSeconds: 30,
    }),
    ui: balanced(testFilesOf('ui'), UI_SHARDS, recordedDurations()).map((files, index) =>
      mochaPart(`ui${suffix}`, 'ui', files, 70, {
        ...more,
        name: `ui${suffix} ${index + 1} of ${UI_SHARDS}`,
        resources: uiResources,
        needs: ['package'],
        isLongest: release === 'newest',
        setupSeconds: 30,
      }),
    ),
  };
}

/** What a run is to include besides the usual. */
export type PartsWanted = Pick<RunOptions, 'withOldest' | 'isFull'>;

function contractParts(suite: string, env: Readonly<Record<string, string>>): { busy: Part[]; waiting: Part } {
  const files = testFilesOf('contract');
  const busy = balanced(
    files.filter((file) => !WAITING.has(file)),
    CONTRACT_SHARDS,
    recordedDurations(),
  );
  const contract = (label: string, own: readonly string[], more: Partial<Part>): Part =>
    mochaPart(suite, 'contract', own, 25, { name: `${suite} ${label}`, resources: ['browser'], env, ...more });
  const waiting = files.filter((file) => WAITING.has(file));
  return {
    busy: busy.map((own, index) => contract(`${index + 1} of ${busy.length}`, own, {})),
    waiting: contract('that waits', waiting, { resources: ['display'], lane: 'waiting' }),
  };
}

function unitParts(): Part[] {
  const shards = balanced(testFilesOf('unit'), UNIT_SHARDS, recordedDurations());
  return shards.map((files, index) =>
    // Fills the lanes at the end.
    mochaPart('unit', 'unit', files, 15, { name: `unit ${index + 1} of ${shards.length}`, after: ['build'] }),
  );
}

/**
 * All parts of `npm test`, in the order in which they begin when they are ready: the longest first, so that they do not run alone at
 * the end.
 */
export function allParts({ withOldest, isFull }: PartsWanted): Part[] {
  const contract = contractParts('contract', {});
  const newest = windowParts('newest');
  const oldest = windowParts('oldest');
  return [
    contract.waiting,
    part('package', script('packageSuite.ts'), 3, { counts: 'exit', setupSeconds: 20 }),
    part('build', [process.execPath, '--import', 'tsx', '.esbuild.ts', '--tests'], 2, {
      counts: 'exit',
      setupSeconds: 5,
    }),
    ...newest.ui,
    newest.editor,
    ...contract.busy,
    mochaPart('security', 'security', testFilesOf('security'), 25, { resources: ['browser'] }),
    ...(withOldest ? [oldest.editor, ...oldest.ui] : []),
    // Without the tests that wait, which are about timeouts and about the dialog of a refused command line.
    ...(isFull ? contractParts('contract, loading over DevTools', { [LOADING_ENV]: '1' }).busy : []),
    // No test of it is measured in time, so that it fills the gaps of the others; alone it takes a minute.
    part('lint', script('lintSuite.ts'), 40, { lane: 'background', after: ['build'], setupSeconds: 60 }),
    ...unitParts(),
  ];
}

/** The names by which suites are selected, but for those of the oldest VS Code and of full doses. */
export function suiteNames(): string[] {
  return [...new Set(allParts({ withOldest: false, isFull: false }).map(({ suite }) => suite))];
}

/** The parts of the selected suites and of those that they need; all parts when none is selected. Throws on an unknown suite. */
export function chosenParts(names: readonly string[], wanted: PartsWanted): Part[] {
  const all = allParts(wanted);
  if (names.length === 0) return all;
  const known = [...new Set(all.map(({ suite }) => suite))];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no suite "${unknown.join('", "')}". There are: ${known.join(', ')}.`);
  }
  // `npm test -- ui --oldest` means the suite on both releases.
  const isNamed = ({ suite }: Part): boolean => names.some((name) => suite === name || suite.startsWith(`${name} (`));
  return withNeeds(all.filter(isNamed), all);
}

/** The share of one machine in these parts, with what its parts need. */
export function partsInShard(parts: readonly Part[], shard: Shard): Part[] {
  const own = inShard(parts, shard, recordedDurations()).flatMap(({ part: one, files }) => withFiles(one, files) ?? []);
  return withNeeds(own, parts);
}

/** The parts, and of `all` those of the suites that they need, in the order of `all`. */
export function withNeeds(parts: readonly Part[], all: readonly Part[]): Part[] {
  const suites = new Set(parts.map(({ suite }) => suite));
  for (const { suite, needs } of [...all].reverse()) {
    if (suites.has(suite)) for (const need of needs) suites.add(need);
  }
  return all.flatMap((one) => {
    const own = parts.filter(({ name }) => name === one.name);
    if (own.length > 0) return own;
    return suites.has(one.suite) && !parts.some(({ suite }) => suite === one.suite) ? [one] : [];
  });
}
