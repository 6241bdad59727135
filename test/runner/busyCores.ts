import { availableParallelism } from 'node:os';
import { startChild } from '../support/child';

/** Keeps every core of this machine busy until this process ends, as a machine does that has other work. */
export async function keepCoresBusy(): Promise<void> {
  const burn = ['-e', 'for (;;);'];
  await Promise.all(Array.from({ length: availableParallelism() }, () => startChild(process.execPath, burn)));
}
