import * as l10n from '@vscode/l10n';
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin, readRegularFile } from '../base/disk';
import { fieldOf } from '../base/fields';
import { shortened } from '../base/units';
import { runCommand } from './childCommand';

/** A larger package.json is not read, in bytes. */
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** How long a build may take, in milliseconds. */
const BUILD_LIMIT_MS = 10 * 60_000;

/** The lines of a failed build that are told. */
const SHOWN_LINES = 15;

/** Lock files of package managers, and how each runs a script. */
const MANAGERS: readonly (readonly [lockFile: string, command: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lockb', 'bun run'],
  ['bun.lock', 'bun run'],
];

/**
 * Runs the script `build` of the package that `folder` is in, if there is one with such a script in `root` or above the folder in it. Both
 * absolute; the folder need not exist.
 * @throws Error with a sentence for people when the build fails
 */
export async function buildProject(root: string, folder: string, signal?: AbortSignal): Promise<void> {
  const project = await projectOf(root, folder);
  if (project === undefined) return;
  const command = `${await managerOf(project, root)} build`;
  const { code, output, isLate } = await runCommand(command, [], {
    cwd: project,
    shell: true,
    signal,
    limitMs: BUILD_LIMIT_MS,
  });
  if (isLate) throw new Error(l10n.t('"{0}" has not ended within {1} minutes.', command, BUILD_LIMIT_MS / 60_000));
  if (code === 0) return;
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(l10n.t('"{0}" has failed: {1}', command, shortened(lines, 2000)));
}

/** The nearest folder at or above `folder`, within `root`, whose package has a script `build`. */
async function projectOf(root: string, folder: string): Promise<string | undefined> {
  for (let at = folder; isWithin(root, at); at = dirname(at)) {
    if (await hasBuildScript(at)) return at;
    if (at === dirname(at)) break;
  }
  return undefined;
}

/** Whether the package in a folder, whose path is absolute, has a script `build`. Never rejects. */
export async function hasBuildScript(folder: string): Promise<boolean> {
  try {
    const text = await readRegularFile(join(folder, 'package.json'), MAX_PACKAGE_BYTES);
    const value: unknown = text && JSON.parse(text.toString('utf8'));
    return typeof fieldOf(fieldOf(value, 'scripts'), 'build') === 'string';
  } catch {
    // Not JSON.
    return false;
  }
}

/** How scripts of a project are run: by the package manager whose lock file is in its folder, or above it within `root`. */
export async function managerOf(project: string, root = project): Promise<string> {
  for (let at = project; isWithin(root, at); at = dirname(at)) {
    for (const [lockFile, command] of MANAGERS) {
      const isThere = await access(join(at, lockFile)).then(
        () => true,
        () => false,
      );
      if (isThere) return command;
    }
    if (at === dirname(at)) break;
  }
  return 'npm run';
}
