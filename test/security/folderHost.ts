// A process that stands for the extension host: it finds, checks and packs the folders that it is sent, and measures its event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { locateExtensionFolders } from '../../src/archive/locate';
import { FolderPackers } from '../../src/archive/packers';
import type { PushStep } from '../../src/push/outcome';
import { LocalhostScan } from '../../src/push/prepare/localhostScan';
import { prepare } from '../../src/push/prepare/prepare';
import { findSource } from '../../src/sources/sourceMaps';

/** A folder to push, and what is asked about it. */
export interface HostJob {
  /** The workspace folder. */
  root: string;
  /** The extension folder. */
  folder: string;
  exclude?: readonly string[];
  include?: readonly string[];
  /** Cancels the push after so many milliseconds. */
  cancelAfterMs?: number;
}

export interface HostAnswer {
  /** How it ended: the outcome of the push or the message of an error, and the rules of findings. */
  end: string;
  /** The messages of findings. */
  messages: readonly string[];
  files: number;
  /** The located folders. */
  located: readonly string[];
  /** The source of the first character of `worker.js`. */
  source: string | undefined;
  ms: number;
  maxHoldMs: number;
  p99HoldMs: number;
}

const NANOSECONDS = 1e6;

/** The monitor looks at the event loop in steps of this many milliseconds. */
const RESOLUTION_MS = 1;

async function run(job: HostJob): Promise<HostAnswer> {
  const packers = new FolderPackers();
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  await delay(2 * RESOLUTION_MS);
  monitor.reset();
  const started = performance.now();
  const located = await locateExtensionFolders(job.root);
  const source = await findSource({ file: `${job.folder}/worker.js`, line: 0, column: 0 }, job);
  const pushed = await push(job, packers);
  const ms = performance.now() - started;
  await delay(5 * RESOLUTION_MS);
  monitor.disable();
  packers.dispose();
  return {
    ...pushed,
    located,
    source: source?.file,
    ms,
    maxHoldMs: monitor.max / NANOSECONDS,
    p99HoldMs: monitor.percentile(99) / NANOSECONDS,
  };
}

async function push(
  { folder, exclude = [], include = [], cancelAfterMs }: HostJob,
  packers: FolderPackers,
): Promise<Pick<HostAnswer, 'end' | 'messages' | 'files'>> {
  const rules: string[] = [];
  const messages: string[] = [];
  const order = {
    folder,
    exclude,
    include,
    isLocal: false,
    browsers: [],
    onStep: (step: PushStep) => {
      if (step.step !== 'checked') return;
      for (const { rule, message } of step.findings) {
        rules.push(rule);
        messages.push(message);
      }
    },
  };
  const signal = cancelAfterMs === undefined ? undefined : AbortSignal.timeout(cancelAfterMs);
  try {
    const prepared = await prepare(order, { packers, localhostScan: new LocalhostScan() }, signal);
    const end = 'kind' in prepared ? prepared.kind : 'prepared';
    const files = 'kind' in prepared ? 0 : prepared.archive.files;
    if ('kind' in prepared && prepared.kind === 'leftOut') messages.push(...prepared.files.map(({ reason }) => reason));
    return { end: [end, ...new Set(rules)].join(' '), messages, files };
  } catch (error) {
    return { end: String(error), messages, files: 0 };
  }
}

process.on('message', (job: HostJob) => {
  void run(job).then((answer) => process.send?.(answer));
});
