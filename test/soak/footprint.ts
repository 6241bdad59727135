import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { DevTools } from '../contract/devtools';
import { processesWith, residentMib } from '../contract/processes';
import type { Footprint } from './soakReport';

const BYTES_IN_MIB = 1024 * 1024;

/** What is measured besides this process, which stands for the extension host. */
export interface Measured {
  /** The process of the local service. */
  readonly servicePid: number;
  /** Where its inspector listens: garbage is only collected when something asks, and is no leak. */
  readonly serviceInspectorUrl: string;
  /** The data folder of the service, which the command lines of its browsers name. */
  readonly dataFolder: string;
  /** The folder that all programs take for the system's temporary one. */
  readonly temporary: string;
}

const collect = ((): (() => void) => {
  v8.setFlagsFromString('--expose_gc');
  return vm.runInNewContext('gc') as () => void;
})();

/** What this process, the service and its browsers have now, garbage of this process and of the service left out. */
export async function footprintOf(measured: Measured): Promise<Footprint> {
  const { servicePid, serviceInspectorUrl, dataFolder, temporary } = measured;
  await collectIn(serviceInspectorUrl);
  const browsers = await processesWith(`${dataFolder}/sessions`);
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const sizes = await Promise.all(browsers.map((pid) => residentMib(pid).catch(() => 0)));
  return {
    memory: {
      'the host': (heapUsed + external) / BYTES_IN_MIB,
      'the service': await residentMib(servicePid),
      ...(browsers.length > 0 && { Chromium: sizes.reduce((sum, size) => sum + size, 0) }),
    },
    counts: {
      ...activeResources(),
      'listeners of the host': listeners(),
      'handles of the host': await handles(process.pid),
      'handles of the service': await handles(servicePid),
      'processes of browsers': browsers.length,
      'files and folders of the service': await entriesOf(dataFolder),
      'temporary files and folders': (await leftIn(temporary)).length,
    },
  };
}

/** Has a process of Node collect its garbage. */
async function collectIn(inspectorUrl: string): Promise<void> {
  const inspector = await DevTools.connect(inspectorUrl);
  try {
    await inspector.result('HeapProfiler.collectGarbage');
  } finally {
    inspector.close();
    await inspector.closed;
  }
}

/** Hidden files of Chromium, which are empty; what VS Code leaves of hosts that were killed; the cache of the runner of these programs. */
const OF_OTHERS = /^(\.|vscode-|tsx-)/;

/** The names of what is in the temporary folder, but for what is of others. */
export async function leftIn(temporary: string): Promise<string[]> {
  return (await readdir(temporary)).filter((name) => !OF_OTHERS.test(name));
}

function activeResources(): Record<string, number> {
  const all = process.getActiveResourcesInfo();
  const timers = all.filter((kind) => kind === 'Timeout' || kind === 'Immediate').length;
  return {
    'timers of the host': timers,
    'sockets of the host': all.filter((kind) => kind.startsWith('TCP') || kind.startsWith('Pipe')).length,
  };
}

function listeners(): number {
  return process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
}

/** How many files, pipes and sockets a process holds. */
async function handles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** What is in a data folder, down to the folders of browsers and extensions: what Chromium makes of its profile is its own. */
async function entriesOf(folder: string): Promise<number> {
  let count = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    count += 1;
    if (entry.isDirectory()) count += (await readdir(join(folder, entry.name)).catch(() => [])).length;
  }
  return count;
}
