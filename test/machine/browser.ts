import { readFile } from 'node:fs/promises';
import { findBrowser } from '../../src/local/chromium/browserPaths';
import { runChild } from '../support/child';
import type { Report } from '../support/steps';

/** Longest time that apt may take, in milliseconds. */
const APT_LIMIT_MS = 10 * 60_000;

/** Longest time a browser may take to say its version, in milliseconds. */
const VERSION_LIMIT_MS = 30_000;

const WHAT_TO_INSTALL =
  'Install Chromium (or Chrome for Testing), or set the environment variable SIDELOAD_BROWSER to the program of one.';

/** A browser that runs on this machine: its program, and what it says its version is. */
export interface FoundBrowser {
  readonly path: string;
  readonly version: string;
  readonly installed: boolean;
}

/**
 * The browser for tests and `npm start`: the one that is there, else one installed by apt where that can be done
 * without asking (Debian or Ubuntu, as root). Sets SIDELOAD_BROWSER for this process and what it starts, so that
 * all use the same one. Rejects with a sentence that says what to install.
 */
export async function ensureBrowser(report: Report): Promise<FoundBrowser> {
  let path = await findBrowser();
  const installed = path === undefined;
  if (path === undefined) {
    await installByApt(report);
    path = await findBrowser();
  }
  if (path === undefined)
    throw new Error(`apt ended without an error, but there is still no browser. ${WHAT_TO_INSTALL}`);
  const version = await versionOf(path);
  process.env['SIDELOAD_BROWSER'] = path;
  return { path, version, installed };
}

async function installByApt(report: Report): Promise<void> {
  if (!(await isDebian()) || process.getuid?.() !== 0) {
    throw new Error(`No browser was found on this machine. ${WHAT_TO_INSTALL}`);
  }
  report('No browser found: installing Chromium with apt');
  await apt(['update'], report);
  await apt(['install', '-y', '--no-install-recommends', 'chromium'], report);
}

async function apt(args: readonly string[], report: Report): Promise<void> {
  const last: string[] = [];
  const { code } = await runChild('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    limitMs: APT_LIMIT_MS,
    output: {
      line: (text) => {
        last.push(text);
        if (/^(Get:\d|Fetched|Unpacking chromium|Setting up chromium|[EW]:)/.test(text)) report(`apt: ${text}`);
      },
    },
  });
  if (code === 0) return;
  throw new Error(
    `apt-get ${args.join(' ')} ended with ${code ?? 'a signal'}: ${last.slice(-3).join(' / ')}. ${WHAT_TO_INSTALL}`,
  );
}

async function isDebian(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
}

/** Starting it is the only proof that a program on disk is a browser that works: Ubuntu's package may be an empty shell. */
async function versionOf(path: string): Promise<string> {
  // On Windows the program opens a window instead of answering.
  if (process.platform === 'win32') return 'unknown version';
  const lines: string[] = [];
  const { code } = await runChild(path, ['--version'], {
    limitMs: VERSION_LIMIT_MS,
    output: { line: (text) => lines.push(text) },
  });
  const version = lines.find((line) => /\d+\.\d+/.test(line))?.trim();
  if (code === 0 && version !== undefined) return version;
  throw new Error(
    `${path} is there but does not run (exit code ${code ?? 'none'}: ${lines.join(' / ')}). ${WHAT_TO_INSTALL}`,
  );
}
