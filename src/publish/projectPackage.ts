import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersUp, readRegularFile } from '../base/disk';
import { fieldOf, objectOf } from '../base/fields';
import { succeeds } from '../base/succeeds';

/** A larger package.json is not read, in bytes. */
const MAX_PACKAGE_BYTES = 1024 * 1024;

/** Lock files of package managers. */
const MANAGERS: readonly (readonly [lockFile: string, name: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lockb', 'bun'],
  ['bun.lock', 'bun'],
];

/** What the package.json of a project says. */
export interface ProjectPackage {
  /** The names of its scripts. */
  scripts: ReadonlySet<string>;
  /** The names of the packages that it depends on, also for development. */
  dependencies: ReadonlySet<string>;
}

/** Reads the package.json in a folder, whose path is absolute; where there is none that can be read, nothing is in it. Never rejects. */
export async function readPackage(folder: string): Promise<ProjectPackage> {
  let value: unknown;
  try {
    const text = await readRegularFile(join(folder, 'package.json'), MAX_PACKAGE_BYTES);
    value = text && JSON.parse(text.toString('utf8'));
  } catch {
    // Not JSON.
  }
  const entriesOf = (key: string): [string, unknown][] => Object.entries(objectOf(fieldOf(value, key)));
  const scripts = entriesOf('scripts').flatMap(([name, script]) => (typeof script === 'string' ? [name] : []));
  const dependencies = ['dependencies', 'devDependencies'].flatMap(entriesOf).map(([name]) => name);
  return { scripts: new Set(scripts), dependencies: new Set(dependencies) };
}

/**
 * The command line that runs a script of the project in a folder, such as `npm run build`: by the package manager whose lock file is in the
 * folder, or above it within `root`.
 */
export async function scriptCommand(folder: string, script: string, root = folder): Promise<string> {
  return `${await managerOf(folder, root)} run ${script}`;
}

/** The command line that installs the packages of the project in a folder, such as `npm install`; see {@link scriptCommand}. */
export async function installCommand(folder: string, root: string): Promise<string> {
  return `${await managerOf(folder, root)} install`;
}

async function managerOf(folder: string, root: string): Promise<string> {
  for (const at of foldersUp(folder, root)) {
    for (const [lockFile, name] of MANAGERS) {
      if (await succeeds(access(join(at, lockFile)))) return name;
    }
  }
  return 'npm';
}
