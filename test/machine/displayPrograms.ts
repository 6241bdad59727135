import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Report } from '../support/steps';

/** Longest time that apt may take, in milliseconds. */
const APT_LIMIT_MS = 10 * 60_000;

/** The programs of a display without a monitor: how to ask whether one is there, and the Debian package that has it. */
const PROGRAMS = [
  { program: 'Xvfb', args: ['-help'], debianPackage: 'xvfb' },
  { program: 'xdotool', args: ['version'], debianPackage: 'xdotool' },
] as const;

const run = promisify(execFile);

/**
 * Makes sure that a display without a monitor can be started, on Linux: installs its programs where that can be done without
 * asking (Debian or Ubuntu, as root). Rejects with a sentence that says what to install.
 */
export async function ensureDisplayPrograms(report: Report): Promise<void> {
  if (process.platform !== 'linux') return;
  let missing = await missingPrograms();
  if (missing.length > 0 && process.getuid?.() === 0) {
    report(`Installing ${missing.join(' and ')} with apt`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const install = ['install', '-y', '--no-install-recommends', ...missing];
    await run('apt-get', ['update'], { env, timeout: APT_LIMIT_MS }).catch(() => undefined);
    await run('apt-get', install, { env, timeout: APT_LIMIT_MS }).catch(() => undefined);
    missing = await missingPrograms();
  }
  if (missing.length === 0) return;
  throw new Error(`Programs are missing. Install them (Debian and Ubuntu: apt-get install ${missing.join(' ')}).`);
}

/** The Debian packages of the programs that are not there. */
async function missingPrograms(): Promise<string[]> {
  const missing = await Promise.all(
    PROGRAMS.map(async ({ program, args, debianPackage }) => ((await isThere(program, args)) ? [] : [debianPackage])),
  );
  return missing.flat();
}

/** Whether a program can be started, however it ends. */
function isThere(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  );
}
