/**
 * Another program that pushes to a browser: pushes a folder some times, with another worker each time, and prints how each push ended.
 * Arguments: address and token of the service, id of the session, folder, its name on the browser, number of pushes, and
 * `hold` to keep the last push from ending.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { avoidRestart, newEngine, pushOnce } from './pushes';

async function main(): Promise<void> {
  const [baseUrl = '', token = '', id = '', folder = '', folderName = '', count = '1', end = ''] =
    process.argv.slice(2);
  const service = new ServiceClient({ baseUrl: parseBaseUrl(baseUrl), token, log: silentLogger });
  const browser = await service.getBrowser(id);
  const engine = newEngine();
  for (let push = 1; push <= Number(count); push++) {
    await writeFile(join(folder, 'background.js'), `globalThis.BUILD = 'other.${push}';`);
    const isHeld = end === 'hold' && push === Number(count);
    const onEnd = (): Promise<void> => {
      console.log(isHeld ? 'held' : 'pushed');
      return isHeld ? new Promise(() => setInterval(() => undefined, 60_000)) : Promise.resolve();
    };
    const { kind: outcome } = await pushOnce(
      engine,
      { service, browser, folder },
      { folderName, confirmRestart: avoidRestart, onEnd },
    );
    if (outcome !== 'running') throw new Error(`push ${push}: ${outcome}`);
  }
  process.exit(0);
}

main().catch((error: unknown) => {
  console.log(`failed: ${String(error)}`);
  process.exit(1);
});
