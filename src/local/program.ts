/* oxlint-disable no-restricted-properties -- its output is read by the program that has started it, which redacts and cleans it */
import { setTimeout as delay } from 'node:timers/promises';
import { version } from '../../package.json';
import { messageOf } from './httpErrors';
import { Leases } from './instance/lease';
import { Lock } from './instance/lock';
import { ownDataFolder } from './instance/ownFolder';
import { answers, StateFile } from './instance/serviceState';
import { readOptions, USAGE, UsageError, type Options } from './commandLine';
import { startService, type ServiceVariant } from './localService';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
/** A process that has the lock and does not answer for so long is not a working service. */
const HOLDER_LIMIT_MS = 15_000;
const HOLDER_POLL_MS = 100;
/** While a service starts or ends, it says so often that it is still at it: it may have large profiles to save, which the next one must not overtake. */
const RENEW_MS = 2_000;
/** One that is not done by then never will be. */
const RENEWING_LIMIT_MS = 180_000;

interface EndReason {
  why: 'signal' | 'unused';
}

async function main(args: readonly string[], variant: ServiceVariant): Promise<void> {
  // The process that reads the address may end before this one.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const given = readOptions(args);
  const options = { ...given, dataFolder: await ownDataFolder(given.dataFolder, warn) };
  await (options.shared ? runShared(options, variant) : runAlone(options, variant));
}

async function runAlone(options: Options, variant: ServiceVariant): Promise<void> {
  const asked = terminationSignal();
  const service = await startService(options, undefined, warn, variant);
  announce(service.baseUrl, options.token);
  await asked;
  await service.close();
}

/** Becomes the shared service of a data folder, or prints the address of the running one. */
async function runShared(options: Options, variant: ServiceVariant): Promise<void> {
  const lock = new Lock(options.dataFolder);
  const stateFile = new StateFile(options.dataFolder);
  if (!(await becomeOrFind(lock, stateFile))) return;
  let unused: () => void = () => undefined;
  const noLease = new Promise<EndReason>((resolve) => {
    unused = () => resolve({ why: 'unused' });
  });
  const asked = terminationSignal();
  const leases = new Leases(() => unused());
  // The program that has started this one waits longer with each line.
  let endRenewing = keepRenewing(lock, () => warn('The local service is still starting.'));
  try {
    const service = await startService(options, leases, warn, variant);
    const { token } = options;
    await stateFile.write({ pid: process.pid, baseUrl: service.baseUrl, token, version });
    announce(service.baseUrl, token);
    endRenewing();
    await Promise.race([asked, noLease]);
    leases.dispose();
    // First the state file, so that no client is sent to a service that is shutting down.
    await stateFile.remove(process.pid);
    endRenewing = keepRenewing(lock);
    await service.close();
  } finally {
    endRenewing();
    leases.dispose();
    await lock.release();
  }
}

/** Shows that this process is still at work, until the returned function is called. */
function keepRenewing(lock: Lock, say: () => void = () => undefined): () => void {
  const limit = Date.now() + RENEWING_LIMIT_MS;
  const timer = setInterval(() => {
    if (Date.now() >= limit) return;
    void lock.renew();
    say();
  }, RENEW_MS);
  return () => clearInterval(timer);
}

/** True when this process is now the shared service; false when another one was found and announced. */
async function becomeOrFind(lock: Lock, stateFile: StateFile): Promise<boolean> {
  let waitingFor: string | undefined;
  let limit = 0;
  for (;;) {
    const taken = await lock.acquire();
    if (taken === true) return true;
    const state = await stateFile.read();
    if (state?.pid === taken && (await answers(state))) {
      announce(state.baseUrl, state.token);
      return false;
    }
    // It may be starting or shutting down: give it time to answer, or to release the lock.
    const holder = `${taken} ${await lock.renewedAt()}`;
    if (waitingFor !== holder) {
      // The program that has started this one waits longer with each line.
      if (waitingFor?.startsWith(`${taken} `) === true)
        warn('The local service that runs is still starting or ending.');
      waitingFor = holder;
      limit = Date.now() + HOLDER_LIMIT_MS;
    }
    if (Date.now() > limit) await lock.break(taken);
    await delay(HOLDER_POLL_MS);
  }
}

function announce(baseUrl: string, token: string): void {
  process.stdout.write(`${JSON.stringify({ baseUrl, token })}\n`);
}

function terminationSignal(): Promise<EndReason> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => resolve({ why: 'signal' }));
  });
}

function warn(message: string): void {
  console.error(message);
}

/** Whatever one request or message causes, the browsers of all windows and agents go on. Nothing is known that comes here. */
function surviveFaults(): void {
  process.on('uncaughtException', (error) => warn(`Unexpected error: ${error.stack ?? error.message}`));
}

/** Runs the local service as a program, with the arguments of its command line, until it is asked to end; then it ends the process. */
export function runProgram(args: readonly string[], variant: ServiceVariant = {}): void {
  surviveFaults();
  main(args, variant).then(
    // Sockets that clients keep open must not keep the process running.
    () => process.exit(0),
    (error: unknown) => {
      const isUsage = error instanceof UsageError;
      console.error(isUsage ? `${error.message}\n${USAGE}` : `The local service could not run: ${messageOf(error)}`);
      process.exit(isUsage ? EXIT_USAGE : EXIT_FAILURE);
    },
  );
}
