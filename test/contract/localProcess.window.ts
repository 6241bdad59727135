/**
 * Stands in for a window in tests that kill it: holds the local service of a data folder, starts a browser in it, says
 * so, and then waits to be killed. Arguments: the service's bundle, the data folder.
 */
import { ServiceClient } from '../../src/service/client';
import { connectLocalService } from '../../src/service/localProcess';
import { silentLogger } from '../../src/service/logger';

async function main(): Promise<void> {
  const [script = '', dataDir = ''] = process.argv.slice(2);
  const local = await connectLocalService({
    script,
    dataDir,
    browserPath: '',
    log: silentLogger,
    onLost: () => process.exit(3),
  });
  const client = new ServiceClient({ baseUrl: new URL(local.baseUrl), token: local.token, log: silentLogger });
  await client.createBrowser({ headless: true, timeoutSeconds: 600 });
  console.log(local.started ? 'started' : 'found');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
