// Loaded by NODE_OPTIONS into a VS Code server and every Node process that it starts: in the extension host, writes each second's 99th
// percentile of the event loop's delay, in milliseconds, as a line of the file of SIDELOAD_EVENT_LOOP.
import childProcess from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';

/** What the monitor waits between two looks, which is a part of what it notes. */
const RESOLUTION_MS = 1;
const NANOSECONDS_PER_MS = 1e6;

const file = process.env.SIDELOAD_EVENT_LOOP;
if (file !== undefined) {
  // VS Code removes NODE_OPTIONS from the environment of the extension host.
  const { fork } = childProcess;
  const { NODE_OPTIONS } = process.env;
  childProcess.fork = (path, args, options) =>
    fork(path, args, { ...options, env: { ...(options?.env ?? process.env), NODE_OPTIONS } });
  // For modules that import it by name.
  syncBuiltinESMExports();
}
if (file !== undefined && process.argv.includes('--type=extensionHost')) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  setInterval(() => {
    const p99 = Math.max(delays.percentile(99) / NANOSECONDS_PER_MS - RESOLUTION_MS, 0);
    delays.reset();
    appendFileSync(file, `${p99.toFixed(3)}\n`);
  }, 1000).unref();
}
