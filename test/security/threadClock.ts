import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const NS_PER_MS = 1_000_000;
const US_PER_MS = 1000;

/** Of Linux: nanoseconds on a processor, nanoseconds of waiting for one, and time slices, of the thread that opens it. */
const OF_THREAD = '/proc/thread-self/schedstat';

/**
 * The processor time that the calling thread has used, in milliseconds. Where neither Linux nor Node 23.9 say it, that of all threads of the
 * process, which is never less.
 */
export const threadCpuMs = ((): (() => number) => {
  if (typeof process.threadCpuUsage === 'function') return () => sumMs(process.threadCpuUsage());
  try {
    readFileSync(OF_THREAD);
  } catch {
    return () => sumMs(process.cpuUsage());
  }
  const buffer = Buffer.alloc(64);
  const file = openSync(OF_THREAD, 'r');
  process.once('exit', () => {
    closeSync(file);
  });
  return () => {
    // Has Linux bring the time of the calling thread up to date, which it otherwise does once in 4 to 10 ms.
    process.cpuUsage();
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString('latin1', 0, length).split(' ', 1)[0]) / NS_PER_MS;
  };
})();

function sumMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / US_PER_MS;
}
