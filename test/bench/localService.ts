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

/** What Node writes of its inspector, before the program runs. */
const INSPECTOR = /^Debugger listening on (ws:\S+)/;

/** A local service as it ships, which ends with the bench. */
export interface BenchService {
  readonly baseUrl: string;
  readonly token: string;
  /** The process. */
  readonly pid: number;
  /** Where Node's inspector of the process listens, when it was asked for. */
  readonly inspectorUrl: string | undefined;
  /** A client without anything in between. */
  readonly client: ServiceClient;
  /** A client that finds the service at another address. */
  clientAt: (baseUrl: string) => ServiceClient;
}

/** What a service is started with. */
export interface BenchServiceOptions {
  /** The path of a browser; without it, the service finds one. */
  readonly browser?: string;
  /** Whether Node's inspector listens, for what only the process itself can say or do. */
  readonly isInspected?: boolean;
}

/** Starts `dist/local.js`. */
export async function startService(
  dataFolder: string,
  { browser, isInspected = false }: BenchServiceOptions = {},
): Promise<BenchService> {
  let inspectorUrl: string | undefined;
  let announce: (line: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const read = (line: string): void => {
    if (!isInspected || line.startsWith('{')) announce(line);
    inspectorUrl ??= INSPECTOR.exec(line)?.[1];
  };
  const program = join(ROOT, 'dist', 'local.js');
  const args = [
    ...(isInspected ? ['--inspect=127.0.0.1:0'] : []),
    ...[program, '--data-dir', dataFolder],
    ...(browser === undefined ? [] : ['--browser', browser]),
  ];
  const child = await startChild(process.execPath, args, { output: { line: read } });
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
  return { baseUrl, token, pid: child.pid, inspectorUrl, client: clientAt(baseUrl), clientAt };
}
