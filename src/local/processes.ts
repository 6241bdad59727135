import { closeSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many processes are looked at in one turn of the event loop. */
const PROCESSES_A_TURN = 50;

/** True when a process with that id is running, whoever owns it. A zombie is not running. */
export function isAlive(pid: number, platform = process.platform): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return platform !== 'linux' || statOf(pid)?.state !== ZOMBIE;
}

/**
 * When a process started, in a unit of the system; undefined where that is not known. A process id comes again, in a container mostly at its next start,
 * but not with the same start.
 */
export function startOf(pid: number, platform = process.platform): string | undefined {
  return platform === 'linux' ? statOf(pid)?.start : undefined;
}

/** As `isAlive`, but false when the process with that id has started at another time than `start`, as far as that is known. */
export function isAliveSince(pid: number, start: string | undefined): boolean {
  return isAlive(pid) && (start === undefined || (startOf(pid) ?? start) === start);
}

/**
 * Ids of the running processes of a group, as for `isAlive`; undefined where the system does not list processes. All processes of the machine
 * are looked at, in steps that do not hold the service.
 */
export async function runningInGroup(group: number, platform = process.platform): Promise<number[] | undefined> {
  if (platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).map(Number).filter(Number.isSafeInteger);
  const running: number[] = [];
  for (const [at, pid] of pids.entries()) {
    const stat = statOf(pid);
    if (stat?.group === group && stat.state !== ZOMBIE) running.push(pid);
    if (at % PROCESSES_A_TURN === 0) await nextTurn();
  }
  return running;
}

/** In containers without an init process that reaps orphans, zombies remain until the container ends. */
const ZOMBIE = 'Z';

/** Takes the beginning of the description of a process, which is read for hundreds of processes in a row. */
const STAT = Buffer.alloc(512);

/** The start of a process is the 22nd field of its description, of which the third is the first after the name. */
const START_FIELD = 22 - 3;

/** State, group and start of a process (proc_pid_stat(5)); undefined when it does not exist. */
function statOf(pid: number): { state: string; group: number; start: string | undefined } | undefined {
  const text = beginningOf(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The fields follow the program's name, which is in parentheses and may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', , group] = fields;
  return { state, group: Number(group), start: fields[START_FIELD] };
}

/** `readFileSync` would take 64 KiB of memory for each of these files, whose size the system does not say. */
function beginningOf(file: string): string | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, 'r');
    return STAT.toString('latin1', 0, readSync(opened, STAT, 0, STAT.length, 0));
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
