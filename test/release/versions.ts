import { gt, minor, parse } from 'semver';

/** What stands in the way of a release: a sentence for the person who asked for it. Nothing has been changed. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
}

/** A version without a suffix, which is all that the Marketplace takes, such as `1.2.0`. @throws ReleaseError */
export function readVersion(text: string): string {
  const version = parse(text);
  if (version === null || version.version !== text || version.prerelease.length > 0) {
    throw new ReleaseError(
      `"${text}" is no version. A version has three numbers, such as 1.2.0; a pre-release has an odd second one.`,
    );
  }
  return text;
}

/** Whether a version is a pre-release: its second number is odd, by which the Marketplace tells them apart. */
export function isPreRelease(version: string): boolean {
  return minor(version) % 2 === 1;
}

/** Refuses a version that is not higher than the one in package.json and than all tags (`v1.2.0`). @throws ReleaseError */
export function refuseLower(version: string, current: string, tags: readonly string[]): void {
  if (tags.includes(tagOf(version))) throw new ReleaseError(`The tag ${tagOf(version)} exists already.`);
  const versions = tags.flatMap((tag) => (tag.startsWith('v') ? (parse(tag.slice(1))?.version ?? []) : []));
  for (const other of [current, ...versions]) {
    if (!gt(version, other)) throw new ReleaseError(`${version} is not higher than ${other}, which is there already.`);
  }
}

/** The tag of a version. */
export function tagOf(version: string): string {
  return `v${version}`;
}
