import { join } from 'node:path';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { startChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { ROOT } from '../support/paths';
import { within } from '../support/within';

/** How long the service may take to start, in milliseconds. */
const START_LIMIT_MS = 30_000;

/** A local service as it ships, which ends with the bench. */
export interface BenchService {
  readonly baseUrl: string;
  readonly token: string;
  /** The process. */
  readonly pid: number;
  /** A client without anything in between. */
  readonly client: ServiceClient;
  /** A client that finds the service at another address. */
  clientAt: (baseUrl: string) => ServiceClient;
}

/** Starts `dist/local.js`, with a browser that is named, or the one that it finds. */
export async function startService(dataFolder: string, { browser }: { browser?: string } = {}): Promise<BenchService> {
  let announce: (line: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const program = join(ROOT, 'dist', 'local.js');
  const args = [program, '--data-dir', dataFolder, ...(browser === undefined ? [] : ['--browser', browser])];
  const child = await startChild(process.execPath, args, {
    output: { line: (line) => announce(line) },
  });
  const ended = child.exited.then(() => Promise.reject(new Error('The local service ended at once.')));
  ended.catch(() => undefined);
  const line = await within('the local service tells its address', START_LIMIT_MS, Promise.race([announced, ended]));
  const told: unknown = JSON.parse(line);
  if (typeof told !== 'object' || told === null || !('baseUrl' in told) || !('token' in told)) {
    throw new Error('The local service told no address.');
  }
  const token = String(told.token);
  const clientAt = (address: string): ServiceClient => {
    const client = new ServiceClient({ baseUrl: parseBaseUrl(address), token, log: silentLogger });
    atEnd('a client of the local service', () => client.close());
    return client;
  };
  const baseUrl = String(told.baseUrl);
  return { baseUrl, token, pid: child.pid, client: clientAt(baseUrl), clientAt };
}
