// Covers: CHANGELOG.md
/**
 * `npm run release -- 0.9.0`: makes a release out of what is committed. A section of the changelog, the version, a commit and a tag; the packages for
 * VS Code and npm, notices, bill of materials and checksums, built twice in different folders and compared. The commit and the tag are there only when all
 * of that has succeeded; pushing them is for the person, and the rest for the workflow. `--build FOLDER` builds the files of the commit that is
 * checked out, `--notes VERSION` prints what the changelog says about a version; both are for that workflow.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { npmCommand } from '../machine/npmPackage';
import { runChild } from '../support/child';
import { atEnd, endAll } from '../support/cleanup';
import { CACHE, ROOT } from '../support/paths';
import { Steps } from '../support/steps';
import { buildArtifacts, CHECKSUMS } from './artifacts';
import { notesOf } from './changelog';
import { planRelease, refuseOtherPackages, writeChanges } from './plan';
import { Repository } from './repository';
import { isPreRelease, ReleaseError, tagOf } from './versions';

const USAGE = 'npm run release -- VERSION [--suites lint,unit] | --build FOLDER | --notes VERSION';

/** Longest time of all tests, in milliseconds. */
const TESTS_LIMIT_MS = 2 * 60 * 60_000;

const steps = new Steps();

async function main(): Promise<void> {
  // The permissions of files are in the packages.
  process.umask(0o022);
  const { values, positionals } = readOptions();
  const repository = new Repository(ROOT);
  if (values.notes !== undefined) {
    process.stdout.write(notesOf(await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8'), values.notes));
  } else if (values.build !== undefined) {
    await buildArtifacts(ROOT, resolve(values.build), await repository.commitTime());
  } else {
    const [version, ...others] = positionals;
    if (version === undefined || others.length > 0) throw new ReleaseError(`Name one version. Usage: ${USAGE}`);
    await release(repository, version, values.suites?.split(',') ?? []);
  }
}

/** @throws ReleaseError */
function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { suites: { type: 'string' }, build: { type: 'string' }, notes: { type: 'string' } },
    });
  } catch (error) {
    throw new ReleaseError(`${error instanceof Error ? error.message : String(error)} Usage: ${USAGE}`);
  }
}

async function release(repository: Repository, version: string, suites: readonly string[]): Promise<void> {
  const changes = await planRelease(repository, version, new Date().toISOString().slice(0, 10));
  await refuseOtherPackages(ROOT);
  steps.say(`${version} is a ${isPreRelease(version) ? 'pre-release' : 'release'}`);
  const tests = suites.length > 0 ? suites.join(', ') : 'all';
  await steps.step(
    'Tests',
    () => runTests(suites),
    () => `Tests passed: ${tests}`,
  );
  const work = await mkdtemp(join(tmpdir(), 'sideload-release-'));
  const remove = atEnd(work, () => rm(work, { recursive: true, force: true }));
  const first = await repository.cloneTo(join(work, 'first'));
  await writeChanges(changes, first.root);
  await first.commit(`Release ${version}`, repository);
  const second = await first.cloneTo(join(work, 'another', 'folder', 'second'));
  const epoch = await first.commitTime();
  const folders = [];
  for (const { root } of [first, second]) {
    const out = join(dirname(root), 'out');
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'), 'junction');
    await steps.step(
      'Build',
      () => buildArtifacts(root, out, epoch),
      () => 'Built',
    );
    folders.push(out);
  }
  const sums = await sameSums(folders);
  await repository.take(first, tagOf(version), `Sideload ${version}`);
  const out = join(CACHE, 'release', version);
  await mkdir(out, { recursive: true });
  await cp(folders[0] ?? '', out, { recursive: true });
  steps.say(`Both builds are equal:\n${sums.trimEnd()}`);
  steps.say(`${tagOf(version)} is there, its files are in ${out}. To publish: git push --follow-tags`);
  await remove();
}

/** Runs the suites, all when none is named. Rejects when one fails. */
async function runTests(suites: readonly string[]): Promise<void> {
  const [program, ...args] = npmCommand('test', '--silent', '--', ...suites);
  const { code } = await runChild(program, args, { cwd: ROOT, limitMs: TESTS_LIMIT_MS });
  if (code !== 0) throw new ReleaseError('The tests fail. Nothing was changed.');
}

/** The checksums of builds, which are the same. @throws ReleaseError that names the files that differ */
async function sameSums(folders: readonly string[]): Promise<string> {
  const [first = '', ...others] = await Promise.all(folders.map((folder) => readFile(join(folder, CHECKSUMS), 'utf8')));
  const lines = new Set(others.flatMap((sums) => sums.split('\n')));
  const differing = first.split('\n').filter((line) => !lines.has(line));
  if (others.every((sums) => sums === first)) return first;
  throw new ReleaseError(`Two builds differ, and nothing was changed: ${differing.join(', ')}`);
}

void main()
  .catch((error: unknown) => {
    console.error(error instanceof ReleaseError ? error.message : error);
    process.exitCode = 1;
  })
  .then(endAll);
