import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { win32 } from 'node:path';

/** The most output of a command that is kept, in characters: its end, where the reason of a failure is. */
const MOST_OUTPUT = 20_000;

export interface CommandOptions {
  cwd: string;
  signal?: AbortSignal | undefined;
  /** How long it may take, in milliseconds. */
  limitMs: number;
  /** Runs it in a shell, as a line of words that are safe there. */
  shell?: boolean;
  /** Variables that it gets beside those of this process. */
  env?: Readonly<Record<string, string>>;
}

/**
 * The variables by which git is led to another repository, work tree or index than those of its folder: in a hook, git sets them to what is being
 * committed. Source: `git rev-parse --local-env-vars`.
 */
const OF_REPOSITORY = [
  ...[
    'GIT_DIR',
    'GIT_WORK_TREE',
    'GIT_INDEX_FILE',
    'GIT_PREFIX',
    'GIT_COMMON_DIR',
    'GIT_SHALLOW_FILE',
    'GIT_GRAFT_FILE',
  ],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
];

/** The environment of this process for commands that find the repository by their folder. */
export function folderEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_REPOSITORY.includes(name)));
}

export interface CommandEnd {
  /** Undefined when it could not be started, or was ended by a signal. */
  code: number | undefined;
  /** What it has written to both outputs, or why it could not be started; its end alone of much. */
  output: string;
  /** What it has written to its output alone. */
  stdout: string;
  /** Whether it took too long, so that it was ended with all that it has started. */
  isLate: boolean;
}

/** Runs a command to its end, with all that it has started. Rejects with the reason of `signal` only. */
export async function runCommand(
  program: string,
  args: readonly string[],
  { cwd, signal, limitMs, shell = false, env = {} }: CommandOptions,
): Promise<CommandEnd> {
  signal?.throwIfAborted();
  const isGroup = hasGroups();
  const child = spawn(program, [...args], {
    cwd,
    shell,
    detached: isGroup,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nobody answers a question for a password.
    env: { ...folderEnvironment(), GIT_TERMINAL_PROMPT: '0', ...env },
  });
  let [output, stdout, isLate] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-MOST_OUTPUT);
    stdout = `${stdout}${text}`.slice(-MOST_OUTPUT);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-MOST_OUTPUT);
  });
  const end = (): void => endTree(child, isGroup);
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, limitMs);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | undefined>((resolve) => {
      child.once('error', (error) => {
        output = `${output}${error.message}`;
        resolve(undefined);
      });
      child.once('close', (exitCode) => resolve(exitCode ?? undefined));
    });
    signal?.throwIfAborted();
    return { code, output, stdout, isLate };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** Whether a system has groups of processes, which get signals together. Windows has neither. */
export function hasGroups(platform = process.platform): boolean {
  return platform !== 'win32';
}

/** The program of Windows that ends a process with those that it has started, by its path: a name is looked for in the folder of a project first. */
export function taskkill(pid: number, env: NodeJS.ProcessEnv = process.env): { program: string; args: string[] } {
  const windows = env['SystemRoot'] ?? String.raw`C:\Windows`;
  return { program: win32.join(windows, 'System32', 'taskkill.exe'), args: ['/pid', String(pid), '/T', '/F'] };
}

/** Ends a process and those that it has started; `isGroup`: those of the group that it leads. */
export function endTree({ pid }: ChildProcess, isGroup: boolean, signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): void {
  if (pid === undefined) return;
  if (!isGroup) {
    const { program, args } = taskkill(pid);
    execFile(program, args, { windowsHide: true }, () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
