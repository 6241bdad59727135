import { mkdir } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../../package.json';
import { messageOf } from './errors';
import { Leases } from './instance/lease';
import { Lock } from './instance/lock';
import { answers, StateFile } from './instance/serviceState';
import { readOptions, USAGE, UsageError, type Options } from './options';
import { startService } from './service';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
/** A holder of the lock that has not answered for so long is no service of ours. */
const HOLDER_LIMIT_MS = 15_000;
const HOLDER_POLL_MS = 100;

interface End {
  why: 'signal' | 'unused';
}

async function main(): Promise<void> {
  // The reader of the address may be gone before we are.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const options = readOptions(process.argv.slice(2));
  await (options.shared ? runShared(options) : runAlone(options));
}

async function runAlone(options: Options): Promise<void> {
  const asked = endAsked();
  const service = await startService(options, undefined, warn);
  announce(service.baseUrl, options.token);
  await asked;
  await service.close();
}

/** One service for a data folder: becomes it, or tells the address of the one that is there. */
async function runShared(options: Options): Promise<void> {
  await mkdir(options.dataFolder, { recursive: true, mode: 0o700 });
  const lock = new Lock(options.dataFolder);
  const stateFile = new StateFile(options.dataFolder);
  if (!(await takeOrFind(lock, stateFile))) return;
  let unused: () => void = () => undefined;
  const noLease = new Promise<End>((resolve) => {
    unused = () => resolve({ why: 'unused' });
  });
  const asked = endAsked();
  const leases = new Leases(() => unused());
  try {
    const service = await startService(options, leases, warn);
    const { token } = options;
    await stateFile.write({ pid: process.pid, baseUrl: service.baseUrl, token, version });
    announce(service.baseUrl, token);
    await Promise.race([asked, noLease]);
    leases.dispose();
    // First out of sight, so that nobody is sent to a service that is on its way out.
    await stateFile.remove(process.pid);
    await service.close();
  } finally {
    leases.dispose();
    await lock.release();
  }
}

/** True when this process now is the shared service; false when another one was found and announced. */
async function takeOrFind(lock: Lock, stateFile: StateFile): Promise<boolean> {
  let waitingFor: number | undefined;
  let limit = 0;
  for (;;) {
    const taken = await lock.take();
    if (taken === true) return true;
    const state = await stateFile.read();
    if (state?.pid === taken && (await answers(state))) {
      announce(state.baseUrl, state.token);
      return false;
    }
    // It may be on its way up or down: give it time to answer or to let go.
    if (waitingFor !== taken) {
      waitingFor = taken;
      limit = Date.now() + HOLDER_LIMIT_MS;
    }
    if (Date.now() > limit) await lock.break(taken);
    await delay(HOLDER_POLL_MS);
  }
}

function announce(baseUrl: string, token: string): void {
  process.stdout.write(`${JSON.stringify({ baseUrl, token })}\n`);
}

function endAsked(): Promise<End> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve({ why: 'signal' }));
  });
}

function warn(message: string): void {
  console.error(message);
}

main().then(
  // Nothing is left to do; a socket of a client that does not let go must not keep the process.
  () => process.exit(0),
  (error: unknown) => {
    const usage = error instanceof UsageError;
    console.error(usage ? `${error.message}\n${USAGE}` : `The local service could not run: ${messageOf(error)}`);
    process.exit(usage ? EXIT_USAGE : EXIT_FAILURE);
  },
);
