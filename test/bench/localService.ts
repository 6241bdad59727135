import { join } from 'node:path';
import { parseBaseUrl } from '../../src/service/address';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/log';
import { startChild } from '../support/child';
import { atEnd } from '../support/cleanup';
import { ROOT } from '../support/paths';

/** Starts the local service as it ships, `dist/local.js`, and gives a client of it. Both end with the bench. */
export async function startService(dataFolder: string): Promise<ServiceClient> {
  let announce: (line: string) => void = () => undefined;
  const announced = new Promise<string>((resolve) => {
    announce = resolve;
  });
  const program = join(ROOT, 'dist', 'local.js');
  const child = await startChild(process.execPath, [program, '--data-dir', dataFolder], {
    output: { line: (line) => announce(line) },
  });
  const ended = child.exited.then(() => Promise.reject(new Error('The local service ended at once.')));
  ended.catch(() => undefined);
  const told: unknown = JSON.parse(await Promise.race([announced, ended]));
  if (typeof told !== 'object' || told === null || !('baseUrl' in told) || !('token' in told)) {
    throw new Error('The local service told no address.');
  }
  const client = new ServiceClient({
    baseUrl: parseBaseUrl(String(told.baseUrl)),
    token: String(told.token),
    log: silentLogger,
  });
  atEnd('the client of the local service', () => client.close());
  return client;
}
