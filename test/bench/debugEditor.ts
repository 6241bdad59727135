import { build } from 'esbuild';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NODE_BUNDLE } from '../../.esbuild';
import { TOKEN_VARIABLE } from '../../src/service/serviceAddress';
import { fieldOf } from '../../src/base/fields';
import { ROOT } from '../support/paths';
import { startServer, windowAddress } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { SERVICE_ENV } from '../support/serviceEnvironment';
import { Workbench } from '../workbench/workbench';
import type { Bench } from './context';
import { DEBUG_FILE_ENV, DEBUG_ROUNDS_ENV, type DebugTimes } from './debugTimes';
import { MEASURES } from './ratios';
import { summarize, type Summary } from './series';

/** Sessions that fill caches and are not counted. */
const WARM_UPS = 2;

/** How long a session may take, the opening of the window included, in milliseconds. */
const SESSION_LIMIT_MS = 120_000;

const LOOK_MS = 100;

/**
 * Debugs an extension in a real VS Code with its own JavaScript debugger: from the start of debugging, as F5 does it, to a running worker
 * that has a session, and from a call in it to the stop. The moments are those at which the debugger reports to VS Code, which then draws.
 * This VS Code is the server build, whose window is a page.
 */
export async function editorSessions(bench: Bench): Promise<Summary[]> {
  const server = await ensureServerBuild(bench.report);
  const { baseUrl, token } = await bench.service();
  const folder = join(bench.root, 'debug-editor');
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const host = await buildHost(join(folder, 'host.js'));
  const times = join(folder, 'times.jsonl');
  const rounds = WARM_UPS + bench.options.samples;
  const env = {
    [DEBUG_FILE_ENV]: times,
    [DEBUG_ROUNDS_ENV]: String(rounds),
    [SERVICE_ENV]: baseUrl,
    [TOKEN_VARIABLE]: token,
  };
  const running = await startServer(server, { name: 'bench-debug', env, serviceEndMs: 0 });
  try {
    const address = windowAddress(running, {
      folder: workspace,
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: host,
    });
    const window = await Workbench.open(address, { browserPath: bench.executable, wait: 'page' });
    try {
      for (let round = 1; round <= rounds; round++) {
        bench.report(
          `VS Code, ${round <= WARM_UPS ? 'warming up' : `round ${round - WARM_UPS} of ${rounds - WARM_UPS}`}`,
        );
        await untilLines(times, round);
      }
      // It has ended its browser, too.
      await untilLines(times, rounds + 1);
    } finally {
      await window.close();
    }
  } finally {
    await running.stop();
  }
  const lines = await readLines(times);
  return (['f5ToReady', 'callToStopped'] as const).map((key) => summarize(MEASURES[key], valuesOf(lines, key)));
}

async function buildHost(file: string): Promise<string> {
  await build({ ...NODE_BUNDLE, entryPoints: [join(ROOT, 'test', 'bench', 'debugHost.ts')], outfile: file });
  return file;
}

async function untilLines(file: string, count: number): Promise<void> {
  const end = performance.now() + SESSION_LIMIT_MS;
  for (;;) {
    const lines = await readLines(file);
    const error = lines.map((line) => fieldOf(line, 'error')).find((each) => typeof each === 'string');
    if (error !== undefined) throw new Error(`VS Code could not debug the extension: ${error}`);
    if (lines.length >= count) return;
    if (performance.now() > end) throw new Error('VS Code has not debugged the extension in time');
    await delay(LOOK_MS);
  }
}

async function readLines(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
}

/** The values of one measure, without the sessions that are not counted. */
function valuesOf(lines: readonly unknown[], key: keyof DebugTimes): number[] {
  const all = lines.map((line) => fieldOf(line, key)).filter((value) => typeof value === 'number');
  return all.slice(WARM_UPS);
}
