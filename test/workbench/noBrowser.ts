import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { usualPlaces } from '../../src/local/chromium/browserPaths';
import { runChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { eventually } from '../support/eventually';
import { SCRATCH } from '../support/paths';
import type { OpenWindow } from './window';

/** Longest time until the editor has written a setting, in milliseconds: it does so a while after the last key. */
const WRITE_LIMIT_MS = 30_000;

/** Longest time to hide the browsers of this machine, in milliseconds. */
const HIDE_LIMIT_MS = 10_000;

/**
 * Shows the folder of its first argument at its second one as well, hides what the others up to `--` name, where it exists, in a mount
 * namespace of its own, and becomes the program that the rest names. What other processes see does not change.
 */
const HIDE = `mount --bind "$1" "$2" || exit 1; shift 2
while [ "$1" != -- ]; do if [ -e "$1" ]; then mount --bind /dev/null "$1" || exit 1; fi; shift; done; shift; exec "$@"`;

/** How to run a program that finds no browser on this machine. */
export interface WithoutBrowser {
  /** Goes before the program. */
  readonly launcher: readonly string[];
  /** A browser that the program can start when it is named. */
  readonly executable: string;
}

/**
 * Hides the browsers of this machine from a program; undefined where the system cannot hide any, which takes Linux and the right to mount, or
 * where there is none. `endAll` removes what this leaves.
 */
export async function withoutBrowser(): Promise<WithoutBrowser | undefined> {
  if (process.platform !== 'linux') return undefined;
  const places = usualPlaces(process.env, process.platform);
  const executable = places.find((place) => existsSync(place) && !isScript(place));
  if (executable === undefined) return undefined;
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(join(SCRATCH, 'hidden-browser-'));
  atEnd('the folder at which a hidden browser was reached', () => rmdir(folder));
  const launcher = ['unshare', '--mount', 'sh', '-c', HIDE, 'sh', dirname(executable), folder, ...places, '--'];
  const [program = '', ...args] = launcher;
  const tried = await runChild(program, [...args, 'true'], {
    limitMs: HIDE_LIMIT_MS,
    output: { line: () => undefined },
  })
    .then(({ code }) => code === 0)
    .catch(() => false);
  return tried ? { launcher, executable: join(folder, basename(executable)) } : undefined;
}

/** A script may start a program by its path, which is hidden. */
function isScript(path: string): boolean {
  const begin = Buffer.alloc(2);
  const file = openSync(path, 'r');
  try {
    readSync(file, begin);
  } finally {
    closeSync(file);
  }
  return begin.toString() === '#!';
}

/** Names a browser in the setting, which is shown, and waits until the editor has written it. */
export async function nameBrowser({ workbench, server }: OpenWindow, executable: string): Promise<void> {
  const setting = workbench.page.locator('.settings-editor .setting-item-contents', { hasText: 'SIDELOAD_BROWSER' });
  await setting.locator('input').first().fill(executable);
  // It is one of the machine on which the server is.
  const file = join(server.dataDir, 'data', 'Machine', 'settings.json');
  const isWritten = async (): Promise<boolean> =>
    (await readFile(file, 'utf8').catch(() => '')).includes(JSON.stringify(executable));
  await eventually('the setting is written', isWritten, WRITE_LIMIT_MS);
}
