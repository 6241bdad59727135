import * as l10n from '@vscode/l10n';
import { join, relative } from 'node:path';
import { foldersUp } from '../base/disk';
import { shortened } from '../base/units';
import { runCommand } from './childCommand';
import { installCommand, readPackage, scriptCommand } from './projectPackage';

/** The script of package.json that builds a project. */
const SCRIPT = 'build';

/** How long a build may take, in milliseconds. */
const BUILD_LIMIT_MS = 10 * 60_000;

/** The exit code of a shell that does not find a program. */
const NOT_FOUND = 127;

/** What is written where a program or a package is not found, in shells of any kind and by Node.js. */
const MISSING =
  /: (command )?not found$|is not recognized as an internal or external command|Cannot find (module|package) '[^./]/m;

/** How many lines of a failed build its error quotes, the last ones. */
const SHOWN_LINES = 15;

/**
 * Runs the script `build` of the package that `folder` is in, if there is one with such a script in `root` or above the folder in it. `source`: the
 * repository that `root` is a version of, whose packages it uses. All absolute; the folder need not exist.
 * @throws Error with a sentence for people when the build fails
 */
export async function buildProject(root: string, folder: string, source: string, signal?: AbortSignal): Promise<void> {
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
  const failure = l10n.t('"{0}" has failed: {1}', command, shortened(lines, 2000));
  if (code !== NOT_FOUND && !MISSING.test(output)) throw new Error(failure);
  const place = join(source, relative(root, project));
  const advice = l10n.t(
    'Packages of the build are missing. Run "{0}" in {1}, whose packages it uses, or choose a folder or a zip of the old version.',
    await installCommand(project, root),
    place,
  );
  throw new Error(`${advice}\n${failure}`);
}

/** The nearest folder at or above `folder`, within `root`, whose package has a script `build`. */
export async function projectOf(root: string, folder: string): Promise<string | undefined> {
  for (const at of foldersUp(folder, root)) if ((await readPackage(at)).scripts.has(SCRIPT)) return at;
  return undefined;
}
