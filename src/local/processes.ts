import { readdirSync, readFileSync } from 'node:fs';

/** True when a process with that id runs, whoever owns it. One that has ended and was not yet collected does not run. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/** Ids of the processes of a group that run, as `isAlive` means it; undefined where the system does not list them. */
export function runningOfGroup(group: number): number[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  return pids.filter((pid) => {
    const stat = statOf(pid);
    return stat?.group === group && stat.state !== ZOMBIE;
  });
}

/** In containers without an init that collects orphans, ended processes stay visible for as long as the container lives. */
const ZOMBIE = 'Z';

function isZombie(pid: number): boolean {
  return statOf(pid)?.state === ZOMBIE;
}

/** What the system says of a process (proc_pid_stat(5)); undefined when it has gone. */
function statOf(pid: number): { state: string; group: number } | undefined {
  try {
    // The fields follow the program's name, which is in parentheses and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}
