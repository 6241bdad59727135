import { join } from 'node:path';
import { ask, startHost } from './hostProcess';

/** The address of a service, and how long a round trip to it takes, in milliseconds. */
export interface OutsideTask {
  service: string;
  roundTripMs: number;
}

/** The address of the service behind the network, and the port of a development server with many modules. */
export interface OutsideAnswer {
  network: string;
  port: number;
}

/** Starts the process of `outsideHost.ts`, which ends with the bench. */
export function startOutside(task: OutsideTask): Promise<OutsideAnswer> {
  return ask(startHost(join(__dirname, 'outsideHost.ts')), task);
}
