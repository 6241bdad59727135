import { ReleaseError } from './versions';

const UNRELEASED = '## [Unreleased]';

/**
 * The changelog after a release: what stood under Unreleased stands under the version and its date (`2026-11-26`), and Unreleased is empty.
 * @throws ReleaseError when nothing stands there
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  const entries = sectionOf(text, 'Unreleased');
  if (!entries.some((line) => line.startsWith('- '))) {
    throw new ReleaseError('CHANGELOG.md has nothing under Unreleased. Say there what a reader gains.');
  }
  return text.replace(UNRELEASED, () => `${UNRELEASED}\n\n## [${version}] - ${date}`);
}

/** What the changelog says about a version. @throws ReleaseError when it has no section */
export function notesOf(text: string, version: string): string {
  return `${sectionOf(text, version).join('\n').trim()}\n`;
}

/** The lines between the heading of a version and the next one. */
function sectionOf(text: string, version: string): string[] {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (start < 0) throw new ReleaseError(`CHANGELOG.md has no section "## [${version}]".`);
  const end = lines.findIndex((line, at) => at > start && line.startsWith('## '));
  return lines.slice(start + 1, end < 0 ? undefined : end);
}
