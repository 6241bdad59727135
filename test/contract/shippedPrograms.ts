// Covers: src/programs
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedPrograms } from '../../.esbuild';

// Not in dist/, as the service of other tests.
const BUILD = mkdtempSync(join(tmpdir(), 'sideload-programs-'));

process.once('exit', () => {
  rmSync(BUILD, { recursive: true, force: true });
});

let built: Promise<unknown> | undefined;

/** The path of a program as it ships, built once per test run. */
export async function programPath(name: string): Promise<string> {
  built ??= build(shippedPrograms(BUILD, true));
  await built;
  return join(BUILD, `${name}.js`);
}

export interface ProgramEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a program to its end; `onLine` gets each line that it prints, and the function that ends it, `onStart` the function that interrupts it as
 * Ctrl+C does.
 */
export async function runProgram(
  name: string,
  args: readonly string[],
  {
    env = {},
    cwd,
    onLine,
    onStart,
  }: {
    env?: NodeJS.ProcessEnv;
    cwd?: string;
    onLine?: (line: string, stop: () => void) => void;
    onStart?: (interrupt: () => void) => void;
  } = {},
): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [await programPath(name), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  onStart?.(() => child.kill('SIGINT'));
  let [stdout, stderr, seen] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (let end = stdout.indexOf('\n', seen); end >= 0; end = stdout.indexOf('\n', seen)) {
      onLine?.(stdout.slice(seen, end), () => child.kill('SIGTERM'));
      seen = end + 1;
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
}
