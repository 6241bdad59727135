import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { signalOne } from './child';

/** Polling interval, in milliseconds. */
const LOOK_MS = 200;

/** Time that processes get after a SIGTERM, in milliseconds. */
const ASKED_LIMIT_MS = 8_000;

/**
 * The ids of the processes whose command line contains a text. With a folder that was created for one run, these are the processes of
 * that run, including orphans.
 */
export async function processesNaming(text: string): Promise<number[]> {
  const lines =
    await COMMAND_LINES[process.platform === 'linux' || process.platform === 'win32' ? process.platform : 'other']();
  return lines.filter(({ pid, line }) => pid !== process.pid && line.includes(text)).map(({ pid }) => pid);
}

/**
 * Waits until no command line contains the text any more; processes that remain are ended by their ids. Returns whether all ended
 * by themselves.
 */
export async function endProcessesNaming(text: string, limitMs: number): Promise<'by themselves' | 'ended'> {
  if (await areGone(text, limitMs)) return 'by themselves';
  for (const pid of await processesNaming(text)) signalOne(pid, 'SIGTERM');
  if (!(await areGone(text, ASKED_LIMIT_MS))) {
    for (const pid of await processesNaming(text)) signalOne(pid, 'SIGKILL');
  }
  return 'ended';
}

async function areGone(text: string, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while ((await processesNaming(text)).length > 0) {
    if (performance.now() > end) return false;
    await new Promise((settle) => setTimeout(settle, LOOK_MS));
  }
  return true;
}

interface CommandLine {
  readonly pid: number;
  readonly line: string;
}

async function commandLinesFromProc(): Promise<CommandLine[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      // It has ended meanwhile, or belongs to another user.
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, line: line.replaceAll('\0', ' ') };
    }),
  );
}

async function commandLinesFromPs(): Promise<CommandLine[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,args=']);
  return commandLinesIn(stdout);
}

/** Paths are as tests write them, with slashes, and as they are. */
async function commandLinesFromWindows(): Promise<CommandLine[]> {
  const list = 'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.CommandLine)" }';
  const { stdout } = await promisify(execFile)('powershell', ['-NoProfile', '-Command', list], { maxBuffer: 2 ** 26 });
  return commandLinesIn(stdout).map(({ pid, line }) => ({ pid, line: `${line} ${line.replaceAll('\\', '/')}` }));
}

function commandLinesIn(printed: string): CommandLine[] {
  return printed.split(/\r?\n/).flatMap((text) => {
    const [, pid, line] = /^\s*(\d+)\s+(.*)$/.exec(text) ?? [];
    return pid === undefined || line === undefined ? [] : [{ pid: Number(pid), line }];
  });
}

const COMMAND_LINES = { linux: commandLinesFromProc, win32: commandLinesFromWindows, other: commandLinesFromPs };
