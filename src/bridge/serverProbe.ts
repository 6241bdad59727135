import { connect } from 'node:net';
import type { Clock } from '../base/clock';
import type { RequestLog } from './requestLog';

/** How often a server that was not there is looked for, in milliseconds. */
const PROBE_MS = 2000;

interface ProbeOptions {
  clock: Clock;
  signal: AbortSignal;
  /** `localhost` by default. */
  host?: string | undefined;
}

/** Looks for servers that were not there, until `signal` aborts, so that it is known when they are, although nothing is asked of them. */
export function probeSilent(requests: RequestLog, options: ProbeOptions): void {
  const probed = new Set<number>();
  requests.events.on('servers', () => {
    for (const port of requests.silent.filter((one) => !probed.has(one))) {
      probed.add(port);
      whenListening(port, options)
        .then(() => {
          probed.delete(port);
          requests.hear(port, true);
        })
        .catch(() => undefined);
    }
  });
}

/** Resolves when something listens at a port of this machine again, or rejects with the reason of `signal`. */
export async function whenListening(port: number, { host = 'localhost', clock, signal }: ProbeOptions): Promise<void> {
  do {
    await clock.delay(PROBE_MS, { ref: false, signal });
    signal.throwIfAborted();
  } while (!(await isListening(port, host)));
}

function isListening(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.unref();
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
