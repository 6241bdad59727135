import { readdirSync, readFileSync } from 'node:fs';

/** True when a process with that id is running, whoever owns it. A zombie is not running. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/** Ids of the running processes of a group, as for `isAlive`; undefined where the system does not list processes. */
export function runningInGroup(group: number): number[] | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
  return pids.filter((pid) => {
    const stat = statOf(pid);
    return stat?.group === group && stat.state !== ZOMBIE;
  });
}

/** In containers without an init process that reaps orphans, zombies remain until the container ends. */
const ZOMBIE = 'Z';

function isZombie(pid: number): boolean {
  return statOf(pid)?.state === ZOMBIE;
}

/** State and group of a process (proc_pid_stat(5)); undefined when it does not exist. */
function statOf(pid: number): { state: string; group: number } | undefined {
  try {
    // The fields follow the program's name, which is in parentheses and may contain any character.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    return undefined;
  }
}
