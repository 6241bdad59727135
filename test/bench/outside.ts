import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { atEnd } from '../support/cleanup';

/** The address of a service, and how long a round trip to it is to take, in milliseconds. */
export interface OutsideTask {
  service: string;
  roundTripMs: number;
}

/** The address of the service behind the network, and the port of a development server that answers with {@link answerWithModules}. */
export interface OutsideAnswer {
  network: string;
  port: number;
}

/** Starts the process of `outsideHost.ts`, which ends with the bench. */
export async function startOutside(task: OutsideTask): Promise<OutsideAnswer> {
  const child = fork(join(__dirname, 'outsideHost.ts'));
  atEnd('what is outside', () => {
    if (child.connected) child.disconnect();
    return Promise.resolve();
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process of the network has ended')));
  ended.catch(() => undefined);
  const answered = once(child, 'message').then(([answer]: unknown[]) => answer as OutsideAnswer);
  child.send(task);
  return await Promise.race([answered, ended]);
}
