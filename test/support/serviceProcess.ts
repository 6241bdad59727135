// Covers: src/local
import { join } from 'node:path';
import { startChild } from './child';
import { ROOT } from './paths';

/** The address of a local service. */
export interface ServiceProcess {
  readonly baseUrl: string;
  readonly token: string;
}

/** Starts `dist/local.js` with a data folder of its own; it ends with this process. */
export async function startServiceProcess(dataDir: string): Promise<ServiceProcess> {
  let announce: (line: string) => void = () => undefined;
  const announced = new Promise<string>((settle) => (announce = settle));
  const child = await startChild(process.execPath, [join(ROOT, 'dist', 'local.js'), '--data-dir', dataDir], {
    output: { line: (line) => announce(line) },
  });
  const ended = child.exited.then(() => Promise.reject(new Error('The local service ended before it was ready.')));
  // Its end after the tests is no error.
  ended.catch(() => undefined);
  const told: unknown = JSON.parse(await Promise.race([announced, ended]));
  if (typeof told !== 'object' || told === null || !('baseUrl' in told) || !('token' in told)) {
    throw new Error('The local service told no address.');
  }
  return { baseUrl: String(told.baseUrl), token: String(told.token) };
}
