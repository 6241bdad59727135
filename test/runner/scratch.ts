import { access, chmod, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../support/child';
import { atEnd } from '../support/cleanup';
import { SCRATCH_ENV } from '../support/paths';

/** Where Linux has a file system in memory. */
const MEMORY = '/dev/shm';

/** The file system's own limit and the machine's memory must both leave so much: tests use up to a tenth of it. In bytes. */
const ENOUGH = 6 * 2 ** 30;

/** Short, as the folder of /tmp: Chromium makes sockets in folders of it, whose paths may have 107 characters. */
const PREFIX = 'sideload-';

/**
 * Lets the suites keep their temporary files, the profiles of their browsers above all, in memory where there is enough of it: a start of
 * Chromium takes a fifth less processor time there than on a disk. Removed at the end. Returns the folder, or undefined where none can be
 * had; the system's temporary folder is used then.
 */
export async function scratchInMemory(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.availableMemory() < ENOUGH || !(await canHold())) return undefined;
  await sweep();
  const folder = join(MEMORY, `${PREFIX}${process.pid}`);
  await mkdir(folder);
  atEnd('files in memory', () => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  // As /tmp: some tests run programs as another user.
  await chmod(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  process.env['XDG_STATE_HOME'] = join(folder, 'state');
  process.env[SCRATCH_ENV] = folder;
  return folder;
}

/** Whether there is such a file system, with room, and programs in it may be run. */
async function canHold(): Promise<boolean> {
  try {
    await access(MEMORY);
    const { bavail, bsize } = await statfs(MEMORY);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const [, , kind, options = ''] = mounts.find(([, place]) => place === MEMORY) ?? [];
    return kind === 'tmpfs' && !options.split(',').includes('noexec') && bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
}

/** Removes what killed runs have left. */
async function sweep(): Promise<void> {
  for (const name of await readdir(MEMORY)) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : Number.NaN);
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(join(MEMORY, name), { recursive: true, force: true });
  }
}
