import { runChild } from './child';
import { usualPlaces } from '../../src/local/chromium/browserPaths';

/** Longest time to hide the browsers of this machine, in milliseconds. */
const HIDE_LIMIT_MS = 10_000;

/**
 * Hides what its first arguments up to `--` name, where it exists, in a mount namespace of its own, and becomes the program that the
 * other arguments name. What other processes see does not change.
 */
const HIDE = `while [ "$1" != -- ]; do if [ -e "$1" ]; then mount --bind /dev/null "$1" || exit 1; fi; shift; done; shift; exec "$@"`;

/**
 * The launcher of a program that finds no browser on this machine; undefined where the system cannot hide any, which takes Linux and
 * the right to mount.
 */
export async function launcherWithoutBrowser(): Promise<readonly string[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const places = usualPlaces(process.env, process.platform);
  const launcher = ['unshare', '--mount', 'sh', '-c', HIDE, 'sh', ...places, '--'];
  const [program = '', ...args] = launcher;
  const tried = await runChild(program, [...args, 'true'], {
    limitMs: HIDE_LIMIT_MS,
    output: { line: () => undefined },
  })
    .then(({ code }) => code === 0)
    .catch(() => false);
  return tried ? launcher : undefined;
}
