import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const POLL_MS = 50;

/** Ids of the running processes (ended ones that nobody collected left out) whose command line holds a text. */
export async function processesWith(text: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,stat=,args='], { maxBuffer: 2 ** 26 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, state, args] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const ours = args?.includes(text) && !state?.startsWith('Z') && Number(pid) !== process.pid;
    return ours ? [Number(pid)] : [];
  });
}

/** Waits for something that tells nobody when it happens, such as the end of a process that is not our child. */
export async function eventually(what: string, happened: () => Promise<boolean>, limitMs: number): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!(await happened())) {
    assert(performance.now() < limit, `${what}: not within ${limitMs} ms`);
    await delay(POLL_MS);
  }
}

/** Waits until no process is left whose command line holds the data folder. */
export function noBrowserLeft(dataFolder: string, limitMs: number): Promise<void> {
  const sessions = `${dataFolder}/sessions`;
  return eventually('no browser is left', async () => (await processesWith(sessions)).length === 0, limitMs);
}
