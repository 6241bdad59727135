import * as l10n from '@vscode/l10n';
import { dirname } from 'node:path';
import { isWithin } from '../base/disk';
import { shortened } from '../base/units';
import { runCommand } from './childCommand';
import { readPackage, scriptCommand } from './projectPackage';

/** The script of package.json that builds a project. */
const SCRIPT = 'build';

/** How long a build may take, in milliseconds. */
const BUILD_LIMIT_MS = 10 * 60_000;

/** How many lines of a failed build its error quotes, the last ones. */
const SHOWN_LINES = 15;

/**
 * Runs the script `build` of the package that `folder` is in, if there is one with such a script in `root` or above the folder in it. Both
 * absolute; the folder need not exist.
 * @throws Error with a sentence for people when the build fails
 */
export async function buildProject(root: string, folder: string, signal?: AbortSignal): Promise<void> {
  const project = await projectOf(root, folder);
  if (project === undefined) return;
  const command = await scriptCommand(project, SCRIPT, root);
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
    if ((await readPackage(at)).scripts.has(SCRIPT)) return at;
    if (at === dirname(at)) break;
  }
  return undefined;
}
