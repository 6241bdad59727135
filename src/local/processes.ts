import { readFileSync } from 'node:fs';

/** True when a process with that id runs, whoever owns it. One that has ended and was not yet collected does not run. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return process.platform !== 'linux' || !isRemains(pid);
}

/** In containers without an init that collects orphans, ended processes stay visible for as long as the container lives. */
function isRemains(pid: number): boolean {
  try {
    // The state follows the program's name, which is in parentheses and may hold anything (proc_pid_stat(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}
