import { eventually } from '../support/eventually';
import { processesNaming } from '../support/processes';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Ids of the running processes (zombies left out) whose command line holds a text. */
export async function processesWith(text: string): Promise<number[]> {
  if (process.platform === 'linux') return processesFromProc(text);
  if (process.platform === 'win32') return await processesNaming(text.replaceAll('\\', '/'));
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { maxBuffer: 2 ** 26 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, args] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const ours = args?.includes(text) && !state?.startsWith('Z') && Number(pid) !== process.pid;
    return ours ? [Number(pid)] : [];
  });
}

/** The same from /proc, where a zombie has no command line: polled often, `ps` would keep a core busy. */
function processesFromProc(text: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => commandLine(pid).replaceAll('\0', ' ').includes(text)).map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended since it was listed.
    return '';
  }
}

/** Resident memory of a process, in MiB. */
export async function residentMib(pid: number): Promise<number> {
  if (process.platform === 'linux') {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** Waits until no process is left whose command line holds the data folder. */
export function noBrowserLeft(dataFolder: string, limitMs: number): Promise<void> {
  const sessions = `${dataFolder}/sessions`;
  return eventually('no browser is left', async () => (await processesWith(sessions)).length === 0, limitMs);
}
