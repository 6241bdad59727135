import { oneLine } from '../agents/bounds';
import { unusableGlobs } from '../archive/choice';
import type { CliOptions } from './cliOptions';

/** Longest text of a pattern in a warning, in characters. */
const MOST_SHOWN = 100;

/** A line about each pattern of a command line that does not do what patterns do. */
export function patternWarnings({ exclude, include }: Pick<CliOptions, 'exclude' | 'include'>): string[] {
  const warning = (option: string, glob: string): string =>
    `The pattern "${oneLine(glob, MOST_SHOWN)}" of --${option} is malformed, too long or one of too many, and counts as a literal path.`;
  return [
    ...unusableGlobs({ exclude }).map((glob) => warning('exclude', glob)),
    ...unusableGlobs({ include }).map((glob) => warning('include', glob)),
  ];
}
