import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from './cleanup';

/** Time between asking a process group to end and ending it, in milliseconds. */
const GRACE_MS = 8_000;

/** Time for the last lines of a process that has ended, in milliseconds. */
const LAST_LINES_MS = 1_000;

/** How a process ended. `code` is null when a signal ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Where its output goes: every line of stdout and stderr, or a file, or (default) the terminal of this process. */
  readonly output?: { readonly line: (text: string) => void } | { readonly file: string };
  /** Whether it, and what it starts, gets a core only when no other process wants it. */
  readonly isBackground?: boolean;
}

/** A process that leads a group of its own, so that all it started ends with it. */
export interface Child {
  readonly pid: number;
  /** Resolves when the process has ended; never rejects. */
  readonly exited: Promise<Exit>;
  /** Ends the group: SIGTERM, and SIGKILL for what is still there after the grace. May be called many times. */
  stop(): Promise<void>;
}

/** Starts a process; it is stopped with this one. Rejects when the program cannot be started (not found, not allowed). */
export async function startChild(command: string, args: readonly string[], options: ChildOptions = {}): Promise<Child> {
  const { output } = options;
  let log: number | undefined;
  if (output && 'file' in output) {
    mkdirSync(dirname(output.file), { recursive: true });
    log = openSync(output.file, 'w');
  }
  const sink = output ? (log ?? 'pipe') : 'inherit';
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', sink, sink],
  });
  if (log !== undefined) closeSync(log);
  if (output && 'line' in output) readLines(child, output.line);
  const exited = exitOf(child);
  await new Promise<void>((settle, reject) => {
    child.once('spawn', settle);
    child.once('error', (cause) => reject(new Error(`${command} could not be started: ${cause.message}`, { cause })));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} was started without a process id.`);
  if (options.isBackground === true) setPriority(pid, constants.priority.PRIORITY_LOW);
  // The last resort, when this process ends without its handlers, after an uncaught exception for example.
  const kill = (): void => void signalGroup(pid, 'SIGKILL');
  process.once('exit', kill);
  const stop = atEnd(`${command} (${pid})`, () => endGroup(pid, exited));
  void exited.then(() => {
    process.off('exit', kill);
    return stop();
  });
  return { pid, exited, stop };
}

/**
 * Runs a process to its end and gives how it ended.
 * Rejects with a sentence when the time limit passes; the process is ended then.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions & { readonly limitMs: number },
): Promise<Exit> {
  const child = await startChild(command, args, options);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'limit'>((settle) => {
    timer = setTimeout(() => settle('limit'), options.limitMs);
  });
  try {
    const first = await Promise.race([child.exited, limit]);
    if (first !== 'limit') return first;
    await child.stop();
    throw new Error(`${command} did not end within ${options.limitMs / 1000} s and was stopped.`);
  } finally {
    clearTimeout(timer);
  }
}

/** Sends a signal to one process; returns whether it exists. */
export function signalOne(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** On Windows there are no groups: the process alone gets the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  return signalOne(process.platform === 'win32' ? pid : -pid, signal);
}

/**
 * Resolves when a process has ended and its last lines have been read. It does not wait for other processes that hold the output open:
 * they may outlive it.
 */
async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = new Promise<void>((settle) => child.once('close', () => settle()));
  const exit = await new Promise<Exit>((settle) => child.once('exit', (code, signal) => settle({ code, signal })));
  await Promise.race([closed, delay(LAST_LINES_MS, undefined, { ref: false })]);
  return exit;
}

async function endGroup(pid: number, exited: Promise<Exit>): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((settle) => {
    timer = setTimeout(settle, GRACE_MS);
  });
  await Promise.race([exited, grace]);
  clearTimeout(timer);
  // The leader may be gone while others of its group stay.
  signalGroup(pid, 'SIGKILL');
  await exited;
}

function readLines(child: ChildProcess, line: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', line);
  }
}
