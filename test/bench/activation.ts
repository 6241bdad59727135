import { build } from 'esbuild';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NODE_BUNDLE, shippedPrograms } from '../../.esbuild';
import { ROOT } from '../support/paths';
import { startServer, windowAddress } from '../machine/server';
import { ensureServerBuild } from '../machine/serverBuild';
import { Workbench } from '../workbench/workbench';
import { EMPTY_EXTENSION_ID, TIMES_ENV, type ActivationLine, type ActivationTimes } from './activationTimes';
import { MEASURES } from './ratios';
import { summarize, type Summary } from './series';

/** Longest time for a window to open and activate both, in milliseconds. */
const WINDOW_LIMIT_MS = 90_000;

const LOOK_MS = 100;

/**
 * Activates the production bundle of Sideload and an empty extension side by side, in a new extension host of a real VS Code each
 * time. Neither is activated by an event, so that the time is that of the activation alone.
 */
export async function activations(
  root: string,
  browserPath: string,
  samples: number,
  report: (line: string) => void,
): Promise<Summary[]> {
  const server = await ensureServerBuild(report);
  const folder = join(root, 'activation');
  const times = join(folder, 'times.jsonl');
  const extensions = join(folder, 'extensions');
  const [host] = await Promise.all([
    buildHost(join(folder, 'host.js')),
    copySideload(join(extensions, 'sideload')),
    writeEmpty(join(extensions, 'empty')),
  ]);
  const workspace = join(folder, 'workspace');
  await mkdir(workspace, { recursive: true });
  const running = await startServer(server, { name: 'bench', env: { [TIMES_ENV]: times } });
  try {
    const address = windowAddress(running, {
      folder: workspace,
      // A folder of several extensions.
      extensionDevelopmentPath: extensions,
      extensionTestsPath: host,
    });
    for (let round = 1; round <= samples; round++) {
      report(`activation ${round} of ${samples}`);
      const window = await Workbench.open(address, { browserPath, wait: 'page' });
      try {
        await untilLines(times, round);
      } finally {
        await window.close();
      }
    }
  } finally {
    await running.stop();
  }
  const all = await readTimes(times);
  return [
    summarize(
      MEASURES.activate,
      all.map(({ sideload }) => sideload),
    ),
    summarize(
      MEASURES.emptyActivate,
      all.map(({ empty }) => empty),
    ),
  ];
}

/** The extension as it ships, but activated by nothing. */
async function copySideload(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  await Promise.all([
    cp(join(ROOT, 'package.nls.json'), join(folder, 'package.nls.json')),
    cp(join(ROOT, 'media'), join(folder, 'media'), { recursive: true }),
    build(shippedPrograms(join(folder, 'dist'), true)),
  ]);
}

async function writeEmpty(folder: string): Promise<void> {
  const [publisher, name] = EMPTY_EXTENSION_ID.split('.');
  const manifest = { publisher, name, version: '1.0.0', main: './main.js', engines: { vscode: '^1.105.0' } };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  await writeFile(join(folder, 'main.js'), 'exports.activate = () => undefined;\n');
}

async function buildHost(file: string): Promise<string> {
  const entryPoints = [join(ROOT, 'test', 'bench', 'activationHost.ts')];
  await build({ ...NODE_BUNDLE, entryPoints, outfile: file, packages: 'external' });
  return file;
}

async function untilLines(file: string, count: number): Promise<void> {
  const end = performance.now() + WINDOW_LIMIT_MS;
  while ((await readTimes(file)).length < count) {
    if (performance.now() > end) throw new Error('an extension host has not activated the extensions in time');
    await delay(LOOK_MS);
  }
}

async function readTimes(file: string): Promise<ActivationTimes[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const times = JSON.parse(line) as ActivationLine;
      if ('error' in times) throw new Error(`The extensions were not activated: ${times.error}`);
      return times;
    });
}
