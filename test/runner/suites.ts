import { join } from 'node:path';
import type { LaneKind } from './lanes';
import { LOADING_ENV } from '../support/loading';
import { ROOT } from '../support/paths';
import { RELEASE_ENV, RELEASES, type Release } from '../machine/releases';
import type { Resource } from './resources';
import type { RunOptions } from './runOptions';
import { contractShards } from './shards';
import { VSIX, VSIX_ENV } from '../machine/vsix';

const MINUTE_MS = 60_000;

/** Busy processes into which the contract tests are divided. */
const CONTRACT_SHARDS = 4;

/** One process of a suite. */
export interface Part {
  /** The suite that its tests count for. */
  readonly suite: string;
  /** Unique among the parts. */
  readonly name: string;
  /** Program and arguments, started in the repository's root. */
  readonly command: readonly [string, ...string[]];
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
}

const script = (name: string, ...args: string[]): [string, ...string[]] => [
  process.execPath,
  '--import',
  'tsx',
  join(ROOT, 'test', 'runner', name),
  ...args,
];

function part(suite: string, command: Part['command'], minutes: number, more: Partial<Part> = {}): Part {
  return {
    suite,
    name: suite,
    command,
    limitMs: minutes * MINUTE_MS,
    counts: 'results',
    resources: [],
    needs: [],
    after: [],
    lane: 'busy',
    ...more,
  };
}

/** The suites that run in a VS Code, on one release. */
function windowParts(release: Release): { editor: Part; ui: Part } {
  const suffix = release === 'newest' ? '' : ` (VS Code ${/^\d+\.\d+/.exec(RELEASES[release].version)?.[0] ?? ''})`;
  const env = { [RELEASE_ENV]: release, [VSIX_ENV]: VSIX };
  const more = { env, resources: ['browser', release] as const };
  const uiResources = [...more.resources, 'display'] as const;
  return {
    editor: part(`editor${suffix}`, script('editorSuite.ts'), 25, { ...more, needs: ['build'] }),
    ui: part(`ui${suffix}`, script('mochaSuite.ts', 'ui'), 30, { ...more, resources: uiResources, needs: ['package'] }),
  };
}

/** What a run is to include besides the usual. */
export type PartsWanted = Pick<RunOptions, 'withOldest' | 'isFull'>;

function contractParts(suite: string, env: Readonly<Record<string, string>>): { busy: Part[]; waiting: Part } {
  const { busy, waiting } = contractShards(CONTRACT_SHARDS);
  const contract = (label: string, files: readonly string[], more: Partial<Part>): Part =>
    part(suite, script('mochaSuite.ts', 'contract', ...files), 25, {
      name: `${suite} ${label}`,
      resources: ['browser'],
      env,
      ...more,
    });
  return {
    busy: busy.map((files, index) => contract(`${index + 1} of ${busy.length}`, files, {})),
    waiting: contract('that waits', waiting, { resources: ['display'], lane: 'waiting' }),
  };
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
    part('package', script('packageSuite.ts'), 3, { counts: 'exit' }),
    part('build', [process.execPath, '--import', 'tsx', '.esbuild.ts', '--tests'], 2, { counts: 'exit' }),
    newest.ui,
    newest.editor,
    ...contract.busy,
    part('security', script('mochaSuite.ts', 'security'), 10, { resources: ['browser'] }),
    ...(withOldest ? [oldest.editor, oldest.ui] : []),
    // Without the tests that wait, which are about timeouts and about the dialog of a refused command line.
    ...(isFull ? contractParts('contract, loading over DevTools', { [LOADING_ENV]: '1' }).busy : []),
    // No test of it is measured in time, so that it fills the gaps of the others; alone it takes a minute.
    part('lint', script('lintSuite.ts'), 40, { lane: 'background', after: ['build'] }),
    // Fills the lanes at the end.
    part('unit', script('mochaSuite.ts', 'unit'), 5, { after: ['build'] }),
  ];
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
  const chosen = new Set(all.filter(isNamed).map(({ suite }) => suite));
  for (const { suite, needs } of [...all].reverse()) {
    if (chosen.has(suite)) for (const need of needs) chosen.add(need);
  }
  return all.filter(({ suite }) => chosen.has(suite));
}
