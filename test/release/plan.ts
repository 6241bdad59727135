import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldOf, objectOf, textField } from '../../src/base/fields';
import { releasedChangelog } from './changelog';
import type { Repository } from './repository';
import { readVersion, refuseLower, ReleaseError } from './versions';

/** The files that a release changes, with their new text, by their names. */
export type ReleaseChanges = ReadonlyMap<string, string>;

/**
 * What a release changes in a repository: the version in package.json and in the lock file, and the changelog. It only reads.
 * `date` is that of the release, as `2026-11-26`.
 * @throws ReleaseError for a version that cannot follow, a tree that is not clean, packages that are not those of the lock file, an empty Unreleased
 */
export async function planRelease(repository: Repository, text: string, date: string): Promise<ReleaseChanges> {
  const version = readVersion(text);
  const read = (name: string): Promise<string> => readFile(join(repository.root, name), 'utf8');
  const [manifest, lock, changelog] = await Promise.all(
    ['package.json', 'package-lock.json', 'CHANGELOG.md'].map(read),
  );
  if (manifest === undefined || lock === undefined || changelog === undefined) throw new Error('A file is missing.');
  const current = textField(JSON.parse(manifest), 'version');
  refuseLower(version, current, await repository.tags());
  if (!(await repository.isClean()))
    throw new ReleaseError('The work tree has changes. Commit them, or put them away, first.');
  const released = releasedChangelog(changelog, version, date);
  return new Map([
    ['package.json', withVersion(manifest, current, version, 1)],
    // Of the file and of its root package.
    ['package-lock.json', withVersion(lock, current, version, 2)],
    ['CHANGELOG.md', released],
  ]);
}

/** Writes the changes into a folder. */
export async function writeChanges(changes: ReleaseChanges, root: string): Promise<void> {
  await Promise.all([...changes].map(([name, text]) => writeFile(join(root, name), text)));
}

/** Refuses installed packages that are not those of the lock file, since a release would contain them. @throws ReleaseError */
export async function refuseOtherPackages(root: string): Promise<void> {
  const [wanted, installed] = await Promise.all(
    ['package-lock.json', join('node_modules', '.package-lock.json')].map((name) =>
      readFile(join(root, name), 'utf8').then(
        (text) => fieldOf(JSON.parse(text), 'packages'),
        () => undefined,
      ),
    ),
  );
  // Packages for other platforms are not installed.
  const differs = Object.entries(objectOf(installed)).some(
    ([path, entry]) => textField(entry, 'version') !== textField(fieldOf(wanted, path), 'version'),
  );
  if (installed === undefined || differs)
    throw new ReleaseError('The installed packages are not those of package-lock.json. Run npm ci first.');
}

/** Replaces the first fields `version` with this value. */
function withVersion(text: string, from: string, to: string, times: number): string {
  const old = `"version": "${from}"`;
  let changed = text;
  for (let time = 0; time < times; time++) changed = changed.replace(old, () => `"version": "${to}"`);
  return changed;
}
