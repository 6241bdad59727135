import { connect } from 'node:net';
import type { Clock } from '../base/clock';

/** How often a server that was not there is looked for, in milliseconds. */
const PROBE_MS = 2000;

/** Resolves when something listens at a port of this machine again, or rejects with the reason of `signal`. */
export async function whenListening(
  port: number,
  { host = 'localhost', clock, signal }: { host?: string | undefined; clock: Clock; signal: AbortSignal },
): Promise<void> {
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
