import * as l10n from '@vscode/l10n';
import { access, copyFile, mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { succeeds } from '../base/succeeds';
import { shortened } from '../base/units';
import { MANIFEST_FILE } from '../manifest/load';
import { runCommand } from './childCommand';
import { buildProject, projectOf } from './projectBuild';

/** How long a command of git may take, in milliseconds: a large repository is checked out. */
const GIT_LIMIT_MS = 120_000;

/** Digits of a commit that people know it by, where git does not say how many. */
const SHORT_COMMIT = 10;

/** Git runs no hook for us, and on Windows takes paths of more than 260 characters. */
const OPTIONS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.longPaths=true'];

/** The most tags that are offered. */
const MOST_TAGS = 200;

/** What says how a project is built. */
const PACKAGE = 'package.json';

/** Where packages of the dependencies are, which a build needs and git does not hold. */
const MODULES = 'node_modules';

/** A version of the files of a repository. Dispose of it. */
export interface CheckedOut {
  /** The same folder as the one that was asked for, in that version. */
  folder: string;
  /** The beginning of its commit, as long as git shows it. */
  commit: string;
  dispose: () => Promise<void>;
}

/**
 * Checks out a tag or commit of the repository that holds `folder` into `target`, a path that is free, and builds it there where its package has
 * a script for that; the packages in the repository's own `node_modules` are used for it. `folder` is absolute. `onFound` is called when the commit
 * is known, before what takes its time.
 * @throws Error with a sentence for people
 */
export async function checkOut(
  folder: string,
  revision: string,
  target: string,
  signal?: AbortSignal,
  onFound?: () => void,
): Promise<CheckedOut> {
  const root = await repositoryOf(folder, revision, signal);
  // Git before 2.30 has no `--end-of-options` here; no tag or commit begins like an option.
  const named = revision.startsWith('-') ? '' : revision;
  const found = await git(root, ['rev-parse', '--verify', '--quiet', `${named}^{commit}`], signal);
  const commit = found.stdout.trim();
  if (found.code !== 0 || !/^[0-9a-f]{40,64}$/.test(commit)) {
    throw new Error(l10n.t('The repository {0} has no tag or commit "{1}".', root, shortened(revision, 100)));
  }
  onFound?.();
  const links: string[] = [];
  const dispose = async (): Promise<void> => {
    // Git on Windows may follow them, and remove the packages of the repository itself. A build may have put folders in their places.
    for (const link of links) await rm(link, { force: true }).catch(() => undefined);
    // The second `--force` is for one that git was still making, and has locked.
    const forget = (): Promise<unknown> =>
      git(root, ['worktree', 'remove', '--force', '--force', target]).catch(() => undefined);
    await forget();
    await rm(target, { recursive: true, force: true, maxRetries: 5 });
    // What git could not remove; `prune` would forget other worktrees, too, whose folders are not there now.
    await forget();
  };
  try {
    const way = relative(root, await realpath(folder));
    const failed = await addWorktree({ root, commit, target, way }, signal);
    if (failed !== undefined) throw new Error(l10n.t('git could not check out "{0}": {1}', revision, reasonIn(failed)));
    await linkModules(root, target, way, links);
    const named = join(target, way);
    await buildProject(target, named, root, signal);
    const old = await builtFolder(named);
    if (old === undefined) {
      const shown = way === '' ? '.' : way;
      throw new Error(l10n.t('The folder {0} of "{1}" has no manifest.json.', shown, shortened(revision, 100)));
    }
    const short = await git(root, ['rev-parse', '--short', commit], signal);
    return { folder: old, commit: short.code === 0 ? short.stdout.trim() : commit.slice(0, SHORT_COMMIT), dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The folder with what was built: where it is that of a development server, as WXT and Plasmo name them, the one of the build for people beside it. */
async function builtFolder(named: string): Promise<string | undefined> {
  const name = basename(named).replace(/-dev$/, '');
  for (const one of new Set([basename(named), name, `${name}-prod`])) {
    const folder = join(dirname(named), one);
    if (await succeeds(access(join(folder, MANIFEST_FILE)))) return folder;
  }
  return undefined;
}

/**
 * Makes the worktree of a commit, with the folder `way` alone where no script builds it: repositories hold much besides. Resolves to what git has
 * written when it fails.
 */
async function addWorktree(
  { root, commit, target, way }: { root: string; commit: string; target: string; way: string },
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const added = await git(root, ['worktree', 'add', '--no-checkout', '--detach', '--quiet', target, commit], signal);
  if (added.code !== 0) return added.output;
  const checkOutPaths = async (paths: readonly string[]): Promise<string | undefined> => {
    if (paths.length === 0) return undefined;
    const { code, output } = await git(target, ['checkout', '--quiet', commit, '--', ...paths], signal);
    return code === 0 ? undefined : output;
  };
  const names = way.split(/[\\/]/).filter(Boolean);
  const folder = names.join('/');
  if (folder === '') return await checkOutPaths(['.']);
  const packages = [...names, ''].map((_name, count) => [...names.slice(0, count), PACKAGE].join('/'));
  const manifest = `${folder}/${MANIFEST_FILE}`;
  const listed = await git(root, ['ls-tree', '-z', '--name-only', commit, '--', ...packages, manifest], signal);
  const there = new Set(listed.stdout.split('\0'));
  const failed = await checkOutPaths(packages.filter((path) => there.has(path)));
  if (failed !== undefined) return failed;
  const isBuilt = (await projectOf(target, join(target, way))) !== undefined;
  return await checkOutPaths(isBuilt ? ['.'] : there.has(manifest) ? [folder] : []);
}

/** The tags of the repository that holds `folder`, newest first; none outside of one. Never rejects. */
export async function tagsOf(folder: string): Promise<string[]> {
  const { code, stdout } = await git(folder, [
    'for-each-ref',
    `--count=${MOST_TAGS}`,
    '--sort=-creatordate',
    '--format=%(refname:strip=2)',
    'refs/tags',
  ]);
  return code === 0 ? stdout.split('\n').filter(Boolean) : [];
}

async function repositoryOf(folder: string, revision: string, signal: AbortSignal | undefined): Promise<string> {
  const { code, stdout, output } = await git(folder, ['rev-parse', '--show-toplevel'], signal);
  if (code === undefined) throw new Error(l10n.t('git cannot be run: {0}', reasonIn(output)));
  // It refuses one of another user, among others, and says what to do.
  if (code !== 0 && !output.includes('not a git repository'))
    throw new Error(l10n.t('git cannot be run: {0}', reasonIn(output)));
  if (code !== 0) {
    // The words of a command line that are no folder, file or id come here as a tag, too.
    throw new Error(
      l10n.t('"{0}" is no tag or commit: {1} is in no git repository.', shortened(revision, 100), folder),
    );
  }
  return await realpath(stdout.trim());
}

/** Links the dependencies of each folder on the way from the repository to the extension, where it has some; adds the links to `links`. */
async function linkModules(root: string, target: string, way: string, links: string[]): Promise<void> {
  const parts = way.split(/[\\/]/).filter(Boolean);
  for (let count = 0; count <= parts.length; count++) {
    const below = join(...parts.slice(0, count), MODULES);
    // A folder that does not exist there, or modules that are in git.
    await linkEntries(join(root, below), join(target, below), links).catch(() => undefined);
  }
}

/** Makes a folder with links to what another one holds: a build that installs packages empties it, and would empty the other one by a link. */
async function linkEntries(folder: string, linked: string, links: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await mkdir(linked);
  for (const entry of entries) {
    const [from, to] = [join(folder, entry.name), join(linked, entry.name)];
    if (entry.isDirectory() && entry.name.startsWith('@')) await linkEntries(from, to, links);
    else if (entry.isFile()) await copyFile(from, to);
    else {
      links.push(to);
      await symlink(from, to, 'junction');
    }
  }
}

function git(cwd: string, args: readonly string[], signal?: AbortSignal): ReturnType<typeof runCommand> {
  // What it says is compared, and shown among English and other words.
  const env = { LC_ALL: 'C' };
  return runCommand('git', [...OPTIONS, '--literal-pathspecs', ...args], { cwd, signal, limitMs: GIT_LIMIT_MS, env });
}

/** The reason in what git has written: its first error, which says more than what it gives up with at the end. */
function reasonIn(output: string): string {
  const lines = output.trim().split('\n');
  const first = (kind: string): string | undefined => lines.find((line) => line.startsWith(kind));
  return shortened(first('error:') ?? first('fatal:') ?? lines.at(-1) ?? '', 500);
}
